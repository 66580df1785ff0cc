// Pictures of a pixel a cell, for all that covers the ground.
export class Bitmap {
    constructor(rows, columns) {
        [this.rows, this.columns] = [rows, columns];
        this.canvas = new OffscreenCanvas(columns, rows);
        this.context = this.canvas.getContext("2d");
        this.image = new ImageData(columns, rows);
        this.pixels = new Uint32Array(this.image.data.buffer);
        this.cost = 0;
    }

    /** Paint all cells: `colourOf(cell)` gives 0xAABBGGRR; cells go by rows from the lowest y, the canvas has it below. */
    paint(colourOf) {
        const began = performance.now(), { rows, columns, pixels } = this;
        for (let row = 0, cell = 0; row < rows; row++) {
            for (let to = (rows - 1 - row) * columns, end = to + columns; to < end; to++) pixels[to] = colourOf(cell++);
        }
        this.context.putImageData(this.image, 0, 0);
        this.painted = performance.now();
        this.cost = this.painted - began;
    }

    /** Whether painting again would leave nine tenths of the time to others, and eyes time to look. */
    get isRested() { return this.painted === undefined || performance.now() - this.painted >= Math.max(200, 9 * this.cost); }
}

/** Draw a picture of cells where they lie; the context is in metres. */
export function drawCells(context, canvas, [left, bottom], resolution, scale) {
    // Cells smaller than a pixel are averaged, so that thin walls stay.
    context.imageSmoothingEnabled = resolution * scale < 1;
    context.save();
    context.translate(left, bottom + canvas.height * resolution);
    context.scale(resolution, -resolution);
    context.drawImage(canvas, 0, 0);
    context.restore();
}
