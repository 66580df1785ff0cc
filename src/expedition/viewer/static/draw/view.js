// The canvases: the ground beneath, painted where it changed, and above it everything that is not cells.
import { Camera } from "./camera.js";
import { Ground } from "./ground.js";
import { drawObjects } from "./sketch.js";
import { drawGrid, drawFindings } from "./guides.js";

export class View {
    constructor(place, editor) {
        this.editor = editor;
        this.camera = new Camera();
        this.below = canvas(place, "draw-ground");
        this.above = canvas(place, "draw-above");
        this.wanted = null;
        this.whole = true;
        this.paintedCells = 0;
        this.resizing = new ResizeObserver(() => this.resize());
        this.resizing.observe(place);
        this.place = place;
        this.resize();
    }

    setDrawing(drawing) {
        this.ground = new Ground(drawing, this.editor.materials);
        this.ground.setDark(this.editor.dark);
        this.fit();
    }

    setDark(dark) { this.ground?.setDark(dark); this.redraw(true); }

    fit() {
        const { drawing } = this.editor;
        const [x, y] = drawing.origin;
        this.camera.fit(x, y, x + drawing.width, y + drawing.height);
        this.redraw(true);
    }

    zoom(factor, px = this.camera.width / 2, py = this.camera.height / 2) {
        const { drawing } = this.editor;
        const least = 0.1 * Math.min(this.camera.width, this.camera.height) / Math.max(drawing.width, drawing.height);
        this.camera.zoom(factor, px, py, least, Math.max(least, 80 / drawing.resolution));
        this.redraw(true);
    }

    pan(dx, dy) { this.camera.pan(dx, dy); this.redraw(true); }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.place;
        if (!width || !height) return;
        const ratio = devicePixelRatio || 1;
        for (const layer of [this.below, this.above]) {
            layer.width = Math.round(width * ratio);
            layer.height = Math.round(height * ratio);
        }
        const first = this.camera.width === 1;
        Object.assign(this.camera, { width, height });
        if (first && this.editor.drawing) this.fit(); else this.redraw(true);
    }

    /** Draw at the next frame; the whole ground only if the camera or the colours changed. */
    redraw(whole = false) {
        this.whole ||= whole;
        this.wanted ??= requestAnimationFrame(() => { this.wanted = null; this.draw(); });
    }

    draw() {
        const { drawing } = this.editor;
        if (!drawing || !this.ground) return;
        const dirty = drawing.takeDirty();
        if (dirty) {
            this.ground.paint(dirty);
            this.paintedCells = (dirty.top - dirty.bottom) * (dirty.right - dirty.left);
        }
        if (this.whole) this.drawGround([0, 0, this.camera.width, this.camera.height]);
        else if (dirty) this.drawGround(this.onScreen(dirty));
        this.whole = false;
        this.drawAbove();
    }

    onScreen({ bottom, left, top, right }) {
        const { drawing } = this.editor;
        const [x1, y1] = this.camera.screen(drawing.x(left), drawing.y(top));
        const [x2, y2] = this.camera.screen(drawing.x(right), drawing.y(bottom));
        return [Math.floor(x1) - 2, Math.floor(y1) - 2, Math.ceil(x2) + 2, Math.ceil(y2) + 2];
    }

    drawGround(part) {
        const context = scaled(this.below);
        context.save();
        context.beginPath();
        context.rect(part[0], part[1], part[2] - part[0], part[3] - part[1]);
        context.clip();
        context.clearRect(part[0], part[1], part[2] - part[0], part[3] - part[1]);
        this.ground.draw(context, this.camera, part);
        context.restore();
    }

    drawAbove() {
        const { editor, camera } = this;
        const context = scaled(this.above);
        context.clearRect(0, 0, camera.width, camera.height);
        if (editor.settings.grid) drawGrid(context, camera, editor);
        drawFindings(context, camera, editor);
        const objects = editor.drawing.objects.map(object => object.id === editor.ghost?.id ? editor.ghost : object);
        drawObjects(context, camera, objects, { selected: editor.selected, colours: editor.robotColours, dark: editor.dark });
        editor.tool.draw(context, camera);
    }

    close() { this.resizing.disconnect(); cancelAnimationFrame(this.wanted); }
}

function canvas(place, name) {
    const made = document.createElement("canvas");
    made.className = name;
    place.append(made);
    return made;
}

function scaled(layer) {
    const context = layer.getContext("2d");
    const ratio = devicePixelRatio || 1;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    return context;
}
