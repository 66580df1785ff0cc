// Keys, and the sheet that tells them.
import { TOOLS } from "./tools/all.js";

const KEYS = [
    ["Ctrl Z", "undo"], ["Ctrl Shift Z", "redo"], ["Ctrl S", "save"], ["Enter", "end a chain of walls, a polygon, a person's way"],
    ["Esc", "give up what is being drawn"], ["Delete", "remove what is selected"], ["1 2 3 4", "paint wall, rough ground, material, free ground"],
    ["[  ]", "smaller and larger brush"], ["G", "grid on and off"], ["+  -  0", "zoom in, out, and to all of it"],
    ["Space", "hold and drag: move the sheet"], ["Shift", "while drawing: steps of 15°, squares"], ["Alt", "while drawing: off the grid"],
    ["Arrows", "move what is selected by a cell"], ["?", "this sheet"],
];
const INKS = ["wall", "rough", "material", "ground"];

export class Keyboard {
    constructor(editor) {
        this.editor = editor;
        this.heard = event => this.down(event);
        this.released = event => { if (event.key === " ") editor.pointer.space = false; };
        document.addEventListener("keydown", this.heard);
        document.addEventListener("keyup", this.released);
    }

    close() {
        document.removeEventListener("keydown", this.heard);
        document.removeEventListener("keyup", this.released);
    }

    down(event) {
        const { editor } = this;
        const writing = event.target.closest?.("input, textarea, select, [contenteditable], .q-dialog");
        if (event.ctrlKey || event.metaKey) {
            const key = event.key.toLowerCase();
            if (key === "s") { event.preventDefault(); editor.act("save"); }
            if (writing) return;
            if (key === "z" || key === "y") {
                event.preventDefault();
                editor.act(key === "y" || event.shiftKey ? "redo" : "undo");
            }
            return;
        }
        if (writing || event.altKey || !editor.drawing) return;
        if (this.plain(event)) { event.preventDefault(); editor.view.redraw(); }
    }

    /** A key without Ctrl; whether it means something. */
    plain(event) {
        const { editor } = this;
        const { key } = event;
        const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
        if (key === " ") editor.pointer.space = true;
        else if (key === "Escape") editor.escape();
        else if (key === "Enter") editor.tool.finish();
        else if (key === "Delete" || key === "Backspace") editor.removeSelected();
        else if (key === "[" || key === "]") editor.set("size", step(editor.settings.size, key === "]", editor.drawing.resolution));
        else if (INKS[Number(key) - 1]) editor.set("ink", INKS[Number(key) - 1]);
        else if (key === "g") editor.set("grid", !editor.settings.grid);
        else if (key === "+" || key === "=") editor.view.zoom(1.25);
        else if (key === "-") editor.view.zoom(0.8);
        else if (key === "0") editor.view.fit();
        else if (key === "?") editor.act("help");
        else if (arrows[key]) return editor.nudge(...arrows[key]);
        else {
            const name = Object.keys(TOOLS).find(each => TOOLS[each].key === key.toLowerCase());
            if (!name) return false;
            editor.choose(name);
        }
        return true;
    }
}

function step(size, up, resolution) {
    const next = up ? size * 1.25 : size / 1.25;
    return Math.max(resolution, Math.round(next * 100) / 100);
}

/** The sheet of all keys. */
export function helpSheet(close) {
    const sheet = document.createElement("div");
    sheet.className = "draw-help";
    const row = ([keys, does]) => `<div><span>${keys.split(" ").filter(Boolean).map(key => `<kbd>${key}</kbd>`).join("")}</span><span>${does}</span></div>`;
    const tools = Object.values(TOOLS).map(tool => [tool.key.toUpperCase(), tool.title]);
    sheet.innerHTML = `<div class="draw-help-paper" role="dialog" aria-label="Keys"><h2>Keys</h2>
        <div class="draw-help-columns"><section>${tools.map(row).join("")}</section><section>${KEYS.map(row).join("")}</section></div>
        <button class="draw-button">Close</button></div>`;
    sheet.addEventListener("click", event => { if (event.target === sheet || event.target.tagName === "BUTTON") close(); });
    return sheet;
}
