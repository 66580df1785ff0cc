// The tabs of the panel, and whether it is there.
import { find, mark, memory } from "./dom.js";

export function attachTabs(onOpen) {
    const panel = find("panel"), page = document.querySelector(".watch-page");
    const tabs = [...panel.querySelectorAll("[data-tab]")];
    let current = null;

    function open(name) {
        current = name;
        memory.set("tab", name);
        for (const tab of tabs) {
            const on = tab.dataset.tab === name;
            mark(tab, "on", on);
            tab.setAttribute("aria-selected", String(on));
            tab.tabIndex = on ? 0 : -1;
            find(`page-${tab.dataset.tab}`).hidden = !on;
        }
        onOpen();
    }

    tabs.forEach((tab, k) => {
        tab.addEventListener("click", () => open(tab.dataset.tab));
        tab.addEventListener("keydown", event => {
            const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
            if (!step) return;
            const next = tabs[(k + step + tabs.length) % tabs.length];
            open(next.dataset.tab);
            next.focus();
            event.preventDefault();
            event.stopPropagation();
        });
    });

    function toggle(on = page.classList.contains("no-panel")) {
        mark(page, "no-panel", !on);
        memory.set("panel", on);
        onOpen();
    }

    const kept = memory.get("tab", "view");
    mark(page, "no-panel", memory.get("panel", true) === false);
    return {
        begin() { open(tabs.some(tab => tab.dataset.tab === kept) ? kept : "view"); },
        open,
        toggle,
        isOpen: name => current === name && !page.classList.contains("no-panel"),
    };
}
