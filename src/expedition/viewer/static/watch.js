// A mission that is watched: what the server tells of it, the clock, and the panes that show it.
import { Camera } from "./camera.js";
import { Clock } from "./clock.js";
import { mapColours, THEMES } from "./colours.js";
import { LayerSet } from "./layerset.js";
import { MapKeeper } from "./maps.js";
import { Pane } from "./pane.js";
import { joined, Tracks } from "./tracks.js";
import { Wire } from "./wire.js";

const FRAME = 1000 / 30 - 4;  // Milliseconds between two frames at least: more are seen by nobody, and cost the mission.
const MOMENT = 250;  // Milliseconds between two questions for what changes now and then.
const MAP = 200;
const SIDES = { both: ["truth", "belief"], belief: ["belief"], truth: ["truth"], over: ["belief"] };

export class Watch extends EventTarget {
    /** `clock`, `camera` and `layers` may be those of another mission, to show both in step. */
    constructor(element, address, { clock, camera, layers } = {}) {
        super();
        this.element = element;
        this.clock = clock ?? new Clock();
        this.camera = camera ?? new Camera();
        this.layers = layers ?? new LayerSet();
        this.ownsClock = !clock;
        this.which = "union";
        this.sides = "belief";
        this.selected = null;
        this.moment = {};
        this.panes = [];
        this.keepers = new Map();
        this.frames = 0;
        this.dirty = true;
        this.theme = THEMES[document.body.classList.contains("body--dark") ? "dark" : "light"];
        this.layers.addEventListener("change", () => { this.stale(); this.askMoment(true); });
        this.camera.addEventListener("change", () => this.redraw());
        this.clock.addEventListener("change", () => this.redraw());
        this.clock.addEventListener("seek", () => this.askMoment(true));
        this.wire = new Wire(address, frame => this.hear(frame), (state, why) => this.tell("connection", { state, why }));
        this.loop = requestAnimationFrame(now => this.tick(now));
    }

    tell(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { detail })); }

    hear(frame) {
        if (frame.kind === "hello") this.begin(frame);
        if (frame.kind === "news") this.news(frame);
    }

    begin(mission) {
        const again = this.mission !== undefined;
        this.mission = mission;
        this.events = mission.events;
        this.tracks = new Tracks(this.wire, mission, () => this.redraw());
        this.keepers.clear();
        this.trails = undefined;
        this.setLimit();
        if (!again) {
            if (mission.growing && this.ownsClock) this.clock.follow();
            this.show(this.sides);
        }
        this.tell("mission");
        this.stale();
        this.askTrails();
    }

    news({ end, growing, events, first_event: first }) {
        Object.assign(this.mission, { end, growing });
        this.tracks.end = end;
        this.events = [...this.events.slice(0, first), ...events];
        this.setLimit();
        this.tell("news");
    }

    setLimit() {
        const { end, growing } = this.mission;
        this.tracks.growing = growing;
        this.clock.setLimit(this, end, growing, time => this.tracks.loaded(time));
    }

    /** Show the truth, what is believed, both beside each other, or one over the other. */
    show(sides) {
        this.sides = sides;
        for (const pane of this.panes) { pane.close(); pane.element.remove(); }
        this.panes = SIDES[sides].map(side => new Pane(this, side));
        this.element.append(...this.panes.map(pane => pane.element));
        this.tell("view");
    }

    showMap(which) {
        this.which = which;
        this.stale();
        this.askMoment(true);
        this.tell("view");
    }

    select(robot) {
        this.selected = robot;
        this.askMoment(true);
        this.tell("select");
        this.redraw();
    }

    paneIsReady(pane) {
        if (this.fitted) return;
        this.fitted = true;
        this.camera.fit(this.mission.terrain.extent, pane.width, pane.height);
    }

    keeper(which) {
        if (!this.keepers.has(which)) {
            const onChange = () => { for (const pane of this.panes) pane.stale("ground"); this.redraw(); };
            this.keepers.set(which, new MapKeeper(this.wire, this.mission, which, mapColours(this.theme), onChange));
        }
        return this.keepers.get(which);
    }

    stale(...sheets) { for (const pane of this.panes) pane.stale(...sheets); this.redraw(); }

    redraw() { this.dirty = true; }

    tick(now) {
        this.loop = requestAnimationFrame(later => this.tick(later));
        if (this.last !== undefined && now - this.last < FRAME) return;
        const passed = Math.min(0.25, (now - (this.last ?? now)) / 1000);
        this.last = now;
        if (!this.mission) return;
        if (this.ownsClock) this.clock.advance(passed);
        const { clock } = this;
        const moves = clock.playing || clock.following;
        this.tracks.want(clock.time, clock.speed);
        if (moves || clock.time !== this.shown) { this.askMoment(false, now); this.followMaps(now); }
        if (!this.dirty && !moves && clock.time === this.shown && !this.isWaiting) return;
        this.draw(now);
        if (moves && (this.beat === undefined || now - this.beat > 250)) { this.beat = now; this.askTrails(); this.tell("time"); }
        if (!moves && clock.time !== this.shown) this.tell("time");
        this.shown = clock.time;
    }

    draw(now) {
        const state = this.tracks.at(Math.min(this.clock.time, this.mission.end));
        if (!state) { this.isWaiting = true; return; }
        this.isWaiting = this.panes.some(pane => Object.values(pane.sheets).some(sheet => sheet.stale));
        this.dirty = false;
        this.state = state;
        this.frames++;
        const { mission, moment, theme } = this;
        const view = { mission, state, moment, theme, time: this.clock.time, watch: this };
        for (const pane of this.panes) {
            pane.keeper = this.keeper(pane.side === "truth" ? "truth" : this.which);
            pane.draw(now, view);
        }
        this.tell("frame");
    }

    followMaps(now) {
        if (this.mapsAsked !== undefined && now - this.mapsAsked < MAP && this.clock.playing) return;
        this.mapsAsked = now;
        for (const pane of this.panes) pane.keeper?.follow(this.clock.time);
        if (!this.panes.every(pane => pane.keeper)) this.mapsAsked = undefined;
    }

    /** Ask for what changes now and then, of the time that is shown; at once, or if the last time is a while ago. */
    async askMoment(atOnce, now = performance.now()) {
        if (!this.mission) return;
        if (this.momentBusy) { this.momentAgain ||= atOnce; return; }
        if (!atOnce && this.momentAsked !== undefined && now - this.momentAsked < MOMENT) return;
        this.momentBusy = true;
        this.momentAsked = now;
        const parts = [...this.layers.parts, ...(this.selected === null ? [] : ["minds", "words"])];
        const fields = { time: this.clock.time, parts: [...new Set(parts)], which: this.which };
        if (this.selected !== null) fields.robots = [this.selected];
        try {
            this.moment = await this.wire.ask("moment", fields);
            this.stale("slow");
            this.tell("moment");
        } catch { /* Asked again later. */ } finally {
            this.momentBusy = false;
            if (this.momentAgain) { this.momentAgain = false; this.askMoment(true); }
        }
    }

    /** Ask where robots have been, or where they went since. */
    async askTrails() {
        const { trails } = this;
        if (this.trailsBusy || !this.mission || (trails && trails.end >= this.mission.end)) return;
        this.trailsBusy = true;
        try {
            const after = trails ? { after: trails.times.at(-1) ?? -1, every: trails.every } : {};
            const { arrays, end, every } = await this.wire.ask("trails", after);
            for (const name of Object.keys(arrays)) {
                if (trails) arrays[name] = joined(trails[name], arrays[name]);
            }
            this.trails = { ...arrays, end, every };
            if (!trails) this.stale("trails");
        } catch { /* Asked again later. */ } finally { this.trailsBusy = false; }
    }

    close() {
        cancelAnimationFrame(this.loop);
        this.clock.forget(this);
        for (const pane of this.panes) pane.close();
        this.wire.socket.onclose = null;
        this.wire.socket.close();
    }
}
