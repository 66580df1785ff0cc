// Events by kind: which there are, in which colours, and which are on. The time line, its legend and the list share it.
import { memory } from "./dom.js";

const KINDS = {  // In the order in which they matter.
    failure: "#c2185b", breakdown: "#c2185b", collision: "#d55e00", "lost contact": "#cc79a7", "role swap": "#7a5195",
    recovery: "#009e73", "switched off": "#7f7f7f", contact: "#56b4e9", tag: "#e69f00", role: "#7a5195", note: "#0072b2",
    activity: "#9aa3af", end: "#7f7f7f",
};
const OTHERS = "#8c6d31";
const QUIET = ["activity", "role", "contact"];  // Too many of them to be marked unless asked for.
const LEVEL = Object.keys(KINDS);

export const kindColour = kind => KINDS[kind] ?? OTHERS;
export const kindLevel = kind => (LEVEL.indexOf(kind) < 0 ? LEVEL.length : LEVEL.indexOf(kind));

export function eventText(event) {
    const others = event.with === null ? "with a wall" : event.with !== undefined ? `with ${event.with}` : "";
    const who = event.robot === null || event.robot === undefined ? "" : `robot ${event.robot}`;
    return [who, event.from ? `${event.from} → ${event.text}` : event.text, others].filter(Boolean).join(" · ");
}

export class Events extends EventTarget {
    constructor(watch) {
        super();
        this.watch = watch;
        this.hidden = new Set(memory.get("kinds-off", QUIET));
        this.all = [];
        this.tags = [];
        this.counts = new Map();
        watch.addEventListener("mission", () => this.take(true));
        watch.addEventListener("news", () => this.take());
    }

    /** Events come with the news; tags, which are none, are asked for now and then. */
    take(isFirst = false) {
        const { events, mission } = this.watch;
        const now = performance.now();
        if (isFirst || (now - this.asked > 3000 && !this.asking) || !mission.growing) this.askTags(now);
        if (!isFirst && events.length === this.taken) return;
        this.put();
    }

    async askTags(now) {
        if (this.asking) return;
        this.asked = now;
        this.asking = true;
        try {
            const { tags } = await this.watch.wire.ask("moment", { time: this.watch.mission.end, parts: ["tags"] });
            if (tags.length !== this.tags.length) {
                this.tags = tags.map(([x, y, text, robot, time]) => ({ time_s: time, event: "tag", robot, text, x, y }));
                this.put();
            }
        } catch { /* Asked again with the next news. */ } finally { this.asking = false; }
    }

    put() {
        this.taken = this.watch.events.length;
        this.all = [...this.watch.events, ...this.tags].sort((a, b) => a.time_s - b.time_s);
        this.counts = new Map();
        for (const { event } of this.all) this.counts.set(event, (this.counts.get(event) ?? 0) + 1);
        this.changed();
    }

    get kinds() { return [...this.counts.keys()].sort((a, b) => kindLevel(a) - kindLevel(b)); }

    set(kind, on) {
        if (on) this.hidden.delete(kind); else this.hidden.add(kind);
        memory.set("kinds-off", [...this.hidden]);
        this.changed();
    }

    changed() {
        this.shown = this.all.filter(({ event }) => !this.hidden.has(event));
        this.dispatchEvent(new Event("change"));
    }

    /** The next shown event after a time, or the last before it; events of the same moment count as one. */
    beside(time, forwards) {
        const found = forwards ? this.shown.find(event => event.time_s > time + 1e-3)
            : this.shown.findLast(event => event.time_s < time - 1e-3);
        return found;
    }
}
