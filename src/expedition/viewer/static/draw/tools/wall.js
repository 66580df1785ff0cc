// A wall from one point to another: by a drag, or point after point by clicks until Enter or a double click.
import { wall, wallCorners } from "../raster.js";
import { label } from "../sketch.js";
import { Tool, metres, preview } from "./tool.js";

const TURN = Math.PI / 12;

export class WallTool extends Tool {
    static title = "Wall";
    static key = "w";
    static hint = "Drag a wall, or click point after point and end with Enter or a double click. Shift keeps to steps of 15°, Alt ignores the grid.";
    static options = ["thickness", "height", "material"];

    down(p) {
        this.pressed = [p.px, p.py];
        if (!this.from) { this.from = [p.snapX, p.snapY]; this.fresh = true; }
        this.to = this.end(p);
    }

    move(p) { if (this.from) this.to = this.end(p); }

    up(p) {
        if (!this.from || !this.pressed) return;
        const dragged = Math.hypot(p.px - this.pressed[0], p.py - this.pressed[1]) > 5;
        const first = this.fresh;
        this.fresh = false;
        this.pressed = null;
        this.to = this.end(p);
        if (first && !dragged) return;
        this.build(this.from, this.to);
        this.from = first ? null : this.to;
    }

    build([x1, y1], [x2, y2]) {
        const { drawing, settings } = this;
        const ink = settings.wallInk;
        this.editor.stroke(stroke => wall(
            drawing.column(x1), drawing.row(y1), drawing.column(x2), drawing.row(y2), settings.thickness / drawing.resolution,
            (row, from, to) => stroke.span(row, from, to, ink),
        ));
    }

    /** Where the wall would end: on the grid or, with Shift, at an angle. */
    end(p) {
        if (!p.shift) return [p.snapX, p.snapY];
        const [x1, y1] = this.from;
        const angle = TURN * Math.round(Math.atan2(p.y - y1, p.x - x1) / TURN);
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        let length = Math.max(0, (p.x - x1) * c + (p.y - y1) * s);
        // On the axes and diagonals the end comes to lie on the grid.
        const side = Math.max(Math.abs(c), Math.abs(s)), step = p.step;
        if (step) length = Math.round(length * side / step) * step / side;
        return [x1 + length * c, y1 + length * s];
    }

    cancel() {
        const there = Boolean(this.from);
        this.from = this.pressed = null;
        return there;
    }

    finish() { this.cancel(); }

    draw(context, camera) {
        if (!this.from || !this.to) return;
        const { drawing } = this;
        const [x1, y1, x2, y2] = [...this.from, ...this.to];
        const corners = wallCorners(
            drawing.column(x1), drawing.row(y1), drawing.column(x2), drawing.row(y2), this.settings.thickness / drawing.resolution);
        preview(context, camera, corners.map(([column, row]) => [drawing.x(column), drawing.y(row)]));
        const [px, py] = camera.screen((x1 + x2) / 2, (y1 + y2) / 2);
        label(context, px, py - 18, metres(Math.hypot(x2 - x1, y2 - y1)), "#0a84ff", this.editor.dark);
    }
}
