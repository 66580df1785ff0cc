// Two tools that leave the terrain as it is: one measures, one moves the sheet.
import { label } from "../sketch.js";
import { Tool, metres } from "./tool.js";

export class RulerTool extends Tool {
    static title = "Ruler";
    static key = "m";
    static hint = "Drag to measure a distance and an angle.";

    down(p) { this.from = [p.snapX, p.snapY]; this.to = this.from; this.held = true; }
    move(p) { if (this.held) this.to = [p.snapX, p.snapY]; }
    up(p) { this.move(p); this.held = false; }
    cancel() { const there = Boolean(this.from); this.from = null; this.held = false; return there; }

    get said() {
        if (!this.from) return "";
        const [dx, dy] = [this.to[0] - this.from[0], this.to[1] - this.from[1]];
        return `${metres(Math.hypot(dx, dy))}, ${Math.round(180 / Math.PI * Math.atan2(dy, dx))}°`;
    }

    draw(context, camera) {
        if (!this.from) return;
        const one = camera.screen(...this.from), other = camera.screen(...this.to);
        context.strokeStyle = "#0a84ff";
        context.lineWidth = 2;
        context.beginPath();
        context.moveTo(...one);
        context.lineTo(...other);
        for (const [x, y] of [one, other]) { context.moveTo(x + 4, y); context.arc(x, y, 4, 0, 7); }
        context.stroke();
        label(context, (one[0] + other[0]) / 2, (one[1] + other[1]) / 2 - 16, this.said, "#0a84ff", this.editor.dark);
    }
}

export class HandTool extends Tool {
    static title = "Move the sheet";
    static key = "h";
    static hint = "Drag to move the sheet. With any tool: two fingers, the middle button, or Space and drag.";
    static cursor = "grab";

    down(p) { this.last = p; }
    move(p) {
        if (!this.last) return;
        this.editor.view.pan(p.px - this.last.px, p.py - this.last.py);
        this.last = p;
    }
    up() { this.last = null; }
    cancel() { this.last = null; return false; }
}
