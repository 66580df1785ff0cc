// Freehand: a round brush that paints cells, and one that clears them.
import { brushed } from "../raster.js";
import { Stroke } from "../history.js";
import { Tool } from "./tool.js";

export class BrushTool extends Tool {
    static title = "Brush";
    static key = "b";
    static hint = "Paint freehand. [ and ] change the width.";
    static options = ["size", "ink"];

    get ink() { return this.settings.chosenInk; }

    down(p) {
        this.stroke = new Stroke(this.drawing);
        this.last = [p.x, p.y];
        this.paint(p);
    }

    move(p) {
        this.here = p;
        if (this.stroke) this.paint(p);
    }

    up(p) {
        if (!this.stroke) return;
        this.paint(p);
        this.editor.commit(this.stroke);
        this.stroke = null;
    }

    paint(p) {
        const { drawing, stroke, ink } = this;
        const [x1, y1] = this.last;
        brushed(
            drawing.column(x1), drawing.row(y1), drawing.column(p.x), drawing.row(p.y), this.settings.size / 2 / drawing.resolution,
            (row, from, to) => stroke.span(row, from, to, ink),
        );
        this.last = [p.x, p.y];
        this.here = p;
    }

    cancel() {
        if (!this.stroke) return false;
        this.stroke.swap();
        this.stroke = null;
        return true;
    }

    draw(context, camera) {
        if (!this.here || (this.here.touch && !this.stroke)) return;
        context.beginPath();
        context.arc(this.here.px, this.here.py, Math.max(2, this.settings.size / 2 * camera.scale), 0, 2 * Math.PI);
        context.strokeStyle = "#0a84ff";
        context.lineWidth = 1.5;
        context.stroke();
    }
}

export class EraserTool extends BrushTool {
    static title = "Eraser";
    static key = "e";
    static hint = "Clear cells freehand. [ and ] change the width.";
    static options = ["size", "erase"];

    get ink() { return this.settings.eraser; }
}
