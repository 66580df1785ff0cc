// Where robots have been: drawn further as time goes on, and anew only when the view changes or time goes back.
import { byColour } from "../colours.js";

/** The number of the last time that is not after another; 0 if none is. */
function lastUpTo(times, time) {
    let low = 0, high = times.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (times[middle] <= time) low = middle; else high = middle - 1;
    }
    return low;
}

export const trails = {
    name: "trails", title: "Trails", group: "robots", sheet: "trails", on: true,
    help: "Where robots have been, or where they believed to be",
    draw({ context, watch, pane, mission, scale, time, since }) {
        const found = watch.trails;
        if (!found || !found.times.length) return undefined;
        const { times } = found, places = pane === "truth" ? found.poses : found.believed, robots = mission.names.length;
        const first = lastUpTo(times, since), last = lastUpTo(times, time);
        if (last > first) {
            context.lineWidth = (robots > 40 ? 1 : 1.4) / scale;
            context.lineJoin = "round";
            context.globalAlpha = 0.65;
            for (const [colour, some] of byColour(robots)) {
                context.beginPath();
                for (const robot of some) {
                    for (let k = first, at = 2 * (first * robots + robot); k <= last; k++, at += 2 * robots) {
                        if (k === first) context.moveTo(places[at], places[at + 1]); else context.lineTo(places[at], places[at + 1]);
                    }
                }
                context.strokeStyle = colour;
                context.stroke();
            }
            context.globalAlpha = 1;
        }
        return times[last];  // Up to here it is drawn.
    },
};
