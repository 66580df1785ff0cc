// The ground: how it is on the side of truth, how it is believed to be on the other, and where the two differ.
import { Bitmap, drawCells } from "../bitmaps.js";
import { pixel } from "../colours.js";

/** Colours by belief and truth, 4 x belief + truth: what is wrong stands out, what nobody saw is pale. */
function overColours(theme) {
    const of = Array.from({ length: 16 }, () => pixel(theme.unknown));
    for (const truth of [0, 1, 2, 3]) {
        of[truth] = pixel([theme.unknown, theme.unseenFree, theme.unseenWall, theme.unseenWall][truth]);
        of[4 + truth] = pixel(truth >= 2 ? theme.missedWall : theme.free);
        of[8 + truth] = of[12 + truth] = pixel(truth >= 2 ? theme.occupied : theme.wrongWall);
    }
    return Uint32Array.from(of);
}

const overKey = watch => `${watch.which} ${watch.keeper(watch.which).version} ${watch.keeper("truth").version} ${watch.theme.free}`;

/** The two maps in one picture, painted anew when one of them has changed. */
function paintOver(watch) {
    const belief = watch.keeper(watch.which), truth = watch.keeper("truth"), [rows, columns] = watch.mission.frame.shape;
    const bitmap = watch.bitmap("over", () => new Bitmap(rows, columns));
    const key = overKey(watch);
    if (bitmap.key !== key && bitmap.isRested) {
        const colours = overColours(watch.theme), { cells } = belief;
        bitmap.paint(cell => colours[4 * cells[cell] + truth.cells[cell]]);
        bitmap.key = key;
    }
    return bitmap;
}

export const map = {
    name: "map", title: "Map", group: "world", sheet: "ground", on: true,
    help: "Walls, free and unknown ground: as they are, or as the chosen map has them",
    prepare(watch) {
        if (watch.sides !== "over") return;
        const before = watch.bitmap("over")?.key;
        if (paintOver(watch).key !== before) watch.stale("ground");
    },
    isReady: watch => watch.sides !== "over" || watch.bitmap("over")?.key === overKey(watch),
    legend({ theme }, over) {
        if (!over) return undefined;
        return { title: "Differences", words: [[theme.wrongWall, "believed wall, is free"], [theme.missedWall, "believed free, is wall"], [theme.unseenWall, "not seen"]] };
    },
    draw({ context, keeper, mission, watch, over, scale, theme, width, height }) {
        if (!keeper) return;
        // Beyond the map is unknown ground as well.
        const [left, right, bottom, top] = watch.camera.extent(width, height);
        context.fillStyle = theme.unknown;
        context.fillRect(left, bottom, right - left, top - bottom);
        const { canvas } = over ? paintOver(watch) : keeper;
        drawCells(context, canvas, mission.frame.origin, mission.frame.resolution, scale);
    },
};
