// From metres to pixels and back. `x`, `y` are the metres in the middle of the canvas, `scale` is pixels a metre.
export class Camera {
    constructor() { Object.assign(this, { x: 0, y: 0, scale: 20, width: 1, height: 1 }); }

    screen(x, y) { return [this.width / 2 + (x - this.x) * this.scale, this.height / 2 - (y - this.y) * this.scale]; }
    world(px, py) { return [this.x + (px - this.width / 2) / this.scale, this.y - (py - this.height / 2) / this.scale]; }

    /** Show a rectangle of metres, with a margin. */
    fit(left, bottom, right, top, margin = 28) {
        const across = Math.max(40, this.width - 2 * margin), along = Math.max(40, this.height - 2 * margin);
        this.scale = Math.min(across / (right - left), along / (top - bottom));
        [this.x, this.y] = [(left + right) / 2, (bottom + top) / 2];
    }

    /** Zoom so that what is under a pixel stays there. */
    zoom(factor, px, py, least, most) {
        const [x, y] = this.world(px, py);
        this.scale = Math.min(most, Math.max(least, this.scale * factor));
        const [nowX, nowY] = this.world(px, py);
        this.x += x - nowX;
        this.y += y - nowY;
    }

    pan(dx, dy) { this.x -= dx / this.scale; this.y += dy / this.scale; }
}
