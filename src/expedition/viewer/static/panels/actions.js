// All that buttons and keys do, by name, with their keys and what the help says of them.
import { SPEEDS } from "../clock.js";
import { keyed } from "./viewpanel.js";
import { usualLayers } from "./place.js";

const SIDES = ["belief", "truth", "both", "over"];

/** `page` has what the page is made of: events, timeline, share, theme, tabs, help. */
export function actionsOf(watch, page) {
    const { clock } = watch;
    const period = () => watch.mission?.control_period || 0.1;
    const robots = () => watch.mission?.names.length ?? 0;
    const pick = step => {
        if (!robots()) return;
        watch.select(watch.selected === null ? (step > 0 ? 0 : robots() - 1) : (watch.selected + step + robots()) % robots());
    };
    const pace = step => {
        const at = SPEEDS.findIndex(speed => speed >= clock.speed);
        clock.setSpeed(SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, (at < 0 ? SPEEDS.length - 1 : at) + step))]);
    };
    const jump = forwards => {
        const event = page.events.beside(clock.time, forwards);
        if (!event) return;
        clock.seek(event.time_s, false);
        page.timeline.point(event);
    };
    const layer = number => {
        const found = keyed()[number - 1];
        if (found) watch.layers.set(found.name, !watch.layers.has(found.name));
    };
    const follow = () => {
        if (watch.followed !== null || !robots()) { watch.followRobot(null); return; }
        if (watch.selected === null) watch.select(0);
        watch.followRobot(watch.selected);
    };
    const escape = () => {
        if (page.help.isOpen) page.help.toggle(false);
        else if (page.share.isOpen) page.share.toggle(false);
        else if (watch.ruler) watch.ruler = false;
        else if (watch.followed !== null) watch.followRobot(null);
        else if (watch.selected !== null) watch.select(null);
    };
    return {
        play: { keys: [" "], help: "Play or pause", run: () => clock.toggle() },
        back: { keys: ["ArrowLeft"], help: "A control period back", run: () => clock.step(-period()) },
        on: { keys: ["ArrowRight"], help: "A control period on", run: () => clock.step(period()) },
        "back-second": { keys: ["Shift+ArrowLeft"], help: "A second back", run: () => clock.step(-1) },
        "on-second": { keys: ["Shift+ArrowRight"], help: "A second on", run: () => clock.step(1) },
        start: { keys: ["Home"], help: "To the start", run: () => clock.seek(0, false) },
        end: { keys: ["End"], help: "To the end", run: () => clock.seek(clock.end, false) },
        faster: { keys: ["+", "="], help: "Faster", run: () => pace(1) },
        slower: { keys: ["-"], help: "Slower", run: () => pace(-1) },
        live: { keys: ["l"], help: "Follow the newest moment of a mission that runs", run: () => { if (clock.growing) clock.follow(); } },
        "event-back": { keys: ["["], help: "Event before", run: () => jump(false) },
        "event-on": { keys: ["]"], help: "Event after", run: () => jump(true) },
        "robot-on": { keys: ["n"], help: "Next robot", run: () => pick(1) },
        "robot-back": { keys: ["p"], help: "Robot before", run: () => pick(-1) },
        follow: { keys: ["f"], help: "Let the map follow the robot", run: follow },
        "its-map": { keys: ["k"], help: "The map of the robot, or of all", run: () => watch.showMap(watch.which === watch.selected || watch.selected === null ? "union" : watch.selected) },
        deselect: { keys: [], run: () => { watch.followRobot(null); watch.select(null); } },
        fit: { keys: ["0"], help: "The whole terrain", run: () => watch.fit() },
        layout: { keys: ["m"], help: "Next layout: belief, truth, both, over", run: () => watch.show(SIDES[(SIDES.indexOf(watch.sides) + 1) % SIDES.length]) },
        ruler: { keys: ["r"], help: "Ruler", run: () => { watch.ruler = !watch.ruler; } },
        theme: { keys: ["d"], help: "Light or dark", run: () => page.theme.toggle() },
        panel: { keys: ["b"], help: "Show or hide the panel", run: () => page.tabs.toggle() },
        find: { keys: ["/"], help: "Find a robot", run: () => page.findRobot() },
        share: { keys: ["s"], help: "Share: link and pictures", run: () => page.share.toggle() },
        help: { keys: ["?"], help: "This help", run: () => page.help.toggle() },
        escape: { keys: ["Escape"], help: "Close, stop following, select none", run: escape },
        ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7, 8, 9].map(number => [`layer-${number}`, {
            keys: [String(number)], help: number === 1 ? "Layers, as numbered in the panel" : "", shown: "1 – 9", run: () => layer(number),
        }])),
        usual: { keys: [], run: () => usualLayers(watch) },
        "copy-link": { keys: [], run: () => page.share.copy() },
        "save-png": { keys: [], run: () => page.share.png() },
        "save-svg": { keys: [], run: () => page.share.svg() },
    };
}
