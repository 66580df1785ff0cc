// The kinds of events with their colours, as switches: beside the play bar and above the list.
import { find, make, mark, say } from "./dom.js";
import { kindColour, kindLevel } from "./kinds.js";

export function attachLegend(events) {
    const places = [find("legend"), find("event-kinds")];
    const made = new Map();

    function show() {
        for (const kind of events.kinds) {
            if (!made.has(kind)) made.set(kind, places.map(place => chip(place, kind)));
            for (const { button, count } of made.get(kind)) {
                say(count, String(events.counts.get(kind)));
                mark(button, "off", events.hidden.has(kind));
                button.setAttribute("aria-pressed", String(!events.hidden.has(kind)));
            }
        }
    }

    function chip(place, kind) {
        const button = make("button", "kind", "", { type: "button", "data-kind": kind, title: `Show or hide: ${kind}` });
        const dot = make("i", "dot");
        dot.style.background = kindColour(kind);
        button.style.order = kindLevel(kind);
        const count = make("small");
        button.append(dot, make("span", "", kind), count);
        button.addEventListener("click", () => events.set(kind, events.hidden.has(kind)));
        place.append(button);
        return { button, count };
    }

    events.addEventListener("change", show);
}
