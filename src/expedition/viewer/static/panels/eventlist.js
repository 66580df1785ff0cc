// The list of events: what happened when, found by words. Only the rows that are seen are there.
import { clockText, find, make, mark, say } from "./dom.js";
import { eventText, kindColour } from "./kinds.js";

const ROW = 24;  // Pixels, as in watch.css.

export function attachEventList(watch, events) {
    const list = find("event-list"), search = find("event-search");
    const spacer = make("div", "rows-height");
    list.append(spacer);
    const rows = [];
    let found = [], height = 0, stale = true;

    function filter() {
        stale = false;
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        found = (events.shown ?? []).filter(event => {
            const text = `${event.event} ${eventText(event)}`.toLowerCase();
            return words.every(word => text.includes(word));
        });
        spacer.style.height = `${Math.max(1, found.length) * ROW}px`;
    }

    function addRow() {
        const row = make("div", "row event-row", "", { role: "option" });
        const time = make("span", "cell-time"), dot = make("i", "dot"), kind = make("b"), text = make("span", "cell-text");
        row.append(time, dot, kind, text);
        row.addEventListener("click", () => {
            watch.clock.seek(row.event.time_s, false);
            if (Number.isInteger(row.event.robot)) watch.select(row.event.robot);
        });
        list.append(row);
        row.parts = { time, dot, kind, text };
        return row;
    }

    function show(row, event, place) {
        if (row.event !== event) {
            row.event = event;
            say(row.parts.time, clockText(event.time_s));
            row.parts.dot.style.background = kindColour(event.event);
            say(row.parts.kind, event.event);
            say(row.parts.text, eventText(event));
            row.title = eventText(event);
        }
        if (row.place !== place) row.style.transform = `translateY(${ROW * (row.place = place)}px)`;
        mark(row, "past", event.time_s <= watch.clock.time + 1e-6);
        mark(row, "on", Math.abs(event.time_s - watch.clock.time) < 0.05);
    }

    function fill() {
        const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 2);
        const shown = found.slice(first, first + Math.ceil(height / ROW) + 5);
        while (rows.length < shown.length) rows.push(addRow());
        rows.forEach((row, k) => {
            if (row.hidden !== k >= shown.length) row.hidden = k >= shown.length;
            if (k < shown.length) show(row, shown[k], first + k);
        });
    }

    function update() {
        if (stale) filter();
        fill();
    }

    new ResizeObserver(([{ contentRect }]) => { height = contentRect.height; fill(); }).observe(list);
    list.addEventListener("scroll", fill, { passive: true });
    search.addEventListener("input", () => { list.scrollTop = 0; stale = true; update(); });
    events.addEventListener("change", () => { stale = true; });
    return { tab: "events", update };
}
