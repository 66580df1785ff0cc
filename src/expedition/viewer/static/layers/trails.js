// Where robots have been: drawn further as time goes on, and anew only when the view changes or time goes back.
import { robotColour } from "../colours.js";

export const trails = {
    name: "trails", title: "Trails", sheet: "trails", on: true,
    draw({ context, watch, pane, mission, scale, time, since }) {
        const found = watch.trails;
        if (!found) return;
        const { times } = found, places = pane === "truth" ? found.poses : found.believed;
        const robots = mission.names.length;
        let first = 0;
        while (first + 1 < times.length && times[first + 1] <= since) first++;
        let last = first;
        while (last + 1 < times.length && times[last + 1] <= time) last++;
        context.lineWidth = 1.2 / scale;
        context.globalAlpha = 0.7;
        for (let robot = 0; robot < robots && last > first; robot++) {
            context.beginPath();
            for (let k = first; k <= last; k++) context.lineTo(places[2 * (k * robots + robot)], places[2 * (k * robots + robot) + 1]);
            context.strokeStyle = robotColour(robot);
            context.stroke();
        }
        context.globalAlpha = 1;
        return times[last];  // Up to here it is drawn.
    },
};
