// What the server finds about the drawing, asked for when the hand rests, and shown on the panel and the sheet.
import { askFrame, encode } from "./transfer.js";

const REST = 700;

export class Checks {
    constructor(editor) {
        this.editor = editor;
        this.clear();
    }

    clear() { Object.assign(this, { findings: [], unreached: null, wrong: null, asked: 0, answered: 0 }); }

    /** The drawing changed: ask again once nothing has changed for a while. */
    soon() {
        this.asked++;
        clearTimeout(this.timer);
        this.timer = setTimeout(() => this.now(), REST);
    }

    async now() {
        if (this.busy) return;
        const { editor, asked } = this;
        const { drawing } = editor;
        this.busy = true;
        try {
            const found = await askFrame("check", { robot: editor.settings.robot }, await encode(drawing));
            if (drawing !== editor.drawing) return;
            this.findings = found.findings;
            this.unreached = found.arrays.unreached ? tinted(found.arrays.unreached) : null;
            this.wrong = null;
        } catch (error) {
            Object.assign(this, { findings: [], unreached: null, wrong: error.message });
        } finally {
            this.busy = false;
            this.answered = asked;
            editor.checked();
            if (this.asked > asked) this.soon();
        }
    }

    close() { clearTimeout(this.timer); }
}

/** Cells as a picture to lay over the ground, of at most 2048 pixels to a side. */
function tinted(cells) {
    const [rows, columns] = cells.shape;
    const block = Math.max(1, Math.ceil(Math.max(rows, columns) / 2048));
    const [high, wide] = [Math.ceil(rows / block), Math.ceil(columns / block)];
    const image = new ImageData(wide, high);
    const pixels = new Uint32Array(image.data.buffer);
    for (let row = 0; row < rows; row++) {
        const line = (high - 1 - Math.floor(row / block)) * wide;
        for (let column = 0; column < columns; column++)
            if (cells[row * columns + column]) pixels[line + Math.floor(column / block)] = 0xff0a48d5;
    }
    const canvas = new OffscreenCanvas(wide, high);
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
}
