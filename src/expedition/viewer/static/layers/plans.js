// Where robots want to go: frontiers, goals and the ways there.
import { byColour } from "../colours.js";

export const frontiers = {
    name: "frontiers", title: "Frontiers", group: "plans", sheet: "slow", on: true, parts: ["frontiers"],
    help: "Where known free ground meets unknown ground, on the chosen map: the longer, the larger",
    draw({ context, moment, scale, theme }) {
        const found = moment.arrays?.frontiers;
        if (!found) return;
        const one = 1 / scale;
        context.beginPath();
        for (let k = 0; k < found.length; k += 3) {
            const size = Math.min(13, 4 + 2.2 * Math.sqrt(found[k + 2])) * one / 2, x = found[k], y = found[k + 1];
            context.moveTo(x - size, y);
            context.lineTo(x, y + size);
            context.lineTo(x + size, y);
            context.lineTo(x, y - size);
            context.closePath();
        }
        context.fillStyle = theme.frontier;
        context.fill();
        context.strokeStyle = theme.halo;
        context.lineWidth = 0.8 * one;
        context.stroke();
    },
};

export const paths = {
    name: "paths", title: "Paths", group: "plans", sheet: "slow", on: true, parts: ["paths"],
    help: "The ways that robots are about to drive",
    draw({ context, moment, scale, mission, watch }) {
        const points = moment.arrays?.path_points, ends = moment.arrays?.path_ends;
        if (!points) return;
        const trace = robot => {
            for (let k = robot ? ends[robot - 1] : 0, first = k; k < ends[robot]; k++) {
                if (k === first) context.moveTo(points[2 * k], points[2 * k + 1]); else context.lineTo(points[2 * k], points[2 * k + 1]);
            }
        };
        context.lineJoin = "round";
        context.setLineDash([5 / scale, 3 / scale]);
        for (const [colour, some] of byColour(mission.names.length)) {
            context.beginPath();
            for (const robot of some) trace(robot);
            context.strokeStyle = colour;
            context.lineWidth = 1.5 / scale;
            context.stroke();
            if (some.includes(watch.selected)) {
                context.beginPath();
                trace(watch.selected);
                context.lineWidth = 3 / scale;
                context.stroke();
            }
        }
        context.setLineDash([]);
    },
};

export const goals = {
    name: "goals", title: "Goals", group: "plans", sheet: "fast", on: true,
    help: "Where each robot is going",
    draw({ context, state, scale, mission }) {
        const size = 4 / scale;
        context.lineWidth = 2 / scale;
        for (const [colour, some] of byColour(mission.names.length)) {
            context.beginPath();
            for (const robot of some) {
                const x = state.goals[2 * robot], y = state.goals[2 * robot + 1];
                if (!Number.isFinite(x)) continue;
                context.moveTo(x - size, y - size);
                context.lineTo(x + size, y + size);
                context.moveTo(x - size, y + size);
                context.lineTo(x + size, y - size);
            }
            context.strokeStyle = colour;
            context.stroke();
        }
    },
};
