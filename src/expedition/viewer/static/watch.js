// A mission that is watched: what the server tells of it, the clock, and the panes that show it.
import { Camera } from "./camera.js";
import { Clock } from "./clock.js";
import { mapColours, THEMES } from "./colours.js";
import { CostKeeper, History } from "./grids.js";
import { LayerSet } from "./layerset.js";
import { MapKeeper } from "./maps.js";
import { Pane } from "./pane.js";
import { pictureOf, svgOf } from "./picture.js";
import { measured } from "./ruler.js";
import { joined, Tracks } from "./tracks.js";
import { Wire } from "./wire.js";

const FRAME = 1000 / 30 - 4;  // Milliseconds between two frames at least: more are seen by nobody, and cost the mission.
const MOMENT = 250;  // Milliseconds between two questions for what changes now and then.
const MAP = 200;
const PREPARE = 100;  // Milliseconds between two looks at what layers need.
const FEW = 12;  // Robots up to which the scans of all are asked for.
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
        this.followed = null;  // The robot that the camera stays with.
        this.hover = null;  // What is under the pointer, see hover.js.
        this.measure = null;  // The two ends of the ruler.
        this.bitmaps = new Map();
        this.history = new History(this);
        this.costs = new CostKeeper(this);
        this.moment = {};
        this.also = new Set();  // Parts of the moment that panels need.
        this.panes = [];
        this.keepers = new Map();
        this.frames = 0;
        this.dirty = true;
        this.theme = THEMES[document.body.classList.contains("body--dark") ? "dark" : "light"];
        this.layers.addEventListener("change", () => { this.stale(); this.askMoment(true); });
        this.camera.addEventListener("change", () => this.redraw());
        this.clock.addEventListener("change", () => this.settle());
        this.clock.addEventListener("seek", () => this.sought());
        this.wire = new Wire(address, frame => this.hear(frame), (state, why) => this.tell("connection", { state, why }));
        this.loop = requestAnimationFrame(now => this.tick(now));
    }

    tell(name, detail = {}) { this.dispatchEvent(new CustomEvent(name, { detail })); }

    hear(frame) {
        if (frame.kind === "waiting") this.tell("connection", { state: "waiting" });
        if (frame.kind === "hello") this.begin(frame);
        if (frame.kind === "news") this.news(frame);
    }

    begin(mission) {
        const again = this.mission !== undefined;
        this.mission = mission;
        this.events = mission.events;
        this.tracks = new Tracks(this.wire, mission, () => this.redraw());
        this.keepers.clear();
        this.bitmaps.clear();
        this.history = new History(this);
        this.costs = new CostKeeper(this);
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
        this.panes = SIDES[sides].map(side => new Pane(this, side, sides === "over"));
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
        this.stale("slow");
    }

    /** Keep the camera on a robot; null for none. */
    followRobot(robot) {
        if (robot === this.followed) return;
        this.followed = robot;
        this.tell("follow");
        this.redraw();
    }

    /** See the whole terrain. */
    fit() {
        const pane = this.panes.find(one => one.width);
        if (!pane) return;
        this.followRobot(null);
        this.camera.fit(this.mission.terrain.extent, pane.width, pane.height);
        this.fitted = this.camera.version;
    }

    /** Zoom around the middle, and go to the side by pixels. */
    zoomBy(factor) {
        const { width, height } = this.panes[0];
        this.camera.zoom(factor, width / 2, height / 2, width, height);
    }

    panBy(dx, dy) { this.followRobot(null); this.camera.pan(dx, dy); }

    /** Whether clicks measure. */
    get ruler() { return this.measuring ?? false; }
    set ruler(on) {
        this.measuring = Boolean(on);
        for (const pane of this.panes) pane.pointer.measuring = false;
        if (!on) this.setMeasure(null);
        this.tell("view");
    }

    setMeasure(ends) {
        this.measure = ends;
        this.tell("measure", ends ? { ends, ...measured(ends) } : {});
        this.redraw();
    }

    setHover(found) {
        if (found === null && this.hover === null) return;
        this.hover = found;
        this.tell("hover", found ?? {});
        this.redraw();
    }

    setTheme(name) {
        this.theme = THEMES[name];
        for (const keeper of this.keepers.values()) keeper.setColours(mapColours(this.theme));
        this.stale();
    }

    /** Whether everything of the time that is shown is here and drawn: the moment for a picture. */
    get isSettled() {
        const { clock, panes } = this;
        if (!this.state || this.dirty || this.isWaiting || this.momentBusy || this.moment.time !== clock.time || !panes.length) return false;
        if (this.state.time !== Math.min(clock.time, this.mission.end) || !this.trails) return false;
        return panes.every(pane => pane.width && !pane.isStale && pane.keeper?.wanted === clock.time)
            && (this.sides !== "over" || this.keeper("truth").wanted === clock.time)
            && this.layers.active.every(layer => layer.isReady?.(this) ?? true);
    }

    /** A canvas of what is on the screen, `scale` times as large. */
    picture(scale = 1) { return pictureOf(this, scale); }

    /** The same as SVG. */
    svg() { return svgOf(this); }

    /** A picture of cells by name, made when first asked for with `make`. */
    bitmap(name, make) {
        if (make && !this.bitmaps.has(name)) this.bitmaps.set(name, make());
        return this.bitmaps.get(name);
    }

    paneIsReady() {
        // Whoever has not looked elsewhere goes on seeing everything.
        if (this.fitted === undefined || this.fitted === this.camera.version) this.fit();
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

    /** Somebody went to another moment: its track and its map are asked for before the rest. */
    sought() {
        if (!this.mission) return;
        this.tracks.want(this.clock.time, 0);
        this.mapsAsked = undefined;
        this.followMaps(performance.now());
        this.askMoment(true);
    }

    /** When the clock stops, everything is to be of the moment at which it stands. */
    settle() {
        this.redraw();
        const { playing, following, time } = this.clock;
        if (!playing && !following && this.moment.time !== time) this.askMoment(true);
    }

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
        if (moves || clock.time !== this.shown) this.askMoment(false, now);
        this.followMaps(now);
        this.prepare(now);
        if (!this.dirty && !moves && clock.time === this.shown && !this.isWaiting) return;
        this.draw(now);
        if (moves && (this.beat === undefined || now - this.beat > 250)) { this.beat = now; this.askTrails(); this.tell("time"); }
        if (!moves && clock.time !== this.shown) { this.askTrails(); this.tell("time"); }
        this.shown = clock.time;
    }

    /** What panes draw of. */
    view() {
        const { mission, moment, theme, state } = this;
        return { mission, state, moment, theme, time: this.clock.time, watch: this };
    }

    draw(now) {
        const state = this.tracks.at(Math.min(this.clock.time, this.mission.end));
        if (!state) { this.isWaiting = true; return; }
        this.dirty = false;
        this.state = state;
        this.frames++;
        if (this.followed !== null) {
            const poses = this.panes[0].side === "truth" ? state.poses : state.believed;
            this.camera.moveTo(poses[3 * this.followed], poses[3 * this.followed + 1]);
            this.dirty = false;
        }
        const view = this.view();
        for (const pane of this.panes) {
            pane.keeper = this.keeper(pane.side === "truth" ? "truth" : this.which);
            pane.draw(now, view);
        }
        this.isWaiting = this.panes.some(pane => pane.isStale);
        this.tell("frame");
    }

    /** Let layers that are on ask for what they need and paint what they show. */
    prepare(now) {
        if (this.prepared !== undefined && now - this.prepared < PREPARE) return;
        this.prepared = now;
        for (const layer of this.layers.active) layer.prepare?.(this);
    }

    /** Have the maps that are on the screen come closer to the time that is shown. */
    followMaps(now) {
        if (this.mapsAsked !== undefined && now - this.mapsAsked < MAP) return;
        const shown = new Set(this.panes.map(pane => (pane.side === "truth" ? "truth" : this.which)));
        if (this.sides === "over") shown.add("truth");
        const keepers = [...shown].map(which => this.keeper(which));
        // One that is on its way somewhere is told as soon as it is there.
        if (this.clock.playing || !keepers.some(keeper => keeper.busy)) this.mapsAsked = now;
        for (const keeper of keepers) keeper.follow(this.clock.time);
    }

    /** Ask for what changes now and then, of the time that is shown; at once, or if the last time is a while ago. */
    async askMoment(atOnce, now = performance.now()) {
        if (!this.mission) return;
        if (this.momentBusy) { this.momentAgain ||= atOnce; return; }
        if (!atOnce && this.momentAsked !== undefined && now - this.momentAsked < MOMENT) return;
        this.momentBusy = true;
        this.momentAsked = now;
        const parts = [...this.layers.parts, ...this.also, ...(this.selected === null ? [] : ["minds", "words"])];
        const fields = { time: this.clock.time, parts: [...new Set(parts)], which: this.which };
        if (this.selected !== null) fields.robots = [this.selected];
        else if (this.mission.names.length > FEW) fields.robots = [];
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
            // While time goes on, they are drawn further by themselves.
            const { playing, following } = this.clock;
            if (!trails || !(playing || following)) this.stale("trails");
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
