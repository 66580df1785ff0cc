// Choose, move and remove objects. A start has a handle in front of it that turns it.
import { bounds, hit, moved, onCells, put } from "../objects.js";
import { Tool } from "./tool.js";

const HANDLE = 34;

export class SelectTool extends Tool {
    static title = "Select";
    static key = "v";
    static hint = "Click a door, landmark, start, person or collapse to change it. Drag moves it, Delete removes it.";
    static cursor = "default";

    down(p) {
        const chosen = this.editor.selectedObject;
        if (chosen?.kind === "start" && this.onHandle(chosen, p)) { this.held = { object: chosen, turning: true }; return; }
        const object = hit(this.drawing.objects, p.x, p.y, p.slack);
        this.editor.select(object);
        if (!object) { this.held = { panning: p }; return; }
        const waypoint = object.waypoints?.findIndex(([x, y]) => Math.hypot(x - p.x, y - p.y) < p.slack) ?? -1;
        this.held = { object, from: p, waypoint: waypoint > 0 ? waypoint : null };
    }

    move(p) {
        const { object, from, turning, waypoint, panning } = this.held ?? {};
        if (panning) { this.editor.view.pan(p.px - panning.px, p.py - panning.py); this.held.panning = p; return; }
        if (turning) {
            const angle = Math.atan2(p.y - object.y, p.x - object.x);
            const heading = p.shift ? Math.PI / 12 * Math.round(angle / (Math.PI / 12)) : angle;
            this.editor.ghost = Object.freeze({ ...object, heading: Math.round(heading * 1e4) / 1e4 });
        } else if (object && Math.hypot(p.px - from.px, p.py - from.py) > 4) {
            this.editor.ghost = this.shifted(object, p, from, waypoint);
        }
    }

    /** A point comes to lie on the grid; an area moves by whole cells. */
    shifted(object, p, from, waypoint) {
        const { drawing } = this;
        if (object.area) {
            const step = Math.max(p.step, drawing.resolution);
            const [dx, dy] = [p.x - from.x, p.y - from.y].map(way => Math.round(way / step) * step);
            const [left, bottom, right, top] = bounds(moved(object, dx, dy));
            return Object.freeze({ ...object, area: onCells(drawing, left, bottom, right, top) });
        }
        const [x, y] = object.waypoints?.[waypoint ?? 0] ?? [object.x, object.y];
        const [dx, dy] = [p.x - from.x, p.y - from.y];
        const on = value => p.step ? Math.round(value / p.step) * p.step : value;
        return moved(object, on(x + dx) - x, on(y + dy) - y, waypoint);
    }

    up(p) {
        this.move(p);
        const { object } = this.held ?? {};
        const { ghost } = this.editor;
        this.held = this.editor.ghost = null;
        if (object && ghost) this.editor.stroke(stroke => put(stroke, object, ghost));
    }

    cancel() {
        const there = Boolean(this.held?.object);
        this.held = this.editor.ghost = null;
        return there;
    }

    handle(start) {
        const { camera } = this.editor.view;
        const [x, y] = camera.screen(start.x, start.y);
        const reach = Math.max(HANDLE, 0.3 * camera.scale + 18);
        return [x + reach * Math.cos(start.heading), y - reach * Math.sin(start.heading)];
    }

    onHandle(start, p) {
        const [x, y] = this.handle(start);
        return Math.hypot(x - p.px, y - p.py) < (p.touch ? 22 : 11);
    }

    draw(context, camera) {
        const chosen = this.editor.ghost ?? this.editor.selectedObject;
        if (chosen?.kind !== "start") return;
        const [x, y] = this.handle(chosen);
        context.strokeStyle = "#0a84ff";
        context.lineWidth = 1.5;
        context.beginPath();
        context.moveTo(...camera.screen(chosen.x, chosen.y));
        context.lineTo(x, y);
        context.stroke();
        context.fillStyle = "#fff";
        context.beginPath();
        context.arc(x, y, 6, 0, 2 * Math.PI);
        context.fill();
        context.stroke();
    }
}
