// The bar of tools, the panel beside the sheet, and the line below it.
import { button, choiceField, element, materialField, numberField, selectField, switchField, textField } from "./fields.js";
import { inspector } from "./inspector.js";
import { INK_OPTIONS, OPTIONS, times } from "./settings.js";
import { GAPS_AFTER, ICONS, TOOLS } from "./tools/all.js";

export class ToolBar {
    constructor(place, editor) {
        this.buttons = {};
        for (const [name, tool] of Object.entries(TOOLS)) {
            const made = element("button", "draw-tool");
            made.innerHTML = ICONS[name];
            made.title = `${tool.title} (${tool.key.toUpperCase()})`;
            made.setAttribute("aria-label", tool.title);
            made.dataset.tool = name;
            made.addEventListener("click", () => editor.choose(name));
            place.append(made);
            this.buttons[name] = made;
            if (GAPS_AFTER.includes(name)) place.append(element("span", "draw-tool-gap"));
        }
    }

    show(chosen) {
        for (const [name, made] of Object.entries(this.buttons)) {
            made.classList.toggle("on", name === chosen);
            made.setAttribute("aria-pressed", String(name === chosen));
        }
        this.buttons[chosen].scrollIntoView?.({ block: "nearest", inline: "nearest" });
    }
}

export class Panel {
    constructor(place, editor) { this.place = place; this.editor = editor; }

    show() {
        const { editor } = this;
        const parts = editor.importing ? [this.importing()] : [this.tool()];
        if (!editor.importing && editor.selectedObject) parts.unshift(inspector(editor, editor.selectedObject));
        this.checks = this.checksBox();
        this.place.replaceChildren(...parts, this.checks);
    }

    showChecks() { const made = this.checksBox(); this.checks?.replaceWith(made); this.checks = made; }

    tool() {
        const { editor } = this;
        const kind = editor.tool.constructor;
        const box = element("section", "draw-section");
        box.append(element("h3", "", kind.title), element("p", "draw-hint", kind.hint));
        const names = kind.options.flatMap(name => name === "ink" ? ["ink", ...INK_OPTIONS[editor.settings.ink]] : [name]);
        for (const name of names) box.append(this.option(name));
        return box;
    }

    option(name) {
        const { editor } = this;
        const option = OPTIONS[name], value = editor.settings[name];
        const changed = given => editor.set(name, given);
        if (option.kind === "number") return numberField(name, option, value, changed);
        if (option.kind === "choice") return choiceField(name, option.title, option.choices, value, changed);
        if (option.kind === "material") return materialField(name, editor.materials, value, changed);
        if (option.kind === "switch") return switchField(name, option.title, value, changed);
        return textField(name, option.title, value, option.hint, times, (_, text) => changed(text));
    }

    /** What is found, in sentences; a click shows the place. */
    checksBox() {
        const { editor } = this;
        const { checks } = editor;
        const box = element("section", "draw-section draw-checks");
        const state = checks.answered < checks.asked ? "waiting" : checks.wrong || checks.findings.some(({ fine }) => !fine) ? "bad" : "good";
        box.dataset.state = state;
        box.append(element("h3", "", "Checks"));
        box.append(selectField("robot", "For", editor.robots.map(name => [name, name]), editor.settings.robot, value => { editor.set("robot", value); checks.soon(); }));
        if (checks.wrong) box.append(element("p", "draw-finding bad", checks.wrong));
        for (const finding of checks.findings) {
            const line = element(finding.marks.length ? "button" : "p", `draw-finding ${finding.fine ? "good" : "bad"}`, finding.said);
            line.dataset.about = finding.about;
            if (finding.marks.length) line.addEventListener("click", () => editor.showPlace(finding.marks));
            box.append(line);
            if (finding.about === "edge" && !finding.fine) box.append(button("Close it with a wall", "", () => editor.closeEdge(), "close-edge"));
        }
        if (!checks.wrong && !checks.findings.length) box.append(element("p", "draw-hint", "Looking…"));
        return box;
    }

    importing() {
        const { editor } = this;
        const options = editor.importing.options;
        const box = element("section", "draw-section");
        box.append(element("h3", "", "Import an image"), element("p", "draw-hint", `${editor.importing.image.columns} x ${editor.importing.image.rows} pixels, one a cell. The sheet shows what it will be.`));
        const slider = element("input", "draw-slider");
        Object.assign(slider, { type: "range", min: 0, max: 256, step: 1, value: options.threshold });
        slider.dataset.field = "threshold";
        slider.setAttribute("aria-label", "Threshold");
        const told = element("span", "", `${options.threshold}`);
        slider.addEventListener("input", () => { told.textContent = slider.value; editor.tryImport({ threshold: Number(slider.value) }); });
        const line = element("label", "draw-row");
        line.append(element("span", "", "Threshold"), told);
        const end = element("div", "draw-row");
        end.append(button("Cancel", "", () => editor.endImport(false), "import-cancel"), button("Import", "main", () => editor.endImport(true), "import-done"));
        box.append(
            numberField("resolution", { title: "A pixel is", unit: "m", least: 1e-4, most: 1e4, step: 0.01 }, options.resolution, value => editor.tryImport({ resolution: value })),
            line, slider,
            switchField("inverted", "Light is wall", options.inverted, value => editor.tryImport({ inverted: value })), end);
        return box;
    }
}

export class StatusLine {
    constructor(place, editor) {
        this.editor = editor;
        this.name = element("span", "draw-name");
        this.where = element("span", "draw-where");
        this.size = element("span", "draw-size");
        const steps = [["0", "off"], ["cell", "cell"], ["0.1", "0.1 m"], ["0.25", "0.25 m"], ["0.5", "0.5 m"], ["1", "1 m"]];
        this.snap = selectField("snap", "Snap", steps, editor.settings.snap, value => editor.set("snap", value));
        this.undo = this.small("↶", "Undo (Ctrl-Z)", "undo");
        this.redo = this.small("↷", "Redo (Ctrl-Shift-Z)", "redo");
        place.append(
            this.name, this.undo, this.redo, this.small("✓", "End the chain, polygon or way (Enter)", "finish"), this.small("#", "Grid (G)", "grid"), this.small("⤢", "Show all (0)", "fit"), this.small("?", "Keys (?)", "help"),
            this.snap, element("span", "draw-spread"), this.where, this.size);
    }

    small(words, title, does) {
        const made = button(words, "small", () => this.editor.act(does), does);
        made.title = title;
        made.setAttribute("aria-label", title);
        return made;
    }

    show() {
        const { drawing, history, changed } = this.editor;
        if (!drawing) return;
        this.name.textContent = `${drawing.name || "untitled"}${changed ? " •" : ""}`;
        this.name.title = changed ? "not saved yet" : "saved";
        this.undo.disabled = history.past.length === 0;
        this.redo.disabled = history.future.length === 0;
        const round = value => Number(value.toFixed(2));
        this.size.textContent = `${round(drawing.width)} x ${round(drawing.height)} m, ${drawing.columns} x ${drawing.rows} cells`;
    }

    showWhere(p) { this.where.textContent = p ? `x ${p.x.toFixed(2)}  y ${p.y.toFixed(2)} m` : ""; }
}
