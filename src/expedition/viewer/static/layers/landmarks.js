// Landmarks: where they are, and where robots believe them to be and how surely.
import { robotColour } from "../colours.js";
import { ellipseOf } from "./uncertainty.js";

export const landmarks = {
    name: "landmarks", title: "Landmarks", group: "knowledge", sheet: "slow", on: true, parts: ["landmarks"],
    help: "Stars where landmarks are; dots with 95 percent ellipses where robots believe them to be",
    draw({ context, mission, moment, scale, theme, watch, pane }) {
        const size = 6 / scale;
        context.beginPath();
        for (const [x, y] of mission.terrain.landmarks) {
            for (let k = 0; k < 10; k++) {
                const reach = k % 2 ? 0.42 * size : size, angle = Math.PI / 2 + k * Math.PI / 5;
                const place = [x + reach * Math.cos(angle), y + reach * Math.sin(angle)];
                if (k) context.lineTo(...place); else context.moveTo(...place);
            }
            context.closePath();
        }
        context.fillStyle = theme.landmark;
        context.fill();
        context.strokeStyle = theme.halo;
        context.lineWidth = 1 / scale;
        context.stroke();
        if (pane === "truth") return;
        for (const [robot, number, x, y, xx, xy, yy] of moment.landmarks ?? []) {
            if (watch.selected !== null && robot !== watch.selected) continue;
            const colour = robotColour(robot), found = ellipseOf(xx, xy, yy), truth = mission.terrain.landmarks[number];
            context.strokeStyle = context.fillStyle = colour;
            context.lineWidth = 1.2 / scale;
            context.beginPath();
            context.arc(x, y, 2 / scale, 0, 2 * Math.PI);
            context.fill();
            context.beginPath();
            if (found) context.ellipse(x, y, found[0], found[1], found[2], 0, 2 * Math.PI);
            if (truth) { context.moveTo(x, y); context.lineTo(...truth); }
            context.stroke();
        }
    },
};
