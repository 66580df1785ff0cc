// What is drawn by dragging from corner to corner: rooms, filled rectangles and collapses.
import { onCells } from "../objects.js";
import { rectangle, wall } from "../raster.js";
import { label } from "../sketch.js";
import { Tool, metres, preview } from "./tool.js";

class BoxTool extends Tool {
    down(p) { this.from = [p.snapX, p.snapY]; this.to = this.from; }
    move(p) { if (this.from) this.to = this.corner(p); }

    up(p) {
        if (!this.from) return;
        this.to = this.corner(p);
        const [x1, y1, x2, y2] = [...this.from, ...this.to];
        this.from = null;
        if (Math.abs(x2 - x1) > 1e-9 && Math.abs(y2 - y1) > 1e-9)
            this.build(Math.min(x1, x2), Math.min(y1, y2), Math.max(x1, x2), Math.max(y1, y2));
    }

    /** With Shift a square. */
    corner(p) {
        if (!p.shift) return [p.snapX, p.snapY];
        const [x, y] = this.from;
        const side = Math.max(Math.abs(p.snapX - x), Math.abs(p.snapY - y));
        return [x + side * Math.sign(p.snapX - x), y + side * Math.sign(p.snapY - y)];
    }

    cancel() { const there = Boolean(this.from); this.from = null; return there; }

    draw(context, camera) {
        if (!this.from) return;
        const [x1, y1, x2, y2] = [...this.from, ...this.to];
        preview(context, camera, [[x1, y1], [x2, y1], [x2, y2], [x1, y2]]);
        const [px, py] = camera.screen((x1 + x2) / 2, (y1 + y2) / 2);
        label(context, px, py, `${metres(Math.abs(x2 - x1))} x ${metres(Math.abs(y2 - y1))}`, "#0a84ff", this.editor.dark);
    }
}

export class RoomTool extends BoxTool {
    static title = "Room";
    static key = "r";
    static hint = "Drag from corner to corner: four walls whose middles lie on the lines. Shift makes a square.";
    static options = ["thickness", "height", "material"];

    build(left, bottom, right, top) {
        const { drawing, settings } = this;
        const [x1, y1, x2, y2] = [drawing.column(left), drawing.row(bottom), drawing.column(right), drawing.row(top)];
        const ink = settings.wallInk;
        this.editor.stroke(stroke => {
            for (const line of [[x1, y1, x2, y1], [x1, y2, x2, y2], [x1, y1, x1, y2], [x2, y1, x2, y2]])
                wall(...line, settings.thickness / drawing.resolution, (row, from, to) => stroke.span(row, from, to, ink));
        });
    }
}

export class RectangleTool extends BoxTool {
    static title = "Rectangle";
    static key = "t";
    static hint = "Drag from corner to corner and fill what lies between. Shift makes a square.";
    static options = ["ink"];

    build(left, bottom, right, top) {
        const { drawing } = this;
        const ink = this.settings.chosenInk;
        this.editor.stroke(stroke => rectangle(
            drawing.column(left), drawing.row(bottom), drawing.column(right), drawing.row(top),
            (row, from, to) => stroke.span(row, from, to, ink),
        ));
    }
}

export class CollapseTool extends BoxTool {
    static title = "Collapse";
    static key = "c";
    static hint = "Drag over what turns into rubble at a time. More can be set once it is selected.";
    static options = ["collapseTime"];

    build(left, bottom, right, top) {
        const area = onCells(this.drawing, left, bottom, right, top);
        this.editor.add({ kind: "collapse", area, time: this.settings.collapseTime, fill: 1, material: "rubble", height: 1 });
    }
}
