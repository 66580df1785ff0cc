// Names of robots, and what they are in their team: as many as can be read.
import { shownReach } from "./robots.js";

const CROWD = 40;  // Robots above which only some are named.
const NEAR = 12;  // Pixels from middle to rim from which every robot of a crowd is named.

/** Whether a robot is labelled: in a crowd only who is selected or under the pointer, or from close by. */
export function isLabelled({ mission, watch, scale }, robot) {
    return mission.names.length <= CROWD || robot === watch.selected || robot === watch.hover?.robot
        || shownReach(mission, robot, scale) * scale >= NEAR;
}

export const names = {
    name: "names", title: "Names", group: "robots", sheet: "fast", on: true,
    help: "With more than 40 robots only of the selected one, the one under the pointer, and from close by",
    draw(tools) {
        const { mission, poses, write, scale, watch, places, toPixel } = tools;
        const order = [...mission.names.keys()].filter(robot => isLabelled(tools, robot));
        order.sort((a, b) => (b === watch.selected) - (a === watch.selected));  // The selected one has room first.
        for (const robot of order) {
            const away = shownReach(mission, robot, scale) * scale * 0.75 + 4, [px, py] = toPixel(poses[3 * robot], poses[3 * robot + 1]);
            if (!places.take(px + away, py - away, mission.names[robot])) continue;
            write(mission.names[robot], poses[3 * robot], poses[3 * robot + 1], { dx: away, dy: -away, weight: robot === watch.selected ? 700 : 400 });
        }
    },
};

const COLOURS = ["#5b3a8c", "#00745a", "#a4480a", "#1f5f9a", "#8c2f63"];

/** The roles that robots have now: a colour each, in the order of their names. */
export function rolesNow(moment) {
    const words = [...new Set((moment.roles ?? []).filter(Boolean))].sort();
    return new Map(words.map((word, k) => [word, COLOURS[k % COLOURS.length]]));
}

export const roles = {
    name: "roles", title: "Roles", group: "robots", sheet: "fast", on: true, parts: ["words"],
    help: "What each robot is in its team, by its strategy: the first letter",
    legend({ moment }) {
        const now = rolesNow(moment);
        return now.size ? { title: "Roles", words: [...now].map(([word, colour]) => [colour, word]) } : undefined;
    },
    draw(tools) {
        const { mission, moment, poses, write, scale } = tools;
        if (!moment.roles) return;
        const colours = rolesNow(moment);
        for (let robot = 0; robot < mission.names.length; robot++) {
            const role = moment.roles[robot];
            if (!role || !isLabelled(tools, robot)) continue;
            const away = shownReach(mission, robot, scale) * scale * 0.75 + 4;
            write(role[0].toUpperCase(), poses[3 * robot], poses[3 * robot + 1], { dx: -away, dy: -away, size: 12, weight: 700, align: "right", colour: "#ffffff", halo: colours.get(role) });
        }
    },
};
