// A tool: what it is called, and what it does when the pointer goes down, moves and comes up. Points `p` have the place
// under the pointer (`x`, `y`), the place snapped to the grid (`snapX`, `snapY`), pixels, and the keys that are held.
export class Tool {
    static title = "";
    static key = "";
    static hint = "";
    static options = [];
    static cursor = "crosshair";

    constructor(editor) { this.editor = editor; }

    down() {}
    move() {}
    up() {}
    /** Esc, a second finger, or another tool: leave no half-done thing behind. Whether there was one. */
    cancel() { return false; }
    /** Enter or a double click: end what is made of several clicks. */
    finish() {}
    draw() {}

    get settings() { return this.editor.settings; }
    get drawing() { return this.editor.drawing; }
}

/** A shape as it will be, while it is drawn. */
export function preview(context, camera, points, { closed = true, filled = true } = {}) {
    context.beginPath();
    points.forEach(([x, y]) => context.lineTo(...camera.screen(x, y)));
    if (closed) context.closePath();
    context.fillStyle = "rgba(10, 132, 255, 0.28)";
    if (filled) context.fill();
    context.strokeStyle = "#0a84ff";
    context.lineWidth = 1.5;
    context.stroke();
}

/** A length in metres as people say it. */
export function metres(value) { return `${Number(value.toFixed(2))} m`; }
