// A door in a wall: as thick as the wall, as wide as the drag. It opens the wall, and closes it again when it goes.
import { onCells } from "../objects.js";
import { times } from "../settings.js";
import { label } from "../sketch.js";
import { Tool, metres, preview } from "./tool.js";

const THICKEST = 3;

export class DoorTool extends Tool {
    static title = "Door";
    static key = "d";
    static hint = "Drag along a wall, or click on one. The wall opens there; the door stands in the gap when it is closed.";
    static options = ["doorWidth", "doorClosed", "doorSwitches"];

    down(p) { this.from = p; this.to = p; }
    move(p) { if (this.from) this.to = p; else this.here = p; }

    up(p) {
        if (!this.from) return;
        this.to = p;
        const area = this.area();
        this.from = null;
        const switches = times(this.settings.doorSwitches) ?? [];
        this.editor.add({ kind: "door", area, closed: this.settings.doorClosed, switches, material: "wood", height: 2 });
    }

    cancel() { const there = Boolean(this.from); this.from = null; return there; }

    /** The rectangle of the door, on the edges of cells. */
    area() {
        const { drawing, from, to, settings } = this;
        const dragged = Math.hypot(to.px - from.px, to.py - from.py) > 5;
        const row = Math.floor(drawing.row(from.y)), column = Math.floor(drawing.column(from.x));
        const level = dragged
            ? Math.abs(to.x - from.x) >= Math.abs(to.y - from.y) : this.run(row, column, 0, 1) >= this.run(row, column, 1, 0);
        const half = settings.doorWidth / 2;
        const [start, end] = dragged
            ? (level ? [from.snapX, to.snapX] : [from.snapY, to.snapY])
            : (level ? [from.x - half, from.x + half] : [from.y - half, from.y + half]);
        const [low, high] = this.thickness(row, column, level);
        return level
            ? onCells(drawing, start, drawing.y(low), end, drawing.y(high)) : onCells(drawing, drawing.x(low), start, drawing.x(high), end);
    }

    /** How many cells of wall lie in a line through a cell. */
    run(row, column, up, across) {
        const { drawing } = this;
        if (!drawing.wall(row, column)) return 0;
        let count = 1;
        for (const sign of [1, -1])
            for (let n = 1; drawing.wall(row + sign * n * up, column + sign * n * across); n++) count++;
        return count;
    }

    /** From which cell to which the wall reaches across the door; without a wall, as thick as walls are drawn. */
    thickness(row, column, level) {
        const { drawing, settings } = this;
        const most = Math.ceil(THICKEST / drawing.resolution);
        const at = level ? row : column;
        if (!drawing.wall(row, column)) {
            const cells = Math.max(1, Math.round(settings.thickness / drawing.resolution));
            return [at - Math.floor(cells / 2), at - Math.floor(cells / 2) + cells];
        }
        const wall = n => level ? drawing.wall(n, column) : drawing.wall(row, n);
        let low = at, high = at + 1;
        while (high - low < most && wall(low - 1)) low--;
        while (high - low < most && wall(high)) high++;
        return [low, high];
    }

    draw(context, camera) {
        if (!this.from) return;
        const { left, bottom, right, top } = this.area();
        preview(context, camera, [[left, bottom], [right, bottom], [right, top], [left, top]]);
        const [x, y] = camera.screen((left + right) / 2, top);
        label(context, x, y - 16, metres(Math.max(right - left, top - bottom)), "#0a84ff", this.editor.dark);
    }
}
