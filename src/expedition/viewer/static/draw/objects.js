// What objects are to the hand: where they are, how they are moved, and whether a point hits them.
import { thing, tidy } from "./drawing.js";
import { rectangle } from "./raster.js";

const START_RADIUS = 0.3;

/** Left, bottom, right and top in metres; `least` is the smallest half side that a hand can hit. */
export function bounds(object, least = 0) {
    if (object.area) {
        const { left, bottom, right, top } = object.area;
        return [left, bottom, right, top];
    }
    const points = object.waypoints ?? [[object.x, object.y]];
    const reach = Math.max(least, object.kind === "start" ? START_RADIUS : object.radius ?? 0);
    const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
    return [Math.min(...xs) - reach, Math.min(...ys) - reach, Math.max(...xs) + reach, Math.max(...ys) + reach];
}

/** The object at a point, the uppermost first; `slack` is how near is near enough, in metres. */
export function hit(objects, x, y, slack) {
    const order = { start: 0, landmark: 1, person: 2, door: 3, collapse: 4 };
    return [...objects].filter(object => near(object, x, y, slack))
        .sort((one, other) => order[one.kind] - order[other.kind]).at(0) ?? null;
}

function near(object, x, y, slack) {
    if (object.area) {
        const [left, bottom, right, top] = bounds(object);
        return x > left - slack / 2 && x < right + slack / 2 && y > bottom - slack / 2 && y < top + slack / 2;
    }
    const reach = Math.max(slack, object.kind === "start" ? START_RADIUS : object.radius ?? 0);
    return (object.waypoints ?? [[object.x, object.y]]).some(([px, py]) => Math.hypot(px - x, py - y) < reach);
}

/** The same object elsewhere. A person's waypoint may be moved alone. */
export function moved(object, dx, dy, waypoint = null) {
    if (object.area) {
        const { left, bottom, right, top } = object.area;
        const area = { left: tidy(left + dx), bottom: tidy(bottom + dy), right: tidy(right + dx), top: tidy(top + dy) };
        return Object.freeze({ ...object, area });
    }
    if (object.waypoints) {
        const waypoints = object.waypoints.map(([x, y], index) =>
            waypoint === null || waypoint === index ? [tidy(x + dx), tidy(y + dy)] : [x, y]);
        return Object.freeze({ ...object, waypoints });
    }
    return Object.freeze({ ...object, x: tidy(object.x + dx), y: tidy(object.y + dy) });
}

/** A rectangle of metres on the edges of cells, within the terrain and at least one cell wide. */
export function onCells(drawing, x1, y1, x2, y2) {
    const fitted = (one, other, size) => {
        const low = Math.min(size - 1, Math.max(0, Math.round(Math.min(one, other))));
        return [low, Math.min(size, Math.max(low + 1, Math.round(Math.max(one, other))))];
    };
    const [left, right] = fitted(drawing.column(x1), drawing.column(x2), drawing.columns);
    const [bottom, top] = fitted(drawing.row(y1), drawing.row(y2), drawing.rows);
    return { left: drawing.x(left), bottom: drawing.y(bottom), right: drawing.x(right), top: drawing.y(top) };
}

/** Take the walls out of a door's way. */
export function cut(stroke, door) {
    cells(stroke.drawing, door.area, (row, from, to) => stroke.span(row, from, to, { kind: "ground", walls: true, rough: false }));
}

/** Close the wall where a door was, if the door stood in one: walls at both of its ends. */
export function mend(stroke, door) {
    const { drawing } = stroke;
    const { left, bottom, right, top } = door.area;
    const [from, to] = [drawing.column(left), drawing.column(right)].map(Math.round);
    const [low, high] = [drawing.row(bottom), drawing.row(top)].map(Math.round);
    const middle = (one, other) => Math.floor((one + other - 1) / 2);
    const ends = to - from >= high - low
        ? [[middle(low, high), from - 1], [middle(low, high), to]] : [[low - 1, middle(from, to)], [high, middle(from, to)]];
    if (!ends.every(([row, column]) => drawing.wall(row, column))) return;
    const cell = drawing.at(...ends[0]);
    const ink = { kind: "wall", height: drawing.layers.wall_height_cm[cell], material: drawing.layers.material[cell] };
    cells(drawing, door.area, (row, start, end) => stroke.span(row, start, end, ink));
}

/** Replace, add or remove objects in a stroke; doors open the wall where they come to stand and close it behind them. */
export function put(stroke, before, after) {
    const { objects } = stroke.drawing;
    if (before?.kind === "door") mend(stroke, before);
    if (after?.kind === "door") cut(stroke, after);
    const rest = objects.map(object => object === before ? after : object).filter(Boolean);
    stroke.setObjects(before || !after ? rest : [...rest, thing(after)]);
}

function cells(drawing, { left, bottom, right, top }, emit) {
    rectangle(drawing.column(left), drawing.row(bottom), drawing.column(right), drawing.row(top), emit);
}
