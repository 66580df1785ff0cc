// Robots: their outline in their colour, a line where they head, and their names.
import { robotColour } from "../colours.js";

const SMALLEST = 5;  // Pixels from the middle to the rim, so that one sees them on large maps.

export function posesOf({ pane, state }) { return pane === "truth" ? state.poses : state.believed; }

export const robots = {
    name: "robots", title: "Robots", sheet: "fast", on: true,
    draw(view) {
        const { context, mission, state, scale, theme, watch } = view;
        const poses = posesOf(view);
        for (let robot = 0; robot < mission.names.length; robot++) {
            const outline = mission.footprints[robot];
            const reach = Math.hypot(...outline[0]);
            const grow = Math.max(1, SMALLEST / (reach * scale));
            context.save();
            context.translate(poses[3 * robot], poses[3 * robot + 1]);
            context.rotate(poses[3 * robot + 2]);
            context.scale(grow, grow);
            context.beginPath();
            outline.forEach(([x, y], corner) => (corner ? context.lineTo(x, y) : context.moveTo(x, y)));
            context.closePath();
            context.fillStyle = robotColour(robot);
            context.globalAlpha = state.failed[robot] & 17 ? 0.35 : 1;
            context.fill();
            context.globalAlpha = 1;
            context.lineWidth = (robot === watch.selected ? 3 : 1) / (scale * grow);
            context.strokeStyle = robot === watch.selected ? theme.ink : theme.halo;
            context.stroke();
            context.beginPath();
            context.moveTo(0, 0);
            context.lineTo(reach, 0);
            context.strokeStyle = theme.halo;
            context.lineWidth = 1.5 / (scale * grow);
            context.stroke();
            context.restore();
        }
    },
};

export const names = {
    name: "names", title: "Names", sheet: "fast", on: true,
    draw(view) {
        const { mission, theme, write } = view;
        const poses = posesOf(view);
        for (let robot = 0; robot < mission.names.length; robot++) {
            write(String(robot), poses[3 * robot], poses[3 * robot + 1], { dx: 8, dy: -8, colour: theme.ink });
        }
    },
};
