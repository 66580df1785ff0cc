// Who hears whom, and the base station.
import { posesOf } from "./robots.js";

const MOST = 600;  // Lines drawn; of more, the longest, which hold the network together, are left.

/** Pairs of nodes that hear each other. */
export function linksBetween(bits, nodes) {
    const found = [];
    const hears = (a, b) => bits[(a * nodes + b) >> 3] & (128 >> ((a * nodes + b) & 7));
    for (let a = 0; a < nodes; a++) for (let b = a + 1; b < nodes; b++) if (hears(a, b) && hears(b, a)) found.push([a, b]);
    return found;
}

export const links = {
    name: "links", title: "Links", sheet: "slow", on: true,
    draw(view) {
        const { context, mission, state, scale, theme } = view;
        const poses = posesOf(view), robots = mission.names.length;
        const place = node => (node < robots ? [poses[3 * node], poses[3 * node + 1]] : mission.base);
        const found = linksBetween(state.links, robots + (mission.base ? 1 : 0)).slice(0, MOST);
        context.beginPath();
        for (const [a, b] of found) { context.moveTo(...place(a)); context.lineTo(...place(b)); }
        context.strokeStyle = theme.link;
        context.globalAlpha = 0.5;
        context.lineWidth = 1 / scale;
        context.stroke();
        context.globalAlpha = 1;
    },
};

export const base = {
    name: "base", title: "Base station", sheet: "slow", on: true,
    draw({ context, mission, scale, theme }) {
        if (!mission.base) return;
        const [x, y] = mission.base, size = 8 / scale;
        context.fillStyle = theme.ink;
        context.beginPath();
        context.moveTo(x - size, y - 0.8 * size);
        context.lineTo(x + size, y - 0.8 * size);
        context.lineTo(x, y + size);
        context.fill();
    },
};
