// What it costs to pass near walls, as the navigator sees it (codes as in navigate/costs.py).
import { Bitmap, drawCells } from "../bitmaps.js";
import { COSTS, pixel, ramp } from "../colours.js";

const HIGHEST = 100, SQUEEZE = 251, UNKNOWN = 253, TIGHT = 254, OCCUPIED = 255;

function coloursOf() {
    const cheapToDear = ramp(COSTS, HIGHEST, 190), colours = new Uint32Array(256);
    for (let cost = 1; cost <= HIGHEST; cost++) colours[cost] = cheapToDear[cost - 1];
    colours[SQUEEZE] = pixel("#b05cc0", 200);
    colours[UNKNOWN] = 0;
    colours[TIGHT] = pixel("#6a1b7a", 200);
    colours[OCCUPIED] = 0;  // The map shows it.
    return colours;
}

export const costmap = {
    name: "costmap", title: "Costmap", group: "knowledge", sheet: "ground", on: false,
    help: "What planners pay to pass near walls of the chosen map; where the robot passes but cannot turn is light violet, where it is too tight dark",
    prepare(watch) {
        const { costs, mission } = watch;
        costs.follow();
        if (!costs.cost) return;
        const bitmap = watch.bitmap("costmap", () => new Bitmap(...mission.frame.shape)), key = costs.version;
        if (bitmap.key === key) return;
        const colours = coloursOf();
        bitmap.paint(cell => colours[costs.cost[cell]]);
        bitmap.key = key;
        watch.stale("ground");
    },
    isReady: watch => watch.costs.which === watch.which && watch.costs.time === watch.clock.time && watch.bitmap("costmap")?.key === watch.costs.version,
    legend: () => ({ title: "Cost", from: "cheap", to: "dear", stops: [...COSTS, "#b05cc0", "#6a1b7a"] }),
    draw({ context, watch, mission, scale }) {
        const bitmap = watch.bitmap("costmap");
        if (bitmap) drawCells(context, bitmap.canvas, mission.frame.origin, mission.frame.resolution, scale);
    },
};
