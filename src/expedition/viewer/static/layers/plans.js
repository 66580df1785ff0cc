// Where robots want to go: frontiers, goals and the ways there.
import { robotColour } from "../colours.js";
import { posesOf } from "./robots.js";

export const frontiers = {
    name: "frontiers", title: "Frontiers", sheet: "slow", on: true, parts: ["frontiers"],
    draw({ context, moment, scale, theme }) {
        const found = moment.arrays?.frontiers;
        if (!found) return;
        context.fillStyle = theme.frontier;
        for (let k = 0; k < found.length; k += 3) {
            const size = Math.min(9, 3 + Math.sqrt(found[k + 2])) / scale;
            context.fillRect(found[k] - size / 2, found[k + 1] - size / 2, size, size);
        }
    },
};

export const paths = {
    name: "paths", title: "Paths", sheet: "slow", on: true, parts: ["paths"],
    draw({ context, moment, scale }) {
        const points = moment.arrays?.path_points;
        if (!points) return;
        context.lineWidth = 1.5 / scale;
        let at = 0;
        moment.arrays.path_ends.forEach((end, robot) => {
            context.beginPath();
            for (let k = at; k < end; k++) context.lineTo(points[2 * k], points[2 * k + 1]);
            context.strokeStyle = robotColour(robot);
            context.stroke();
            at = end;
        });
    },
};

export const goals = {
    name: "goals", title: "Goals", sheet: "fast", on: true,
    draw(view) {
        const { context, state, scale, mission } = view;
        const poses = posesOf(view), size = 4 / scale;
        context.lineWidth = 1.5 / scale;
        for (let robot = 0; robot < mission.names.length; robot++) {
            const x = state.goals[2 * robot], y = state.goals[2 * robot + 1];
            if (!Number.isFinite(x)) continue;
            context.strokeStyle = robotColour(robot);
            context.beginPath();
            context.moveTo(x - size, y - size);
            context.lineTo(x + size, y + size);
            context.moveTo(x - size, y + size);
            context.lineTo(x + size, y - size);
            context.stroke();
            void poses;
        }
    },
};
