// Two missions in step: one clock, one camera and one set of layers, each with a map of its own.
import { Curves } from "./panels/curves.js";
import { clockText, find, make, mark, percent, say, sharpCanvas } from "./panels/dom.js";
import { attachPlayBar } from "./panels/playbar.js";
import { attachTheme } from "./panels/theme.js";
import { attachView } from "./panels/viewpanel.js";
import { Watch } from "./watch.js";

const BEAT = 200;  // Milliseconds.
const COLOURS = ["--accent", "--warn"];

export class Compare {
    constructor(element, names) {
        this.sides = names.map((name, k) => this.addSide(element, name, k));
        const shared = () => ({ clock: this.clock, camera: this.camera, layers: this.layers });
        this.watches = names.map((name, k) => {
            const watch = new Watch(this.sides[k].stage, `/ws/watch/${encodeURIComponent(name)}`, k ? shared() : {});
            if (!k) ({ clock: this.clock, camera: this.camera, layers: this.layers } = watch);
            return watch;
        });
        const [first, second] = this.watches;
        this.curves = this.watches.map(watch => new Curves(watch));
        this.playBar = attachPlayBar(first);
        attachView(first);
        this.addTheme();
        this.addLine();
        this.addActions();
        // Whose map and which layout are chosen for the first, and go for both.
        first.addEventListener("view", () => {
            if (!second.mission) return;
            if (second.sides !== first.sides) second.show(first.sides);
            if (second.which !== first.which && hasMap(second.mission, first.which)) second.showMap(first.which);
        });
        second.addEventListener("mission", () => first.tell("view"));
        for (const watch of this.watches) {
            watch.addEventListener("connection", ({ detail: { state, why } }) => this.tellConnection(watch, state, why));
            // Both have come: whoever runs is followed, else they begin to play together.
            watch.addEventListener("mission", () => { if (this.clock.growing && !this.clock.playing) this.clock.follow(); });
        }
        this.beating = setInterval(() => this.beat(), BEAT);
    }

    addSide(element, name, k) {
        const box = make("section", "side", "", { "data-side": String(k), "aria-label": name });
        const caption = make("header", "side-caption"), title = make("a", "side-title", name, { href: `/watch/${encodeURIComponent(name)}` });
        const told = make("output", "side-told"), stage = make("div", "mission-view");
        const dot = make("i", "side-dot");
        dot.style.background = `var(${COLOURS[k]})`;
        caption.append(dot, title, told);
        box.append(caption, stage);
        element.append(box);
        return { stage, title, told };
    }

    addTheme() {
        this.theme = attachTheme(this.watches[0]);
        const { setTheme } = this.watches[0], other = this.watches[1];
        this.watches[0].setTheme = function (name) { setTheme.call(this, name); other.setTheme(name); };
    }

    /** The time line shows how much both have explored; a click goes there. */
    addLine() {
        const line = find("timeline"), cursor = find("timeline-cursor");
        this.line = sharpCanvas(find("timeline-shape"), (context, width, height) => this.drawLine(context, width, height));
        for (const curves of this.curves) curves.addEventListener("change", () => this.line.paint());
        const seek = event => {
            const { left, width } = line.getBoundingClientRect();
            this.clock.seek(Math.min(1, Math.max(0, (event.clientX - left) / width)) * this.clock.end, false);
        };
        line.addEventListener("pointerdown", event => { line.setPointerCapture(event.pointerId); seek(event); event.preventDefault(); });
        line.addEventListener("pointermove", event => { if (event.buttons & 1) seek(event); });
        this.cursor = () => {
            const share = this.clock.end ? this.clock.time / this.clock.end : 0;
            cursor.style.transform = `translateX(${share * line.clientWidth}px)`;
            line.setAttribute("aria-valuenow", this.clock.time.toFixed(1));
            line.setAttribute("aria-valuemax", this.clock.end.toFixed(1));
        };
    }

    drawLine(context, width, height) {
        const style = getComputedStyle(document.body);
        this.curves.forEach(({ data }, k) => {
            if (!data?.times.length) return;
            context.beginPath();
            data.times.forEach((time, index) => context.lineTo((time / Math.max(1e-9, this.clock.end)) * width, (1 - data.union[index]) * (height - 6) + 3));
            context.strokeStyle = style.getPropertyValue(COLOURS[k]);
            context.lineWidth = 1.8;
            context.stroke();
        });
    }

    addActions() {
        const { clock } = this, [first] = this.watches;
        const layers = find("layer-popup");
        const actions = {
            play: () => clock.toggle(), start: () => clock.seek(0, false), end: () => clock.seek(clock.end, false),
            live: () => { if (clock.growing) clock.follow(); }, back: () => clock.step(-1), on: () => clock.step(1),
            fit: () => first.fit(), theme: () => this.theme.toggle(), layers: () => { layers.hidden = !layers.hidden; },
        };
        for (const button of document.querySelectorAll("[data-act]")) {
            if (button.dataset.act in actions) button.addEventListener("click", () => actions[button.dataset.act]());
        }
        const keys = { " ": "play", ArrowLeft: "back", ArrowRight: "on", Home: "start", End: "end", l: "live", d: "theme", 0: "fit", b: "layers" };
        this.hearKey = event => {
            if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
            if (event.target.tagName === "BUTTON" && event.key === " ") return;
            if (event.key === "Escape") layers.hidden = true;
            else if (event.key in keys) { actions[keys[event.key]](); event.preventDefault(); }
        };
        document.addEventListener("keydown", this.hearKey);
    }

    tellConnection(watch, state, why) {
        const { told } = this.sides[this.watches.indexOf(watch)];
        watch.isAway = state !== "open";
        if (state === "closed") say(told, "connection lost; it comes back by itself");
        if (state === "gone") say(told, `cannot be watched: ${why}`);
    }

    /** What is said of both, a few times a second. */
    beat() {
        if (document.hidden) return;
        this.watches.forEach((watch, k) => {
            const { mission } = watch, { title, told } = this.sides[k];
            if (!mission || watch.isAway) return;
            say(title, `${mission.strategy} · ${mission.terrain.name} · ${mission.names.length} robots · seed ${mission.seed}`);
            const known = this.curves[k].value("union", Math.min(this.clock.time, mission.end));
            const end = watch.events.findLast(({ event }) => event === "end");
            const over = !mission.growing && this.clock.time >= mission.end - 1e-6;
            say(told, `${percent(known, 1)} explored${over ? ` · ${end?.text ?? "ended"} after ${clockText(mission.end)}` : ""}`);
            mark(told, "over", over);
        });
        this.playBar.update();
        this.cursor();
        if (this.drawn !== this.clock.end) { this.drawn = this.clock.end; this.line.paint(); }
    }

    close() {
        clearInterval(this.beating);
        document.removeEventListener("keydown", this.hearKey);
        for (const watch of this.watches) watch.close();
    }
}

function hasMap(mission, which) {
    return typeof which === "number" ? which < mission.names.length : which !== "base" || Boolean(mission.base);
}
