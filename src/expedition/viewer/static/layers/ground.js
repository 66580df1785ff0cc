// What the terrain is like beside its walls: materials, rough ground, doors, what counts as ground to explore, a grid.
import { Bitmap, drawCells } from "../bitmaps.js";
import { mixed, pixel } from "../colours.js";

/** A layer of a bitmap that never changes, of the terrain's cells or the maps'. */
function still(layer, isTerrain, colourOf) {
    return {
        ...layer, sheet: "ground", on: false,
        draw({ context, watch, mission, scale, theme }) {
            const { terrain, frame, arrays } = mission;
            const shape = isTerrain ? arrays.wall_height_cm.shape : frame.shape, place = isTerrain ? terrain : frame;
            const bitmap = watch.bitmap(layer.name, () => new Bitmap(...shape));
            if (bitmap.key !== theme) { bitmap.paint(colourOf(mission, theme)); bitmap.key = theme; }
            drawCells(context, bitmap.canvas, place.origin, place.resolution, scale);
        },
    };
}

/** Materials are dark, which is no good on dark ground. */
const shownMaterial = (colour, theme) => (theme.isDark ? mixed(colour, "#ffffff", 0.45) : colour);

export const materials = {
    ...still(
        { name: "materials", title: "Materials", group: "world", help: "What walls are made of: it decides how far radio reaches" }, true,
        ({ arrays, materials: all }, theme) => {
            const colours = all.map(([, colour]) => pixel(shownMaterial(colour, theme)));
            return cell => (arrays.wall_height_cm[cell] > 0 ? colours[arrays.material[cell]] ?? 0 : 0);
        }),
    legend({ mission, theme }) {
        const there = mission.materialsThere ??= [...new Set(mission.arrays.material.filter((_, cell) => mission.arrays.wall_height_cm[cell] > 0))];
        return { title: "Walls", words: there.sort((a, b) => a - b).map(number => [shownMaterial(mission.materials[number][1], theme), mission.materials[number][0]]) };
    },
};

export const rough = still(
    { name: "rough", title: "Rough ground", group: "world", help: "Where robots are slower: the browner, the slower" }, true,
    ({ arrays }) => {
        const colours = Array.from({ length: 101 }, (_, percent) => (percent < 100 ? pixel("#8a5a24", Math.round(60 + 150 * (1 - percent / 100))) : 0));
        return cell => (arrays.wall_height_cm[cell] > 0 ? 0 : colours[Math.min(100, arrays.speed_percent[cell])]);
    });

export const explorable = still(
    { name: "explorable", title: "Explorable ground", group: "knowledge", help: "The cells that count as ground to explore" }, false,
    ({ arrays }) => {
        const colour = pixel("#56b4e9", 90);
        return cell => (arrays.explorable[cell] ? colour : 0);
    });

export const doors = {
    name: "doors", title: "Doors", group: "world", sheet: "slow", on: true, parts: ["doors"],
    help: "Where doors are: filled if closed, as an outline if open",
    draw({ context, mission, moment, scale, theme }) {
        mission.terrain.doors.forEach(([left, right, bottom, top, colour], door) => {
            const grow = Math.max(0, 4 / scale - Math.min(right - left, top - bottom)) / 2;
            const box = [left - grow, bottom - grow, right - left + 2 * grow, top - bottom + 2 * grow];
            context.lineWidth = 1.5 / scale;
            context.strokeStyle = theme.ink;
            if (moment.doors?.[door]) {
                context.fillStyle = colour;
                context.fillRect(...box);
                context.strokeRect(...box);
            } else {
                context.setLineDash([4 / scale, 3 / scale]);
                context.strokeStyle = colour;
                context.strokeRect(...box);
                context.setLineDash([]);
            }
        });
    },
};

const SPACINGS = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

export const gridLines = {
    name: "grid", title: "Grid lines", group: "world", sheet: "ground", on: false,
    help: "Lines every metre, or as far apart as suits the zoom, with their coordinates",
    draw({ context, watch, width, height, scale, theme, write }) {
        const [left, right, bottom, top] = watch.camera.extent(width, height);
        const spacing = SPACINGS.find(one => one * scale >= 55) ?? 1000;
        const along = (from, to) => Array.from({ length: Math.floor(to / spacing) - Math.ceil(from / spacing) + 1 }, (_, k) => (Math.ceil(from / spacing) + k) * spacing);
        const [xs, ys] = [along(left, right), along(bottom, top)];
        context.beginPath();
        for (const x of xs) { context.moveTo(x, bottom); context.lineTo(x, top); }
        for (const y of ys) { context.moveTo(left, y); context.lineTo(right, y); }
        context.strokeStyle = theme.soft;
        context.globalAlpha = 0.3;
        context.lineWidth = 1 / scale;
        context.stroke();
        context.globalAlpha = 1;
        const say = value => String(Number(value.toFixed(1)));
        for (const x of xs) write(say(x), x, bottom, { dx: 3, dy: -34, size: 10, colour: theme.soft });
        for (const y of ys) write(say(y), right, y, { dx: -4, dy: -3, size: 10, colour: theme.soft, align: "right" });
    },
};
