// What stands at a point: landmarks, starts, and people with their waypoints.
import { hit } from "../objects.js";
import { Tool } from "./tool.js";
import { SelectTool } from "./select.js";

export class LandmarkTool extends Tool {
    static title = "Landmark";
    static key = "l";
    static hint = "Click where a camera finds something to recognise. Its descriptor can be set once it is selected.";

    down(p) { this.editor.add({ kind: "landmark", x: p.snapX, y: p.snapY, descriptor: [] }); }
}

/** On a start that is there it selects and moves, as Select does. */
export class StartTool extends Tool {
    static title = "Start";
    static key = "s";
    static hint = "Click to place the next robot; drag to turn it. Drag one that is there to move it.";

    down(p) {
        const there = hit(this.drawing.ofKind("start"), p.x, p.y, p.slack);
        if (there) {
            this.moving = new SelectTool(this.editor);
            this.moving.down(p);
            return;
        }
        this.from = p;
        this.heading = 0;
    }

    move(p) {
        this.moving?.move(p);
        if (!this.from) return;
        const [dx, dy] = [p.x - this.from.snapX, p.y - this.from.snapY];
        const turned = Math.hypot(p.px - this.from.px, p.py - this.from.py) > 8;
        const angle = turned ? Math.atan2(dy, dx) : 0;
        this.heading = p.shift ? Math.PI / 12 * Math.round(angle / (Math.PI / 12)) : angle;
    }

    up(p) {
        if (this.moving) { this.moving.up(p); this.moving = null; return; }
        if (!this.from) return;
        this.move(p);
        const { snapX: x, snapY: y } = this.from;
        this.from = null;
        this.editor.add({ kind: "start", x, y, heading: Math.round(this.heading * 1e4) / 1e4 });
    }

    cancel() {
        const there = Boolean(this.from || this.moving);
        this.moving?.cancel();
        this.from = this.moving = null;
        return there;
    }

    draw(context, camera) {
        this.moving?.draw(context, camera);
        if (!this.from) return;
        const [x, y] = camera.screen(this.from.snapX, this.from.snapY);
        const radius = Math.max(9, 0.3 * camera.scale);
        context.strokeStyle = "#0a84ff";
        context.lineWidth = 2;
        context.beginPath();
        context.arc(x, y, radius, 0, 2 * Math.PI);
        context.moveTo(x, y);
        context.lineTo(x + 2 * radius * Math.cos(this.heading), y - 2 * radius * Math.sin(this.heading));
        context.stroke();
    }
}

export class PersonTool extends Tool {
    static title = "Person";
    static key = "p";
    static hint = "Click waypoint after waypoint, end with Enter or a double click. With one waypoint the person wanders.";

    points = [];

    down(p) {
        const last = this.points.at(-1);
        if (!last || Math.hypot(last[0] - p.snapX, last[1] - p.snapY) > 1e-9) this.points.push([p.snapX, p.snapY]);
        this.here = [p.snapX, p.snapY];
    }

    move(p) { this.here = [p.snapX, p.snapY]; }

    finish() {
        const waypoints = this.points;
        this.points = [];
        if (waypoints.length) this.editor.add({ kind: "person", waypoints, speed: 1.2, radius: 0.25, height: 1.7, mean_leg: 4 });
    }

    cancel() { const there = this.points.length > 0; this.points = []; return there; }

    draw(context, camera) {
        if (!this.points.length) return;
        context.strokeStyle = context.fillStyle = "#8e63ab";
        context.lineWidth = 2;
        context.setLineDash([6, 4]);
        context.beginPath();
        [...this.points, this.here].forEach(([x, y]) => context.lineTo(...camera.screen(x, y)));
        context.stroke();
        context.setLineDash([]);
        for (const [x, y] of this.points) { context.beginPath(); context.arc(...camera.screen(x, y), 5, 0, 7); context.fill(); }
    }
}
