// Undo and redo. A stroke keeps a copy of each tile of cells before it first writes to it; undoing swaps the copies with
// what is there, which makes the same entry the way back.
import { LAYERS } from "./drawing.js";

const SIDE = 64;
const MOST_BYTES = 256 << 20;
const TOUCHES = {
    wall: ["wall_height_cm", "material"], rough: ["speed_percent"], material: ["material"],
    ground: ["wall_height_cm", "material", "speed_percent"],
};

/** One step: everything that is written between its beginning and `done`. */
export class Stroke {
    constructor(drawing) {
        this.drawing = drawing;
        this.tiles = new Map();
        this.objects = drawing.objects;
        this.across = Math.ceil(drawing.columns / SIDE);
    }

    /** Write an ink into the cells from one column to before another of a row. */
    span(row, from, to, ink) {
        const { drawing } = this;
        if (row < 0 || row >= drawing.rows) return;
        from = Math.max(0, from);
        to = Math.min(drawing.columns, to);
        if (from >= to) return;
        for (let tile = from >> 6; tile <= (to - 1) >> 6; tile++) this.keep(row >> 6, tile, TOUCHES[ink.kind]);
        const { wall_height_cm: height, material, speed_percent: speed } = drawing.layers;
        const start = drawing.at(row, from), end = drawing.at(row, to);
        if (ink.kind === "wall") {
            height.fill(ink.height, start, end);
            material.fill(ink.material, start, end);
        } else if (ink.kind === "rough") {
            for (let cell = start; cell < end; cell++) if (height[cell] === 0) speed[cell] = ink.speed;
        } else if (ink.kind === "material") {
            for (let cell = start; cell < end; cell++) if (height[cell] > 0) material[cell] = ink.material;
        } else {
            if (ink.walls) { height.fill(0, start, end); material.fill(0, start, end); }
            if (ink.rough) speed.fill(100, start, end);
        }
        drawing.touch(row, from, row + 1, to);
    }

    setObjects(objects) { this.drawing.objects = Object.freeze(objects); }

    keep(tileRow, tileColumn, layers) {
        const key = tileRow * this.across + tileColumn;
        let tile = this.tiles.get(key);
        if (!tile) this.tiles.set(key, tile = {});
        for (const layer of layers) tile[layer] ??= copyTile(this.drawing, key, this.across, layer);
    }

    /** What undoes the stroke, or null if it changed nothing. */
    done() {
        for (const [key, tile] of this.tiles) {
            for (const layer of Object.keys(tile)) {
                if (same(copyTile(this.drawing, key, this.across, layer), tile[layer])) delete tile[layer];
            }
            if (Object.keys(tile).length === 0) this.tiles.delete(key);
        }
        return this.tiles.size || this.objects !== this.drawing.objects ? this : null;
    }

    /** Put back what was there before; calling it again does it anew. */
    swap() {
        for (const [key, tile] of this.tiles)
            for (const layer of Object.keys(tile)) tile[layer] = swapTile(this.drawing, key, this.across, layer, tile[layer]);
        [this.objects, this.drawing.objects] = [this.drawing.objects, this.objects];
    }

    get bytes() {
        let sum = 1000;
        for (const tile of this.tiles.values()) for (const data of Object.values(tile)) sum += data.byteLength;
        return sum;
    }
}

export class History {
    constructor() { this.past = []; this.future = []; this.bytes = 0; }

    /** Take a stroke in; whether it changed anything. */
    add(stroke) {
        if (!stroke.done()) return false;
        this.future = [];
        this.past.push(stroke);
        this.bytes = this.past.reduce((sum, one) => sum + one.bytes, 0);
        while (this.bytes > MOST_BYTES && this.past.length > 1) this.bytes -= this.past.shift().bytes;
        return true;
    }

    undo() { return this.step(this.past, this.future); }
    redo() { return this.step(this.future, this.past); }

    step(from, to) {
        const stroke = from.pop();
        if (!stroke) return false;
        stroke.swap();
        to.push(stroke);
        return true;
    }
}

function same(one, other) {
    for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
    return true;
}

function box(drawing, key, across) {
    const bottom = Math.floor(key / across) * SIDE, left = (key % across) * SIDE;
    return { bottom, left, top: Math.min(drawing.rows, bottom + SIDE), right: Math.min(drawing.columns, left + SIDE) };
}

function copyTile(drawing, key, across, layer) {
    const { bottom, left, top, right } = box(drawing, key, across);
    const copy = new LAYERS[layer]((top - bottom) * (right - left));
    for (let row = bottom; row < top; row++)
        copy.set(drawing.layers[layer].subarray(drawing.at(row, left), drawing.at(row, right)), (row - bottom) * (right - left));
    return copy;
}

function swapTile(drawing, key, across, layer, before) {
    const { bottom, left, top, right } = box(drawing, key, across);
    const now = copyTile(drawing, key, across, layer);
    for (let row = bottom; row < top; row++)
        drawing.layers[layer].set(before.subarray((row - bottom) * (right - left), (row - bottom + 1) * (right - left)), drawing.at(row, left));
    drawing.touch(bottom, left, top, right);
    return now;
}
