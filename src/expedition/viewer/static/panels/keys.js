// Keys do what buttons do, but not while somebody writes in a field; the help lists them.
import { find, make } from "./dom.js";

const NAMES = { " ": "space", ArrowLeft: "←", ArrowRight: "→", Escape: "Esc" };
const written = key => (key.length === 1 ? NAMES[key] ?? key : key.split("+").map(part => NAMES[part] ?? part).join(" "));

export function attachKeys(actions) {
    const byKey = new Map(Object.entries(actions).flatMap(([name, { keys }]) => keys.map(key => [key, name])));
    addEventListener("keydown", event => {
        if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return;
        const field = event.target.closest?.("input:not([type=checkbox]), textarea, select, [contenteditable]");
        if (field) { if (event.key === "Escape") field.blur(); return; }
        // Space and Enter on a button that was reached by keyboard are that button's own.
        if (event.key === " " && event.target.closest?.("button, input, summary")) return;
        const name = byKey.get(event.shiftKey && event.key.length > 1 ? `Shift+${event.key}` : event.key);
        if (!name) return;
        event.preventDefault();
        actions[name].run();
    });
    // A button that was clicked with the mouse does not keep the space key.
    addEventListener("click", event => {
        if (event.detail > 0) event.target.closest?.("button, input[type=checkbox], summary")?.blur();
    });
}

export function attachHelp(actions) {
    const overlay = find("help");
    let made = false;

    function fill() {
        made = true;
        const box = make("div", "help-box"), list = make("dl");
        box.append(make("h3", "", "Keys"), list);
        for (const { keys, help, shown } of Object.values(actions)) {
            if (!help) continue;
            const term = make("dt");
            for (const key of shown ? [shown] : keys.slice(0, 1)) term.append(make("kbd", "", shown ?? written(key)));
            list.append(term, make("dd", "", help));
        }
        overlay.append(box);
    }

    overlay.addEventListener("click", event => { if (event.target === overlay) overlay.hidden = true; });
    return {
        get isOpen() { return !overlay.hidden; },
        toggle(on = overlay.hidden) { if (!made) fill(); overlay.hidden = !on; },
    };
}
