// The terrain that is drawn: three layers of cells and a list of objects. Row 0 is the lowest y, as in Python.
export const LAYERS = { wall_height_cm: Uint16Array, material: Uint8Array, speed_percent: Uint8Array };
export const MOST_CELLS = 16_000_000;

let lastId = 0;

/** An object with a number of its own: a door, person or collapse (as in `changes`), a landmark or a start. */
export function thing(fields) { return Object.freeze({ ...fields, id: ++lastId }); }

export class Drawing {
    constructor({ name, rows, columns, resolution, origin, layers, objects = [] }) {
        Object.assign(this, { name, rows, columns, resolution, origin, objects: Object.freeze(objects) });
        this.layers = layers;
        this.dirty = null;
        this.touch(0, 0, rows, columns);
    }

    /** Free ground of a size in metres; a message instead if that cannot be. */
    static blank(width, height, resolution, name = "") {
        const columns = Math.round(width / resolution), rows = Math.round(height / resolution);
        if (!(resolution >= 1e-4 && resolution <= 1e4)) return "A cell is 0.0001 to 10000 m wide.";
        if (!(rows >= 1 && columns >= 1)) return "A terrain has at least one cell: give a larger size.";
        if (rows * columns > MOST_CELLS)
            return `${columns} x ${rows} cells are too many to draw here; at most 16 million. Take larger cells.`;
        const layers = {};
        for (const [layer, type] of Object.entries(LAYERS)) layers[layer] = new type(rows * columns);
        layers.speed_percent.fill(100);
        return new Drawing({ name, rows, columns, resolution, origin: [0, 0], layers });
    }

    /** What a frame of the server says (see viewer/draw/message.py). */
    static fromFrame(frame) {
        const layers = {};
        for (const [layer, type] of Object.entries(LAYERS)) {
            layers[layer] = frame.arrays[layer]
                ? type.from(frame.arrays[layer]) : new type(frame.rows * frame.columns).fill(frame[layer]);
        }
        const objects = [
            ...frame.changes.map(thing),
            ...frame.landmarks.map(mark => thing({ kind: "landmark", ...mark })),
            ...frame.starts.map(([x, y, heading = 0]) => thing({ kind: "start", x, y, heading })),
        ];
        const { name, rows, columns, resolution, origin } = frame;
        return new Drawing({ name, rows, columns, resolution, origin, layers, objects });
    }

    get width() { return this.columns * this.resolution; }
    get height() { return this.rows * this.resolution; }

    /** Metres to cells, whole numbers being the edges of cells. */
    column(x) { return tidy((x - this.origin[0]) / this.resolution); }
    row(y) { return tidy((y - this.origin[1]) / this.resolution); }
    /** Cells to metres. */
    x(column) { return tidy(this.origin[0] + column * this.resolution); }
    y(row) { return tidy(this.origin[1] + row * this.resolution); }

    inside(row, column) { return row >= 0 && row < this.rows && column >= 0 && column < this.columns; }
    at(row, column) { return row * this.columns + column; }
    wall(row, column) { return this.inside(row, column) && this.layers.wall_height_cm[this.at(row, column)] > 0; }

    /** Cells are to be painted anew. */
    touch(bottom, left, top, right) {
        const now = this.dirty;
        this.dirty = now
            ? { bottom: Math.min(now.bottom, bottom), left: Math.min(now.left, left), top: Math.max(now.top, top), right: Math.max(now.right, right) }
            : { bottom, left, top, right };
    }

    /** The cells to be painted anew, once. */
    takeDirty() { const dirty = this.dirty; this.dirty = null; return dirty; }
    ofKind(...kinds) { return this.objects.filter(object => kinds.includes(object.kind)); }
}

/** Without the last digits, in which sums of 0.1 differ. */
export function tidy(value) { return Math.round(value * 1e6) / 1e6; }
