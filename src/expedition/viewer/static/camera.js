// Which part of the world is seen: a centre in metres and a scale in pixels a metre. Panes may share one.
export class Camera extends EventTarget {
    constructor() {
        super();
        [this.x, this.y, this.scale] = [0, 0, 10];
        this.version = 0;
    }

    fit([left, right, bottom, top], width, height, margin = 16) {
        this.x = (left + right) / 2;
        this.y = (bottom + top) / 2;
        this.scale = Math.max(0.1, Math.min((width - 2 * margin) / (right - left), (height - 2 * margin) / (top - bottom)));
        this.changed();
    }

    moveTo(x, y) {
        if (x === this.x && y === this.y) return;
        [this.x, this.y] = [x, y];
        this.changed();
    }

    pan(dx, dy) { this.moveTo(this.x - dx / this.scale, this.y + dy / this.scale); }

    /** Zoom by a factor around a point of a pane of that size. */
    zoom(factor, px, py, width, height) {
        const [x, y] = this.toWorld(px, py, width, height);
        this.scale = Math.min(2000, Math.max(0.2, this.scale * factor));
        this.x = x - (px - width / 2) / this.scale;
        this.y = y + (py - height / 2) / this.scale;
        this.changed();
    }

    toWorld(px, py, width, height) { return [this.x + (px - width / 2) / this.scale, this.y - (py - height / 2) / this.scale]; }

    toPixel(x, y, width, height) { return [width / 2 + (x - this.x) * this.scale, height / 2 - (y - this.y) * this.scale]; }

    /** Left, right, bottom and top of what a pane of that size shows, in metres. */
    extent(width, height) {
        const across = width / 2 / this.scale, up = height / 2 / this.scale;
        return [this.x - across, this.x + across, this.y - up, this.y + up];
    }

    changed() { this.version++; this.dispatchEvent(new Event("change")); }
}
