// How sure something is of its place: ellipses that hold it with 95 percent.
import { byColour } from "../colours.js";

const SIGMAS = Math.sqrt(5.991);  // Of a chi-squared distribution with two degrees of freedom.

/** Half axes in metres and the angle of the longer one, of a covariance; undefined if it has none. */
export function ellipseOf(xx, xy, yy) {
    if (!(xx >= 0 && yy >= 0)) return undefined;
    const mean = (xx + yy) / 2, spread = Math.hypot((xx - yy) / 2, xy);
    return [SIGMAS * Math.sqrt(mean + spread), SIGMAS * Math.sqrt(Math.max(0, mean - spread)), Math.atan2(2 * xy, xx - yy) / 2];
}

export const uncertainty = {
    name: "uncertainty", title: "Uncertainty", group: "robots", sheet: "fast", on: false,
    help: "Where each robot takes itself to be with 95 percent",
    draw({ context, mission, state, scale, pane }) {
        if (pane === "truth") return;
        const { believed, covariance } = state;
        context.lineWidth = 1.2 / scale;
        for (const [colour, some] of byColour(mission.names.length)) {
            context.beginPath();
            for (const robot of some) {
                const found = ellipseOf(covariance[3 * robot], covariance[3 * robot + 1], covariance[3 * robot + 2]);
                if (!found || !(found[0] * scale > 0.5)) continue;
                const [long, short, angle] = found, x = believed[3 * robot], y = believed[3 * robot + 1];
                context.moveTo(x + long * Math.cos(angle), y + long * Math.sin(angle));
                context.ellipse(x, y, long, short, angle, 0, 2 * Math.PI);
            }
            context.fillStyle = context.strokeStyle = colour;
            context.globalAlpha = 0.15;
            context.fill();
            context.globalAlpha = 0.9;
            context.stroke();
        }
        context.globalAlpha = 1;
    },
};
