// What lidars met.
import { robotColour } from "../colours.js";

export const scans = {
    name: "scans", title: "Scans", group: "knowledge", sheet: "slow", on: false, parts: ["scans"],
    help: "Where the beams of the last scan ended, by the robot's belief: of the selected robot, or of all up to 12",
    draw({ context, moment, scale }) {
        const points = moment.arrays?.scan_points, ends = moment.arrays?.scan_ends;
        if (!points) return;
        const size = 2.5 / scale;
        moment.scan_robots.forEach((robot, k) => {
            context.fillStyle = robotColour(robot);
            for (let at = k ? ends[k - 1] : 0; at < ends[k]; at++) {
                context.fillRect(points[2 * at] - size / 2, points[2 * at + 1] - size / 2, size, size);
            }
        });
    },
};
