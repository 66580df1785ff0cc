// Light or dark: as the system has it, unless one was chosen; the map follows the page.
import { memory } from "./dom.js";

export function attachTheme(watch) {
    let shown;
    const isDark = () => document.body.classList.contains("body--dark");

    function set(choice) { window.Quasar?.Dark.set(choice === "auto" ? "auto" : choice === "dark"); }

    function follow() {
        const name = isDark() ? "dark" : "light";
        if (name === shown) return;
        shown = name;
        document.documentElement.style.colorScheme = name;
        watch.setTheme(name);
        watch.tell("theme");
    }

    new MutationObserver(follow).observe(document.body, { attributes: true, attributeFilter: ["class"] });
    set(memory.get("theme", "auto"));
    follow();
    return {
        toggle() {
            const choice = isDark() ? "light" : "dark";
            const system = window.matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
            memory.set("theme", choice === system ? "auto" : choice);
            set(choice);
        },
    };
}
