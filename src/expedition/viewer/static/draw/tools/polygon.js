// A polygon, corner by corner: filled, or as a wall along its sides.
import { polygon, wall } from "../raster.js";
import { Tool, preview } from "./tool.js";

export class PolygonTool extends Tool {
    static title = "Polygon";
    static key = "o";
    static hint = "Click corner after corner; Enter, a double click or the first corner closes it. Not filled, it is a wall along its sides.";
    static options = ["filled", "ink", "thickness"];

    points = [];

    down(p) {
        const [first] = this.points;
        const [px, py] = first ? this.editor.view.camera.screen(...first) : [-1e9, -1e9];
        if (this.points.length > 2 && Math.hypot(px - p.px, py - p.py) < 10) { this.finish(); return; }
        const last = this.points.at(-1);
        if (!last || Math.hypot(last[0] - p.snapX, last[1] - p.snapY) > 1e-9) this.points.push([p.snapX, p.snapY]);
        this.here = [p.snapX, p.snapY];
    }

    move(p) { this.here = [p.snapX, p.snapY]; }

    finish() {
        const { drawing, settings } = this;
        const corners = this.points.map(([x, y]) => [drawing.column(x), drawing.row(y)]);
        this.points = [];
        if (corners.length < 3) return;
        const ink = settings.chosenInk;
        this.editor.stroke(stroke => {
            const emit = (row, from, to) => stroke.span(row, from, to, ink);
            if (settings.filled) polygon(corners, emit);
            else corners.forEach((corner, index) =>
                wall(...corner, ...corners[(index + 1) % corners.length], settings.thickness / drawing.resolution, emit));
        });
    }

    cancel() { const there = this.points.length > 0; this.points = []; return there; }

    draw(context, camera) {
        if (!this.points.length) return;
        preview(context, camera, [...this.points, this.here], { filled: this.settings.filled });
        context.fillStyle = "#0a84ff";
        for (const [x, y] of this.points) { context.beginPath(); context.arc(...camera.screen(x, y), 4, 0, 7); context.fill(); }
    }
}
