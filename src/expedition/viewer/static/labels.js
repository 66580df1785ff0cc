// Words on the map. Drawing letters is slow, so that each word is drawn once and then copied.
const MOST = 800;
const kept = new Map();

export function fontOf(size, weight) { return `${weight} ${size}px system-ui, "Segoe UI", "DejaVu Sans", sans-serif`; }

function drawn(text, colour, halo, size, weight, ratio) {
    const key = `${text}\u0000${colour}${halo}${size}/${weight}/${ratio}`;
    const found = kept.get(key);
    if (found) return found;
    if (kept.size >= MOST) kept.clear();
    const measuring = new OffscreenCanvas(1, 1).getContext("2d");
    measuring.font = fontOf(size, weight);
    const width = measuring.measureText(text).width, margin = 3;
    const canvas = new OffscreenCanvas(Math.ceil(ratio * (width + 2 * margin)), Math.ceil(ratio * (1.5 * size + 2 * margin)));
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    context.font = fontOf(size, weight);
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = halo;
    context.strokeText(text, margin, margin + size);
    context.fillStyle = colour;
    context.fillText(text, margin, margin + size);
    const label = { canvas, width, left: margin, up: margin + size };
    kept.set(key, label);
    return label;
}

const SHARES = { left: 0, center: 0.5, right: 1 };

/** Write at a pixel of a context whose transform is `ratio` times the page's pixels. */
export function writeAt(context, text, px, py, { colour, halo, size = 11, weight = 400, align = "left", ratio = 1 }) {
    if (context.isRecording) {
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.font = fontOf(size, weight);
        context.textAlign = align;
        context.fillStyle = colour;
        context.strokeStyle = halo;
        context.lineWidth = 3;
        context.haloText(text, px, py);
        return;
    }
    const label = drawn(text, colour, halo, size, weight, ratio);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(label.canvas, Math.round(ratio * (px - SHARES[align] * label.width - label.left)), Math.round(ratio * (py - label.up)));
}

/** Remembers where something is written, to leave out what would lie on it. */
export class Places {
    constructor() { this.taken = []; }

    /** Whether a word of a size at a pixel is free of all others; then it is taken. */
    take(px, py, text, size = 11) {
        const box = [px, py - size, px + 0.6 * size * text.length, py + 3];
        if (this.taken.some(one => one[0] < box[2] && box[0] < one[2] && one[1] < box[3] && box[1] < one[3])) return false;
        this.taken.push(box);
        return true;
    }
}
