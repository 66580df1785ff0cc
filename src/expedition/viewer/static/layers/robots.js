// Robots: their outline in their colour, a line where they head, and a ring for what troubles them.
import { byColour } from "../colours.js";

const SMALLEST = 6;  // Pixels from the middle to the rim, so that one sees them on large maps.
const DEAD = 17;  // The bits of `failed` for the robot itself and its battery.
const reaches = new WeakMap();

/** How far a robot's outline reaches from its middle, in metres. */
export function reachOf(mission, robot) {
    if (!reaches.has(mission)) reaches.set(mission, mission.footprints.map(outline => Math.max(...outline.map(([x, y]) => Math.hypot(x, y)))));
    return reaches.get(mission)[robot];
}

/** How far it reaches on the map, where small ones are drawn larger. */
export const shownReach = (mission, robot, scale) => Math.max(reachOf(mission, robot), SMALLEST / scale);

/** The outline of a robot at a pose, as part of a path. */
function trace(context, outline, x, y, heading, grow) {
    const c = grow * Math.cos(heading), s = grow * Math.sin(heading);
    for (let k = 0; k < outline.length; k++) {
        const [u, v] = outline[k];
        if (k) context.lineTo(x + c * u - s * v, y + s * u + c * v); else context.moveTo(x + c * u - s * v, y + s * u + c * v);
    }
    context.closePath();
}

function ring(context, x, y, radius) {
    context.moveTo(x + radius, y);
    context.arc(x, y, radius, 0, 2 * Math.PI);
}

/** Draw one path with something of each of some robots. */
function together(context, robots, poses, add) {
    context.beginPath();
    for (const robot of robots) add(poses[3 * robot], poses[3 * robot + 1], robot, poses[3 * robot + 2]);
}

export const robots = {
    name: "robots", title: "Robots", group: "robots", sheet: "fast", on: true,
    help: "Outline and heading; crossed out if failed, a dot if part of it failed, a ring if blocked, giving way, waiting for another or lost",
    legend: ({ state, mission, theme }) => {
        if (!state) return undefined;
        const words = ringsOf(mission, theme).filter(([, has]) => state.states.some(has)).map(([word, , colour]) => [colour, word]);
        return words.length ? { title: "Rings", words } : undefined;
    },
    draw({ context, mission, state, poses, scale, theme, watch }) {
        const all = mission.names.length, pixel = 1 / scale, { failed, states } = state;
        const isDead = robot => failed[robot] & DEAD;
        const outline = (x, y, robot, heading) => trace(context, mission.footprints[robot], x, y, heading, shownReach(mission, robot, scale) / reachOf(mission, robot));
        for (const [colour, some] of byColour(all)) {
            together(context, some.filter(robot => !isDead(robot)), poses, outline);
            context.fillStyle = colour;
            context.fill();
        }
        const everyone = [...state.states.keys()], dead = everyone.filter(isDead), alive = everyone.filter(robot => !isDead(robot));
        together(context, alive, poses, outline);
        context.strokeStyle = theme.halo;
        context.lineWidth = pixel;
        context.stroke();
        together(context, alive, poses, (x, y, robot, heading) => {
            const reach = shownReach(mission, robot, scale);
            context.moveTo(x, y);
            context.lineTo(x + reach * Math.cos(heading), y + reach * Math.sin(heading));
        });
        context.lineWidth = 1.6 * pixel;
        context.stroke();
        if (dead.length) drawDead({ context, mission, poses, dead, outline, theme, scale });
        for (const [, has, colour] of ringsOf(mission, theme)) {
            const some = alive.filter(robot => has(states[robot]));
            if (!some.length) continue;
            together(context, some, poses, (x, y, robot) => ring(context, x, y, shownReach(mission, robot, scale) + 3.5 * pixel));
            context.strokeStyle = colour;
            context.lineWidth = 2 * pixel;
            context.stroke();
        }
        const hurt = alive.filter(robot => failed[robot]);
        if (hurt.length) {
            together(context, hurt, poses, (x, y, robot) => {
                const away = 0.8 * shownReach(mission, robot, scale);
                ring(context, x + away, y + away, 3.2 * pixel);
            });
            context.fillStyle = theme.warn;
            context.strokeStyle = theme.halo;
            context.lineWidth = pixel;
            context.fill();
            context.stroke();
        }
        for (const [robot, width] of [[watch.hover?.robot, 1.2], [watch.selected, 2.4]]) {
            if (robot === null || robot === undefined || robot >= all) continue;
            together(context, [robot], poses, (x, y) => ring(context, x, y, shownReach(mission, robot, scale) + 6.5 * pixel));
            context.strokeStyle = theme.ink;
            context.lineWidth = width * pixel;
            context.stroke();
        }
    },
};

/** States that have a ring: the word, whether a number stands for one of them, and the colour. */
function ringsOf(mission, theme) {
    return [["blocked", theme.warn], ["gives way", theme.frontier], ["waits for", theme.frontier], ["lost", theme.lost]]
        .map(([word, colour]) => [word, number => (mission.states[number] ?? "").startsWith(word), colour]);
}

function drawDead({ context, mission, poses, dead, outline, theme, scale }) {
    together(context, dead, poses, outline);
    context.fillStyle = theme.dead;
    context.fill();
    context.strokeStyle = theme.halo;
    context.lineWidth = 1 / scale;
    context.stroke();
    together(context, dead, poses, (x, y, robot) => {
        const away = Math.max(0.9 * shownReach(mission, robot, scale), 6 / scale);
        context.moveTo(x - away, y - away);
        context.lineTo(x + away, y + away);
        context.moveTo(x - away, y + away);
        context.lineTo(x + away, y - away);
    });
    context.strokeStyle = theme.warn;
    context.lineWidth = 2.2 / scale;
    context.stroke();
}

export const footprints = {
    name: "footprints", title: "Footprints", group: "robots", sheet: "fast", on: false,
    help: "Outlines in their true size; beside beliefs, a ghost where each robot really is",
    draw({ context, mission, state, scale, theme, pane }) {
        const { poses, believed } = state, everyone = [...state.states.keys()];
        together(context, everyone, poses, (x, y, robot, heading) => {
            trace(context, mission.footprints[robot], x, y, heading, 1);
            context.moveTo(x, y);
            context.lineTo(x + reachOf(mission, robot) * Math.cos(heading), y + reachOf(mission, robot) * Math.sin(heading));
            if (pane === "truth") return;
            context.moveTo(believed[3 * robot], believed[3 * robot + 1]);
            context.lineTo(x, y);
        });
        context.strokeStyle = theme.ink;
        context.lineWidth = 1.2 / scale;
        context.setLineDash(pane === "truth" ? [] : [3 / scale, 2 / scale]);
        context.stroke();
        context.setLineDash([]);
    },
};
