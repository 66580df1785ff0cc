// Maps as they change: cells that follow the clock by what changed, painted on a canvas of a pixel a cell.
const FURTHEST = 40;  // Seconds of changes that are asked for before the whole map is.

export class MapKeeper {
    constructor(wire, mission, which, colours, onChange) {
        this.wire = wire;
        this.which = which;
        [this.rows, this.columns] = mission.frame.shape;
        this.cells = new Uint8Array(this.rows * this.columns);
        this.canvas = new OffscreenCanvas(this.columns, this.rows);
        this.context = this.canvas.getContext("2d");
        this.onChange = onChange;
        this.time = NaN;
        this.wanted = NaN;  // The time that was asked for, which may be after the end.
        this.version = 0;
        this.busy = false;
        this.setColours(colours);
    }

    /** Four colours of 0xAABBGGRR, by state: unknown, free, occupied. */
    setColours(colours) {
        this.colours = colours;
        this.paint(0, 0, this.rows, this.columns);
    }

    /** Come closer to a time; whether it is there. */
    async follow(time) {
        if (this.busy || time === this.wanted) return;
        this.busy = true;
        try {
            if (time > this.time && time - this.time <= FURTHEST) {
                this.change(await this.wire.ask("patches", { which: this.which, after: this.time, until: time }));
            } else {
                const { arrays, time: at } = await this.wire.ask("map", { which: this.which, time });
                this.cells.set(arrays.cells);
                this.time = at;
                this.version++;
                this.paint(0, 0, this.rows, this.columns);
                this.onChange();
            }
            this.wanted = time;
        } catch { /* Asked again soon. */ } finally { this.busy = false; }
    }

    change({ arrays, until }) {
        const { places, cells } = arrays;
        let at = 0;
        for (let k = 0; k < places.length; k += 4) {
            const [row, column, rows, columns] = places.subarray(k, k + 4);
            for (let r = 0; r < rows; r++) {
                this.cells.set(cells.subarray(at, at + columns), (row + r) * this.columns + column);
                at += columns;
            }
            this.paint(row, column, rows, columns);
        }
        this.time = until;
        if (places.length) { this.version++; this.onChange(); }
    }

    /** Paint a rectangle of cells; the canvas has the highest y at its top. */
    paint(row, column, rows, columns) {
        if (!rows || !columns) return;
        const image = new ImageData(columns, rows);
        const pixels = new Uint32Array(image.data.buffer);
        for (let r = 0; r < rows; r++) {
            const from = (row + r) * this.columns + column, to = (rows - 1 - r) * columns;
            for (let c = 0; c < columns; c++) pixels[to + c] = this.colours[this.cells[from + c]];
        }
        this.context.putImageData(image, column, this.rows - row - rows);
    }

    at(row, column) {
        const inside = row >= 0 && row < this.rows && column >= 0 && column < this.columns;
        return inside ? this.cells[row * this.columns + column] : undefined;
    }
}
