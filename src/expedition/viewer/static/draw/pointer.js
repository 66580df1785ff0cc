// Mouse, pen and fingers to one pointer: one finger or the left button uses the tool; two fingers, the middle button, or
// Space with a drag move the sheet; the wheel zooms.
export class Pointer {
    constructor(target, editor) {
        this.target = target;
        this.editor = editor;
        this.fingers = new Map();
        this.space = false;
        const listen = (type, heard) => target.addEventListener(type, heard, { passive: false });
        listen("pointerdown", event => this.down(event));
        listen("pointermove", event => this.move(event));
        listen("pointerup", event => this.up(event));
        listen("pointercancel", event => this.lost(event));
        listen("pointerleave", () => editor.leave());
        listen("wheel", event => this.wheel(event));
        listen("dblclick", () => { editor.tool.finish(); editor.view.redraw(); });
        listen("contextmenu", event => { event.preventDefault(); editor.tool.finish(); editor.view.redraw(); });
    }

    /** The place of an event on the sheet. */
    point(event) {
        const { editor } = this;
        const box = this.target.getBoundingClientRect();
        const [px, py] = [event.clientX - box.left, event.clientY - box.top];
        const [x, y] = editor.view.camera.world(px, py);
        const step = event.altKey ? 0 : editor.settings.snapStep(editor.drawing);
        const snap = value => step ? Math.round(Math.round(value / step) * step * 1e6) / 1e6 : Math.round(value * 1e4) / 1e4;
        const touch = event.pointerType === "touch";
        const slack = (touch ? 20 : 10) / editor.view.camera.scale;
        return { px, py, x, y, snapX: snap(x), snapY: snap(y), step, shift: event.shiftKey, alt: event.altKey, touch, slack };
    }

    down(event) {
        this.target.focus({ preventScroll: true });
        this.target.setPointerCapture(event.pointerId);
        event.preventDefault();
        if (!this.editor.importing) this.editor.panel.place.classList.remove("shown");
        const p = this.point(event);
        if (event.pointerType === "touch") {
            this.fingers.set(event.pointerId, p);
            if (this.fingers.size === 2) { this.editor.tool.cancel(); this.using = false; this.pinch = this.spread(); }
            if (this.fingers.size >= 2) return;
        }
        if (event.button === 1 || (event.button === 0 && (this.space || this.editor.importing))) { this.panning = p; return; }
        if (event.button !== 0) return;
        this.using = true;
        this.editor.tool.down(p);
        this.editor.hover(p);
    }

    move(event) {
        const p = this.point(event);
        if (event.pointerType === "touch" && this.fingers.has(event.pointerId)) this.fingers.set(event.pointerId, p);
        if (this.pinch && this.fingers.size >= 2) { this.pinchTo(this.spread()); return; }
        if (this.panning) {
            this.editor.view.pan(p.px - this.panning.px, p.py - this.panning.py);
            this.panning = p;
            return;
        }
        // A fast hand moves far between two frames: a brush must not cut its corners.
        const steps = this.using ? event.getCoalescedEvents?.() ?? [] : [];
        for (const each of steps.length > 1 ? steps : [event]) this.editor.tool.move(this.point(each));
        this.editor.hover(p);
    }

    up(event) {
        const p = this.point(event);
        this.fingers.delete(event.pointerId);
        if (this.fingers.size < 2) this.pinch = null;
        this.panning = null;
        if (this.using) { this.using = false; this.editor.tool.up(p); }
        this.editor.hover(p);
    }

    lost(event) {
        this.fingers.delete(event.pointerId);
        this.pinch = this.panning = null;
        if (this.using) { this.using = false; this.editor.tool.cancel(); this.editor.view.redraw(); }
    }

    spread() {
        const [one, other] = [...this.fingers.values()];
        return { x: (one.px + other.px) / 2, y: (one.py + other.py) / 2, apart: Math.max(1, Math.hypot(one.px - other.px, one.py - other.py)) };
    }

    pinchTo(now) {
        this.editor.view.pan(now.x - this.pinch.x, now.y - this.pinch.y);
        this.editor.view.zoom(now.apart / this.pinch.apart, now.x, now.y);
        this.pinch = now;
    }

    wheel(event) {
        event.preventDefault();
        const { px, py } = this.point(event);
        if (event.shiftKey) { this.editor.view.pan(-event.deltaY - event.deltaX, 0); return; }
        const lines = event.deltaMode === 1 ? 20 : 1;
        this.editor.view.zoom(Math.exp(-0.0015 * lines * event.deltaY), px, py);
    }
}
