// Mouse, pen and fingers on a pane: drag to pan, wheel or pinch to zoom, click to select, and the ruler.
import { robotAt, whatIsAt } from "./hover.js";

const STILL = 4;  // Pixels within which a press is a click.
const NEAR = { mouse: 14, pen: 18, touch: 24 };  // Pixels from a robot that still mean it.
const SAME = 350;  // Milliseconds between the two taps of a double tap.

export class Pointer {
    constructor(pane) {
        this.pane = pane;
        this.down = new Map();
        const on = (name, take) => pane.element.addEventListener(name, take.bind(this), { passive: false });
        on("pointerdown", this.press);
        on("pointermove", this.move);
        on("pointerup", this.release);
        on("pointercancel", event => { this.down.delete(event.pointerId); });
        on("pointerleave", this.leave);
        on("wheel", this.wheel);
        on("dblclick", () => { if (!this.watch.ruler) this.watch.fit(); });
    }

    get watch() { return this.pane.watch; }

    /** Where an event is, in pixels of the pane. */
    place({ clientX, clientY }) {
        const { left, top } = this.pane.element.getBoundingClientRect();
        return [clientX - left, clientY - top];
    }

    world([px, py]) { return this.watch.camera.toWorld(px, py, this.pane.width, this.pane.height); }

    press(event) {
        if (event.button > 1) return;
        const at = this.place(event);
        this.pane.element.setPointerCapture?.(event.pointerId);
        this.down.set(event.pointerId, { at, began: at, moved: false });
        if (this.watch.ruler && this.down.size === 1 && event.button === 0) this.measure(at);
    }

    measure(at) {
        const { watch } = this, here = this.world(at);
        if (this.measuring) { watch.setMeasure([watch.measure[0], here]); this.measuring = this.fresh = false; }
        else { watch.setMeasure([here, here]); this.measuring = this.fresh = true; }
    }

    move(event) {
        const at = this.place(event), finger = this.down.get(event.pointerId), { watch, pane } = this;
        if (finger) {
            const [dx, dy] = [at[0] - finger.at[0], at[1] - finger.at[1]];
            finger.moved ||= Math.hypot(at[0] - finger.began[0], at[1] - finger.began[1]) > STILL;
            if (this.down.size === 2) this.pinch(event.pointerId, finger.at, at);
            else if (watch.ruler && this.measuring) watch.setMeasure([watch.measure[0], this.world(at)]);
            else if (finger.moved && !watch.ruler) { watch.followRobot(null); watch.camera.pan(dx, dy); }
            if (finger.moved || this.down.size === 2 || watch.ruler) finger.at = at;
        } else if (this.measuring) watch.setMeasure([watch.measure[0], this.world(at)]);
        if (event.pointerType !== "touch" || !finger) this.hover(at);
        pane.element.style.cursor = watch.ruler ? "crosshair" : finger?.moved ? "grabbing" : watch.hover?.robot != null ? "pointer" : "";
    }

    pinch(id, before, at) {
        const other = [...this.down].find(([number]) => number !== id)[1].at, { camera } = this.watch, { width, height } = this.pane;
        const middle = point => [(point[0] + other[0]) / 2, (point[1] + other[1]) / 2];
        const gap = point => Math.max(10, Math.hypot(point[0] - other[0], point[1] - other[1]));
        const [from, to] = [middle(before), middle(at)];
        for (const one of this.down.values()) one.moved = true;
        camera.pan(to[0] - from[0], to[1] - from[1]);
        camera.zoom(gap(at) / gap(before), ...to, width, height);
    }

    release(event) {
        const finger = this.down.get(event.pointerId);
        this.down.delete(event.pointerId);
        if (!finger || this.down.size) return;
        const at = this.place(event), { watch } = this;
        if (watch.ruler) {
            // A drag ends here; after a click the second end is still to come.
            if (this.fresh && finger.moved) this.measuring = false;
            this.fresh = false;
            return;
        }
        if (finger.moved || event.button !== 0) return;
        if (event.pointerType === "touch") {
            const now = performance.now();
            if (this.tapped !== undefined && now - this.tapped < SAME) { this.tapped = undefined; watch.fit(); return; }
            this.tapped = now;
        }
        const robot = robotAt(watch, this.pane, ...at, NEAR[event.pointerType] ?? 14);
        if (robot !== watch.selected) watch.select(robot);
        this.hover(at);
    }

    hover(at) {
        this.at = at;
        if (this.waits) return;
        this.waits = requestAnimationFrame(() => {
            this.waits = undefined;
            if (this.at && this.watch.state) this.watch.setHover(whatIsAt(this.watch, this.pane, ...this.at));
        });
    }

    leave() { this.at = undefined; if (!this.down.size) this.watch.setHover(null); }

    wheel(event) {
        event.preventDefault();
        const { watch, pane } = this;
        const lines = event.deltaMode === 1 ? 30 : event.deltaMode === 2 ? 300 : 1;
        const factor = Math.exp(-Math.max(-300, Math.min(300, event.deltaY * lines)) * (event.ctrlKey ? 0.008 : 0.0018));
        if (watch.followed !== null) watch.camera.zoom(factor, pane.width / 2, pane.height / 2, pane.width, pane.height);
        else watch.camera.zoom(factor, ...this.place(event), pane.width, pane.height);
    }

    close() { if (this.waits) cancelAnimationFrame(this.waits); }
}
