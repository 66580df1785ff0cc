// The list of robots: found by number, name, role or state, and sorted. Only the rows that are seen are there.
import { robotColour } from "../colours.js";
import { find, make, mark, percent, say } from "./dom.js";

const ROW = 26;  // Pixels, as in watch.css.

const VALUES = {
    number: robot => robot,
    state: (robot, watch) => stateOf(robot, watch),
    explored: (robot, { state }) => -state.explored[robot],
    travelled: (robot, { state }) => -state.travelled[robot],
    battery: (robot, { state }) => (Number.isFinite(state.batteries[robot]) ? state.batteries[robot] : 2),
};

/** What is broken of a robot, in words. */
export function brokenOf(robot, { mission, state }) {
    return mission.failures.filter((_, bit) => (state.failed[robot] >> bit) & 1).join(", ");
}

export function stateOf(robot, { mission, state }) { return mission.states[state.states[robot]] ?? ""; }

export function attachRobotList(watch) {
    const list = find("robot-list"), search = find("robot-search");
    const sorts = [...document.querySelectorAll("[data-sort]")];
    const spacer = make("div", "rows-height");
    list.append(spacer);
    const rows = [];
    let order = [], by = "number", back = false, height = 0, selected = null;

    function matches(robot, words) {
        const { mission, moment } = watch;
        return words.every(word => (/^\d+$/.test(word) ? String(robot) === word || mission.names[robot] === word : [
            mission.names[robot], mission.models[robot], stateOf(robot, watch), moment.roles?.[robot] ?? "",
            moment.activities?.[robot] ?? "", broken(robot) ? `failed ${broken(robot)}` : "",
        ].join(" ").toLowerCase().includes(word)));
    }

    const broken = robot => brokenOf(robot, watch);

    function sort() {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        const value = VALUES[by];
        order = watch.mission.names.map((_, robot) => robot).filter(robot => matches(robot, words));
        const keys = new Map(order.map(robot => [robot, value(robot, watch)]));
        const sign = back ? -1 : 1;
        order.sort((a, b) => {
            const [x, y] = [keys.get(a), keys.get(b)];
            return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
        });
    }

    function addRow() {
        const row = make("div", "row robot-row", "", { role: "option" });
        const cells = ["name", "state", "explored", "travelled", "battery"].map(name => make("span", `cell-${name}`));
        const dot = make("i", "dot"), number = make("b"), role = make("small");
        cells[0].append(dot, number, role);
        row.append(...cells);
        row.addEventListener("click", () => watch.select(row.robot === watch.selected ? null : row.robot));
        list.append(row);
        row.parts = { cells, dot, number, role };
        return row;
    }

    function show(row, robot, place) {
        const { state: now, moment } = watch;
        if (row.robot !== robot) {
            row.robot = robot;
            row.parts.dot.style.background = robotColour(robot);
            say(row.parts.number, String(robot));
            row.dataset.robot = robot;
        }
        if (row.place !== place) row.style.transform = `translateY(${ROW * (row.place = place)}px)`;
        const failed = broken(robot);
        say(row.parts.role, moment.roles?.[robot] ?? "");
        say(row.parts.cells[1], failed ? `failed: ${failed}` : stateOf(robot, watch));
        mark(row, "failed", Boolean(failed));
        say(row.parts.cells[2], percent(now.explored[robot]));
        say(row.parts.cells[3], `${now.travelled[robot].toFixed(0)} m`);
        say(row.parts.cells[4], percent(now.batteries[robot]));
        const on = robot === watch.selected;
        mark(row, "on", on);
        row.setAttribute("aria-selected", String(on));
    }

    function update() {
        if (!watch.state) return;
        sort();
        const tall = `${Math.max(1, order.length) * ROW}px`;
        if (spacer.style.height !== tall) spacer.style.height = tall;
        fill();
    }

    function fill() {
        if (!watch.state) return;
        const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 2);
        const shown = order.slice(first, first + Math.ceil(height / ROW) + 5);
        while (rows.length < shown.length) rows.push(addRow());
        rows.forEach((row, k) => {
            if (row.hidden !== k >= shown.length) row.hidden = k >= shown.length;
            if (k < shown.length) show(row, shown[k], first + k);
        });
    }

    /** Bring the selected robot into sight, if it was selected elsewhere. */
    function reveal() {
        if (selected === watch.selected) return;
        selected = watch.selected;
        const at = order.indexOf(selected);
        if (at >= 0 && (at * ROW < list.scrollTop || (at + 1) * ROW > list.scrollTop + height)) list.scrollTop = (at - 2) * ROW;
    }

    new ResizeObserver(([{ contentRect }]) => { height = contentRect.height; fill(); reveal(); }).observe(list);
    list.addEventListener("scroll", fill, { passive: true });
    list.addEventListener("keydown", event => {
        const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
        if (!step || !order.length) return;
        const at = order.indexOf(watch.selected);
        watch.select(order[Math.min(order.length - 1, Math.max(0, at < 0 ? 0 : at + step))]);
        event.preventDefault();
        event.stopPropagation();
    });
    search.addEventListener("input", () => { list.scrollTop = 0; update(); });
    search.addEventListener("keydown", event => { if (event.key === "Enter" && order.length) watch.select(order[0]); });
    for (const button of sorts) {
        button.addEventListener("click", () => {
            back = by === button.dataset.sort && !back;
            by = button.dataset.sort;
            for (const one of sorts) { mark(one, "on", one === button); mark(one, "back", one === button && back); }
            update();
        });
    }
    watch.also.add("words");
    return { tab: "robots", update: () => { update(); reveal(); } };
}
