// Who hears whom, how far radios reach, and the base station.
const MOST = 600;  // Lines drawn.
const FEW = 12;  // Nodes up to which the range of each is shown.

/** Pairs of nodes that hear each other. */
export function linksBetween(bits, nodes) {
    const found = [];
    const hears = (a, b) => bits[(a * nodes + b) >> 3] & (128 >> ((a * nodes + b) & 7));
    for (let a = 0; a < nodes; a++) for (let b = a + 1; b < nodes; b++) if (hears(a, b) && hears(b, a)) found.push([a, b]);
    return found;
}

/** Of many links the most telling: the shortest ones that hold each group together, then the shortest of the rest. */
export function tellingMost(links, place, most = MOST) {
    if (links.length <= most) return links;
    const length = links.map(([a, b]) => { const [p, q] = [place(a), place(b)]; return Math.hypot(p[0] - q[0], p[1] - q[1]); });
    const order = links.map((_, k) => k).sort((j, k) => length[j] - length[k]);
    const group = new Map(), tree = [], rest = [];
    const root = node => { while (group.has(node)) node = group.get(node); return node; };
    for (const k of order) {
        const [a, b] = links[k].map(root);
        if (a === b) rest.push(links[k]);
        else { group.set(a, b); tree.push(links[k]); }
    }
    return [...tree, ...rest].slice(0, most);
}

const places = ({ mission, poses }) => {
    const robots = mission.names.length;
    return node => (node < robots ? [poses[3 * node], poses[3 * node + 1]] : mission.base);
};

const kept = new WeakMap();

/** The links that are drawn. Of very many they are chosen anew only once a second: that takes a while. */
function shownLinks({ state, watch, time }, nodes, place) {
    const before = kept.get(watch);
    if (before && before.isMany && Math.abs(time - before.time) < 1) return before.found;
    const all = linksBetween(state.links, nodes), found = tellingMost(all, place);
    kept.set(watch, { found, time, isMany: all.length > MOST });
    return found;
}

export const links = {
    name: "links", title: "Links", group: "network", sheet: "slow", on: true,
    help: "Who hears whom; of very many, those that hold groups together and the shortest",
    draw(tools) {
        const { context, mission, scale, theme, watch } = tools;
        const place = places(tools), nodes = mission.names.length + (mission.base ? 1 : 0);
        const found = shownLinks(tools, nodes, place);
        const isTheirs = ([a, b]) => a === watch.selected || b === watch.selected;
        context.strokeStyle = theme.link;
        for (const [some, alpha, width] of [[found.filter(one => !isTheirs(one)), found.length > 150 ? 0.3 : 0.5, 1], [found.filter(isTheirs), 0.9, 2]]) {
            context.beginPath();
            for (const [a, b] of some) { context.moveTo(...place(a)); context.lineTo(...place(b)); }
            context.globalAlpha = alpha;
            context.lineWidth = width / scale;
            context.stroke();
        }
        context.globalAlpha = 1;
    },
};

export const radio = {
    name: "radio", title: "Radio range", group: "network", sheet: "slow", on: false,
    help: "How far radios reach without walls: of the selected robot, or of all with few robots",
    draw(tools) {
        const { context, mission, scale, theme, watch } = tools;
        const place = places(tools), nodes = mission.radio_ranges.length;
        context.lineWidth = 1.2 / scale;
        context.strokeStyle = theme.link;
        context.globalAlpha = 0.8;
        context.setLineDash([6 / scale, 4 / scale]);
        for (let node = 0; node < nodes; node++) {
            const isBase = node === mission.names.length, reach = mission.radio_ranges[node];
            if (!reach || !(node === watch.selected || (watch.selected === null && (nodes <= FEW || isBase)))) continue;
            context.beginPath();
            context.arc(...place(node), reach, 0, 2 * Math.PI);
            context.stroke();
        }
        context.globalAlpha = 1;
        context.setLineDash([]);
    },
};

export const base = {
    name: "base", title: "Base station", group: "network", sheet: "slow", on: true,
    help: "Where the base station stands",
    draw({ context, mission, scale, theme }) {
        if (!mission.base) return;
        const [x, y] = mission.base, size = 7 / scale;
        context.lineJoin = "round";
        context.beginPath();
        context.moveTo(x - size, y - size);
        context.lineTo(x + size, y - size);
        context.lineTo(x + size, y + 0.2 * size);
        context.lineTo(x, y + 1.3 * size);
        context.lineTo(x - size, y + 0.2 * size);
        context.closePath();
        context.fillStyle = theme.ink;
        context.strokeStyle = theme.halo;
        context.lineWidth = 2.5 / scale;
        context.stroke();
        context.fill();
    },
};
