// Where drawings come from and go to: new ones, opened, imported, kept in the browser, saved and downloaded.
import { Drawing } from "./drawing.js";
import { dropDraft, keepDraft, readDraft } from "./draft.js";
import { IMAGES, readImage, traced } from "./importing.js";
import { ask, askFrame, decoded, encode } from "./transfer.js";

const NAME = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/;
const REST = 800;

export class Sheets {
    constructor(editor, first) {
        this.editor = editor;
        this.first = first;
        this.saved = null;
        this.leaving = event => { if (editor.changed) event.preventDefault(); };
        addEventListener("beforeunload", this.leaving);
        editor.sheet.addEventListener("dragover", event => event.preventDefault());
        editor.sheet.addEventListener("drop", event => { event.preventDefault(); this.importFile(event.dataTransfer.files[0]); });
    }

    close() {
        removeEventListener("beforeunload", this.leaving);
        clearTimeout(this.timer);
    }

    /** What the address asks for; else what was not saved the last time; else an empty room. */
    async begin() {
        const draft = await readDraft();
        const { saved, spec } = this.first;
        if (draft && (!saved || saved === draft.saved) && !spec) return this.bringBack(draft);
        const opened = saved ? await this.openSaved(saved) : spec ? await this.openRegistered(spec) : false;
        if (!opened) await this.create(20, 15, 0.1, true);
        if (draft) this.offer(draft);
        return undefined;
    }

    async bringBack(draft) {
        try {
            const { drawing } = await decoded(await draft.frame.arrayBuffer());
            this.saved = draft.saved;
            this.editor.setDrawing(drawing, true);
            notify("Your drawing is as you left it; it is not saved yet.");
        } catch {
            await dropDraft();
            await this.create(20, 15, 0.1, true);
        }
    }

    offer(draft) {
        const back = { label: "Bring it back", color: "white", handler: () => this.bringBack(draft) };
        globalThis.Quasar?.Notify.create({ message: "There is a drawing that was not saved.", position: "top", timeout: 12000, actions: [back, { label: "Leave it", color: "white" }] });
    }

    /** Keep the drawing in the browser once the hand rests. */
    keepSoon() {
        clearTimeout(this.timer);
        this.timer = setTimeout(async () => {
            const { drawing } = this.editor;
            const frame = await encode(drawing);
            if (this.editor.changed && drawing === this.editor.drawing) await keepDraft({ frame, saved: this.saved });
            this.kept = (this.kept ?? 0) + 1;
        }, REST);
    }

    async mayLeave() {
        if (!this.editor.changed) return true;
        return question("Leave this drawing?", `${this.editor.drawing.name || "It"} has changes that are not saved.`, "Leave it");
    }

    /** Show another drawing. */
    async show(drawing, { changed = false, saved = null } = {}) {
        this.saved = saved;
        if (!changed) await dropDraft();
        this.editor.setDrawing(drawing, changed);
        if (changed) this.keepSoon();
    }

    async create(width, height, resolution, closed) {
        if (!await this.mayLeave()) return false;
        const drawing = Drawing.blank(Number(width), Number(height), Number(resolution));
        if (typeof drawing === "string") { notify(drawing, true); return false; }
        await this.show(drawing);
        if (closed) { this.editor.closeEdge(); this.editor.changed = false; this.editor.history.past = []; this.editor.refresh(); await this.forget(); }
        return true;
    }

    async openSaved(name) { return this.open("saved", { name }, name); }
    async openRegistered(spec) { return this.open("registered", { spec }); }

    async open(what, query, saved = null) {
        if (!await this.mayLeave()) return false;
        try {
            const drawing = Drawing.fromFrame(await askFrame(what, query));
            if (!saved) drawing.name = drawing.name.replace(/[^A-Za-z0-9_-]+/g, "-");
            await this.show(drawing, { saved });
            return true;
        } catch (error) { notify(error.message, true); return false; }
    }

    chooseImage() {
        const input = Object.assign(document.createElement("input"), { type: "file", accept: IMAGES });
        input.addEventListener("change", () => this.importFile(input.files[0]));
        input.click();
    }

    async importFile(file) {
        if (!file || !await this.mayLeave()) return;
        try {
            const image = await readImage(file);
            const { editor } = this;
            const before = editor.importing?.before ?? { drawing: editor.drawing, changed: editor.changed, history: editor.history };
            editor.importing = { image, before, options: { threshold: 125, inverted: false, resolution: 0.05 } };
            this.tryImport({});
            editor.place.querySelector(".draw-panel").classList.add("shown");
        } catch (error) { notify(error.message, true); }
    }

    /** Show what the image would be with these options. */
    tryImport(options) {
        const { editor } = this;
        Object.assign(editor.importing.options, options);
        const { wallInk } = editor.settings;
        const drawing = traced(editor.importing.image, { ...editor.importing.options, height: wallInk.height, material: wallInk.material });
        editor.drawing = drawing;
        const again = "threshold" in options || "inverted" in options;
        if (again) { const { x, y, scale } = editor.view.camera; editor.view.setDrawing(drawing); Object.assign(editor.view.camera, { x, y, scale }); }
        else { editor.view.setDrawing(drawing); editor.refresh(); }
        editor.line.show();
    }

    endImport(taken) {
        const { editor } = this;
        const { before } = editor.importing;
        const { drawing } = editor;
        editor.importing = null;
        if (taken) { this.show(drawing, { changed: true }); return; }
        editor.setDrawing(before.drawing, before.changed);
        editor.history = before.history;
        editor.refresh();
    }

    /** Into the store: under its name, or one that is asked for. Whether it is there now. */
    async save() {
        const { editor } = this;
        const name = this.saved ?? await askName("Save the terrain", editor.drawing.name);
        return name ? this.saveAs(name, name === this.saved) : false;
    }

    async saveAs(name, overwrite) {
        const { editor } = this;
        const { drawing, history } = editor;
        const mark = history.past.at(-1);
        try {
            await ask("save", { name, overwrite }, await encode(drawing));
        } catch (error) {
            if (error.status !== 409) { notify(error.message, true); return false; }
            const sure = await question("Write over it?", `There is already a terrain named ${name}.`, "Write over it");
            return sure ? this.saveAs(name, true) : false;
        }
        drawing.name = this.saved = name;
        // What was drawn while the saving went on is not in it.
        editor.changed = history.past.at(-1) !== mark;
        if (!editor.changed) await this.forget();
        editor.refresh();
        globalThis.history.replaceState(globalThis.history.state, "", `/draw?terrain=${encodeURIComponent(name)}`);
        notify(`Saved as ${name}.`);
        return true;
    }

    /** Nothing is left that could be lost. */
    async forget() { clearTimeout(this.timer); await dropDraft(); }

    async download() {
        const { drawing } = this.editor;
        const name = NAME.test(drawing.name) ? drawing.name : await askName("Name of the files", drawing.name);
        if (!name) return;
        try {
            const packed = await (await ask("zip", { name }, await encode(drawing))).blob();
            const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(packed), download: `${name}.zip` });
            link.click();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
        } catch (error) { notify(error.message, true); }
    }

    async setUp() {
        if ((this.editor.changed || !this.saved) && !await this.save()) return;
        const starts = this.editor.drawing.ofKind("start").length;
        const robots = starts ? { placement: "marked", robots: starts } : { placement: "grouped" };
        location.href = `/setup?${new URLSearchParams({ terrain: `${this.saved}.yaml`, ...robots })}`;
    }
}

function notify(message, wrong = false) {
    const type = wrong ? "negative" : "positive";
    globalThis.Quasar?.Notify.create({ message, type, position: "top", timeout: wrong ? 7000 : 2500, classes: "draw-toast" });
}

/** Whether the answer is yes. */
function question(title, message, yes) {
    return new Promise(resolve => globalThis.Quasar.Dialog.create({ title, message, ok: { label: yes, flat: true, "no-caps": true }, cancel: { flat: true, "no-caps": true } })
        .onOk(() => resolve(true)).onCancel(() => resolve(false)).onDismiss(() => resolve(false)));
}

function askName(title, before) {
    const model = NAME.test(before) ? before : "";
    const prompt = { model, type: "text", isValid: text => NAME.test(text), hint: "Letters, digits, - and _" };
    return new Promise(resolve => globalThis.Quasar.Dialog.create({ title, prompt, ok: { label: "Save", flat: true, "no-caps": true }, cancel: { flat: true, "no-caps": true } })
        .onOk(name => resolve(name)).onCancel(() => resolve(null)).onDismiss(() => resolve(null)));
}
