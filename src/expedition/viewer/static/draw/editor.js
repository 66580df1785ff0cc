// The editor: it holds the drawing, its history and the tool at hand, and tells the parts of the page what changed.
import { Checks } from "./checks.js";
import { element } from "./fields.js";
import { History, Stroke } from "./history.js";
import { Keyboard, helpSheet } from "./keyboard.js";
import { bounds, moved, onCells, put } from "./objects.js";
import { Panel, StatusLine, ToolBar } from "./panel.js";
import { Pointer } from "./pointer.js";
import { rectangle } from "./raster.js";
import { Settings } from "./settings.js";
import { Sheets } from "./sheets.js";
import { TOOLS } from "./tools/all.js";
import { View } from "./view.js";

export class Editor {
    constructor(place, { first, materials, robots, colours }) {
        Object.assign(this, { place, materials, robots, robotColours: colours, selected: null, ghost: null, importing: null, changed: false });
        this.settings = new Settings();
        if (!robots.includes(this.settings.robot)) this.settings.robot = robots[0];
        if (!(this.settings.material < materials.length)) this.settings.material = 0;
        this.history = new History();
        this.checks = new Checks(this);
        this.tool = new TOOLS.wall(this);
        const bar = element("nav", "draw-bar"), middle = element("div", "draw-middle"), side = element("aside", "draw-panel"), line = element("footer", "draw-status");
        bar.setAttribute("aria-label", "Tools");
        this.sheet = element("div", "draw-sheet");
        this.sheet.tabIndex = 0;
        this.sheet.setAttribute("aria-label", "The terrain");
        middle.append(this.sheet, line);
        place.append(bar, middle, side);
        this.bar = new ToolBar(bar, this);
        this.panel = new Panel(side, this);
        this.line = new StatusLine(line, this);
        this.view = new View(this.sheet, this);
        this.pointer = new Pointer(this.sheet, this);
        this.keyboard = new Keyboard(this);
        this.sheets = new Sheets(this, first);
        this.tuneButton(bar, side);
        this.watching = new MutationObserver(() => this.view.setDark(this.dark));
        this.watching.observe(document.body, { attributes: true, attributeFilter: ["class"] });
        this.choose("wall");
        this.ready = this.sheets.begin();
    }

    get dark() { return document.body.classList.contains("body--dark"); }
    get selectedObject() { return this.drawing?.objects.find(({ id }) => id === this.selected) ?? null; }

    /** On a small screen the panel comes and goes. */
    tuneButton(bar, side) {
        const tune = element("button", "draw-tool draw-tune", "");
        tune.innerHTML = '<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"><path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/></svg>';
        tune.setAttribute("aria-label", "Settings of the tool");
        tune.addEventListener("click", () => side.classList.toggle("shown"));
        bar.prepend(tune);
    }

    /** What buttons and keys ask for by name. */
    act(what, ...given) {
        if (this.importing && !["help", "grid", "fit", "chooseImage"].includes(what)) this.endImport(false);
        const doing = {
            undo: () => this.step("undo"), redo: () => this.step("redo"), help: () => this.help(),
            grid: () => this.set("grid", !this.settings.grid), fit: () => this.view.fit(),
            finish: () => { this.tool.finish(); this.view.redraw(); },
        }[what];
        return doing ? doing() : this.sheets[what]?.(...given);
    }

    /** Draw something else from now on. */
    setDrawing(drawing, changed) {
        this.tool.cancel();
        Object.assign(this, { drawing, changed, selected: null, ghost: null });
        this.history = new History();
        this.checks.clear();
        this.view.setDrawing(drawing);
        this.refresh();
        this.checks.soon();
    }

    choose(name) {
        this.tool.cancel();
        this.tool = new TOOLS[name](this);
        this.toolName = name;
        this.sheet.style.cursor = this.tool.constructor.cursor;
        if (name !== "select") this.selected = null;
        this.bar.show(name);
        this.refresh();
    }

    set(name, value) {
        this.settings.set(name, value);
        this.refresh();
    }

    /** One step that can be undone: `write(stroke)` writes cells and objects. */
    stroke(write) {
        const stroke = new Stroke(this.drawing);
        write(stroke);
        this.commit(stroke);
    }

    commit(stroke) { if (this.history.add(stroke)) this.hasChanged(); else this.view.redraw(); }

    step(which) {
        if (this.tool.cancel()) { this.view.redraw(); return; }
        if (this.history[which]()) this.hasChanged();
    }

    hasChanged() {
        this.changed = true;
        if (!this.selectedObject) this.selected = null;
        this.refresh();
        this.checks.soon();
        this.sheets.keepSoon();
    }

    add(object) {
        this.stroke(stroke => put(stroke, null, object));
        this.selected = this.drawing.objects.at(-1).id;
        this.refresh();
    }

    select(object) { this.selected = object?.id ?? null; this.refresh(); }

    removeSelected() {
        const object = this.selectedObject;
        if (object) this.stroke(stroke => put(stroke, object, null));
    }

    nudge(across, up) {
        const object = this.selectedObject;
        if (!object) return false;
        const { resolution } = this.drawing;
        let there = moved(object, across * resolution, up * resolution);
        if (there.area) there = Object.freeze({ ...there, area: onCells(this.drawing, ...bounds(there)) });
        this.stroke(stroke => put(stroke, object, there));
        return true;
    }

    escape() { if (!this.tool.cancel()) this.select(null); this.helpShown?.remove(); }

    /** A wall all along the edge, as thick as walls are drawn. */
    closeEdge() {
        const { rows, columns, resolution } = this.drawing;
        const thick = Math.min(Math.ceil(Math.min(rows, columns) / 2), Math.max(1, Math.round(this.settings.thickness / resolution)));
        const ink = this.settings.wallInk;
        this.stroke(stroke => {
            const emit = (row, from, to) => stroke.span(row, from, to, ink);
            for (const box of [[0, 0, columns, thick], [0, rows - thick, columns, rows], [0, 0, thick, rows], [columns - thick, 0, columns, rows]])
                rectangle(...box, emit);
        });
    }

    showPlace(marks) {
        const [left, bottom, right, top] = [0, 1, 2, 3].map(at => Math[at < 2 ? "min" : "max"](...marks.map(mark => mark[at])));
        const room = Math.max(1, 0.4 * Math.max(right - left, top - bottom));
        this.view.camera.fit(left - room, bottom - room, right + room, top + room);
        this.view.redraw(true);
    }

    checked() { this.panel.showChecks(); this.view.redraw(); }

    hover(p) { this.line.showWhere(p); this.view.redraw(); }
    leave() { this.line.showWhere(null); if ("here" in this.tool && !this.tool.points?.length) this.tool.here = null; this.view.redraw(); }

    help() {
        if (this.helpShown?.isConnected) { this.helpShown.remove(); return; }
        this.helpShown = helpSheet(() => this.helpShown.remove());
        this.place.append(this.helpShown);
    }

    refresh() {
        this.panel.show();
        this.line.show();
        if (this.drawing) this.view.redraw();
    }

    tryImport(options) { this.sheets.tryImport(options); }
    endImport(taken) { this.sheets.endImport(taken); }

    close() {
        this.keyboard.close();
        this.view.close();
        this.checks.close();
        this.sheets.close();
        this.watching.disconnect();
    }
}
