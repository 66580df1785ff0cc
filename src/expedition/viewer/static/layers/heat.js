// When ground was seen and driven over, and by whom, as of the time shown.
import { Bitmap, drawCells } from "../bitmaps.js";
import { AGES, pixel, ramp, ROBOTS } from "../colours.js";

const SHORTEST = 20;  // Seconds that the scale of ages covers at least.
const STEPS = 64;

const keyOf = ({ history, clock, theme }) => `${history.version} ${clock.time} ${theme.free}`;

const isPainted = name => watch => watch.history.version > 0 && watch.bitmap(name)?.key === keyOf(watch);

/** Ask for what is missing, and paint a bitmap anew if what it shows has changed. */
function refresh(watch, name, paint) {
    const { history, mission, clock } = watch, [rows, columns] = mission.frame.shape;
    history.follow();
    if (!history.seen) return;
    const bitmap = watch.bitmap(name, () => new Bitmap(rows, columns));
    const key = keyOf(watch);
    if (bitmap.key === key) return;
    if (!bitmap.isRested) { watch.redraw(); return; }
    paint(bitmap, history, clock.time);
    bitmap.key = key;
    watch.stale("ground");
}

function paintAges(times) {
    const colours = ramp(AGES, STEPS, 190);
    return (bitmap, history, now) => {
        const when = history[times], share = (STEPS - 1) / Math.max(SHORTEST, now);
        bitmap.paint(cell => {
            const age = now - when[cell];  // NaN where nobody ever was.
            return age >= 0 ? colours[Math.max(0, STEPS - 1 - Math.round(age * share))] : 0;
        });
    };
}

function ages(name, times, title, help) {
    return {
        name, title, help, group: "knowledge", sheet: "ground", on: false,
        prepare: watch => refresh(watch, name, paintAges(times)),
        isReady: isPainted(name),
        legend: ({ clock }) => ({ title, from: `${Math.max(SHORTEST, clock.time).toFixed(0)} s ago`, to: "now", stops: AGES }),
        draw({ context, watch, mission, scale }) {
            const bitmap = watch.bitmap(name);
            if (bitmap) drawCells(context, bitmap.canvas, mission.frame.origin, mission.frame.resolution, scale);
        },
    };
}

export const exploration = ages("exploration", "seen", "Seen first", "When each cell was first seen: red just now, blue long ago");
export const coverage = ages("coverage", "covered", "Driven over", "When a robot was first above each cell: red just now, blue long ago");

export const explorers = {
    name: "explorers", title: "Who explored what", group: "knowledge", sheet: "ground", on: false,
    help: "Each cell in the colour of the robot that saw it first",
    prepare(watch) {
        refresh(watch, "explorers", (bitmap, { who, seen }, now) => {
            const colours = ROBOTS.map(colour => pixel(colour, 110));
            bitmap.paint(cell => (seen[cell] <= now && who[cell] >= 0 ? colours[who[cell] % colours.length] : 0));
        });
    },
    isReady: isPainted("explorers"),
    legend({ mission }) {
        const { names } = mission;
        return names.length > ROBOTS.length ? undefined : { title: "Seen first by", words: names.map((name, robot) => [ROBOTS[robot], name]) };
    },
    draw({ context, watch, mission, scale }) {
        const bitmap = watch.bitmap("explorers");
        if (bitmap) drawCells(context, bitmap.canvas, mission.frame.origin, mission.frame.resolution, scale);
    },
};
