// The robot that is selected, as it is at the time shown.
import { robotColour } from "../colours.js";
import { bytesText, find, make, mark, percent, say } from "./dom.js";
import { addMind } from "./mind.js";
import { brokenOf, stateOf } from "./robotlist.js";

const metres = value => `${value.toFixed(2)} m`;
const degrees = angle => `${((angle * 180) / Math.PI).toFixed(0)}°`;
const pose = (poses, robot) => `${poses[3 * robot].toFixed(2)}, ${poses[3 * robot + 1].toFixed(2)}, ${degrees(turn(poses[3 * robot + 2]))}`;

function turn(angle) { return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI)); }

function error({ poses, believed }, robot) {
    const k = 3 * robot;
    const away = Math.hypot(believed[k] - poses[k], believed[k + 1] - poses[k + 1]);
    return `${metres(away)}, ${degrees(Math.abs(turn(believed[k + 2] - poses[k + 2])))}`;
}

function spread({ covariance }, robot) {
    const [xx, xy, yy] = covariance.subarray(3 * robot, 3 * robot + 3);
    if (!Number.isFinite(xx)) return "–";
    return `xx ${xx.toFixed(3)}, xy ${xy.toFixed(3)}, yy ${yy.toFixed(3)} m²`;
}

function goal({ goals, poses }, robot) {
    const [x, y] = goals.subarray(2 * robot, 2 * robot + 2);
    if (!Number.isFinite(x)) return "none";
    return `${x.toFixed(2)}, ${y.toFixed(2)} (${metres(Math.hypot(x - poses[3 * robot], y - poses[3 * robot + 1]))} away)`;
}

const FACTS = {  // By their label: what is said of a robot; `mind` is what the moment tells of it, perhaps not yet.
    state: (robot, watch) => stateOf(robot, watch),
    role: (robot, { moment }) => moment.roles?.[robot] || "–",
    activity: (robot, { moment }) => moment.activities?.[robot] || "–",
    failed: (robot, watch) => brokenOf(robot, watch) || "nothing",
    explored: (robot, { state }) => percent(state.explored[robot], 1),
    distance: (robot, { state }) => `${state.travelled[robot].toFixed(1)} m`,
    battery: (robot, { state }) => (Number.isFinite(state.batteries[robot]) ? percent(state.batteries[robot], 1) : "–"),
    sent: (robot, watch, mind) => (mind ? bytesText(mind.sent) : "…"),
    received: (robot, watch, mind) => (mind ? bytesText(mind.received) : "…"),
    "really at": (robot, { state }) => pose(state.poses, robot),
    "believes at": (robot, { state }) => pose(state.believed, robot),
    error: (robot, { state }) => error(state, robot),
    covariance: (robot, { state }) => spread(state, robot),
    goal: (robot, { state }) => goal(state, robot),
};

const LONG = new Set(["really at", "believes at", "error", "covariance", "goal"]);

export function attachInspector(watch) {
    const place = find("inspector");
    const head = make("header"), dot = make("i", "dot"), name = make("b"), model = make("small", "soft"), failed = make("span", "badge", "failed");
    const button = (act, title, text) => {
        const made = make("button", "act", text, { type: "button", title });
        made.dataset.act = act;
        return made;
    };
    const follow = button("follow", "The map goes where it goes (f)", "Follow");
    const map = button("its-map", "Show the map that it has", "Its map");
    const close = button("deselect", "Select none (Esc)", "✕");
    head.append(dot, name, model, failed, make("span", "gap"), follow, map, close);
    const facts = make("dl", "facts");
    const values = Object.keys(FACTS).map(label => {
        const value = make("dd", "", "", { "data-fact": label });
        const isLong = LONG.has(label) ? "long" : "";
        value.className = isLong;
        facts.append(make("dt", isLong, label), value);
        return value;
    });
    const thoughts = make("div", "mind");
    place.append(head, facts, thoughts);
    const mind = addMind(watch, thoughts);

    function update() {
        const { selected: robot, state } = watch;
        const on = robot !== null && Boolean(state);
        if (place.hidden === on) place.hidden = !on;
        if (!on) return;
        const known = watch.moment.minds?.[robot];
        dot.style.background = robotColour(robot);
        say(name, `Robot ${robot}`);
        say(model, watch.mission.models[robot]);
        const broken = Boolean(brokenOf(robot, watch));
        if (failed.hidden === broken) failed.hidden = !broken;
        mark(follow, "on", watch.followed === robot);
        mark(map, "on", watch.which === robot);
        Object.values(FACTS).forEach((fact, k) => say(values[k], fact(robot, watch, known)));
        mind.update(known);
    }

    return { tab: "robots", update };
}
