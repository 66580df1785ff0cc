// One map on the page: canvases on top of each other, each redrawn as often as what is on it changes.
import { Furniture } from "./furniture.js";
import { Places, writeAt } from "./labels.js";
import { Pointer } from "./pointer.js";
import { drawRuler, drawTwin } from "./ruler.js";

export const SHEETS = ["ground", "trails", "slow", "fast"];
const SLOW = 200;  // Milliseconds between two drawings of what changes now and then.
const QUICK = 6;  // Milliseconds that drawing a sheet may take each time the camera moves; others are shifted meanwhile.
const FEW = 30;  // Robots up to which the slow sheet may be drawn more often, if that is cheap.

export class Pane {
    /** `side` is "truth" or "belief"; `over` says that differences from the truth are shown. */
    constructor(watch, side, over = false) {
        Object.assign(this, { watch, side, over, width: 0, height: 0, ratio: 1 });
        this.element = document.createElement("div");
        this.element.className = `pane pane-${side}`;
        this.sheets = Object.fromEntries(SHEETS.map(name => {
            const canvas = document.createElement("canvas");
            canvas.className = `sheet sheet-${name}`;
            this.element.append(canvas);
            const context = canvas.getContext("2d");
            return [name, { canvas, context, drawn: -Infinity, version: -1, stale: true, until: -Infinity, cost: 0, camera: {} }];
        }));
        this.furniture = new Furniture(this);
        this.pointer = new Pointer(this);
        this.resizing = new ResizeObserver(() => this.resize());
        this.resizing.observe(this.element);
    }

    resize() {
        const { width, height } = this.element.getBoundingClientRect();
        this.ratio = Math.min(2, window.devicePixelRatio || 1);
        if (!width || !height) return;
        [this.width, this.height] = [width, height];
        for (const sheet of Object.values(this.sheets)) {
            sheet.canvas.width = Math.round(width * this.ratio);
            sheet.canvas.height = Math.round(height * this.ratio);
            Object.assign(sheet, { stale: true, drawn: -Infinity });
        }
        this.watch.paneIsReady();
        this.watch.redraw();
    }

    /** What is on a sheet has changed. */
    stale(...names) { for (const name of names.length ? names : SHEETS) this.sheets[name].stale = true; }

    /** Whether some sheet has to be drawn again as soon as it has rested. */
    get isStale() { return SHEETS.some(name => this.sheets[name].stale || this.sheets[name].late); }

    draw(now, view) {
        if (!this.width) return;
        for (const name of SHEETS) this.drawSheet(name, this.sheets[name], now, view);
        this.furniture.update();
    }

    drawSheet(name, sheet, now, view) {
        const { camera, clock } = this.watch;
        const moved = sheet.version !== camera.version, waited = now - sheet.drawn;
        const late = clock.time !== sheet.time && (name === "slow" || name === "trails");
        const rests = this.rest(name, sheet);
        const isDue = name === "fast" || (moved && (sheet.cost <= QUICK || waited >= SLOW)) || (sheet.stale && waited >= rests)
            || (late && waited >= rests);
        sheet.late = late && !isDue;
        if (!isDue) {
            if (moved) { this.shift(sheet); sheet.stale = true; }
            return;
        }
        const began = performance.now();
        if (name === "trails" && !moved && !sheet.stale && clock.time > sheet.time) {
            this.drawLayers(name, sheet, view, sheet.until);
        } else {
            sheet.context.setTransform(1, 0, 0, 1, 0, 0);
            sheet.context.clearRect(0, 0, sheet.canvas.width, sheet.canvas.height);
            sheet.canvas.style.transform = "";
            sheet.camera = { x: camera.x, y: camera.y, scale: camera.scale };
            sheet.until = -Infinity;
            this.drawLayers(name, sheet, view, -Infinity);
            if (name === "fast") {
                const tools = this.tools(sheet.context, this.ratio, sheet.camera, view);
                drawRuler(tools);
                drawTwin(tools);
            }
            sheet.cost = performance.now() - began;
        }
        Object.assign(sheet, { drawn: now, version: camera.version, stale: false, time: clock.time });
    }

    /** Milliseconds between two drawings of a sheet. */
    rest(name, sheet) {
        if (name === "ground") return SLOW / 2;
        const isFew = this.watch.mission.names.length <= FEW;
        return name === "slow" && isFew ? Math.min(SLOW, Math.max(40, 10 * sheet.cost)) : SLOW;
    }

    /** Move what is drawn to where the camera looks now: cheaper than drawing it, and nearly the same. */
    shift(sheet) {
        const { camera } = this.watch, { x, y, scale } = sheet.camera;
        if (scale === undefined) return;
        const grow = camera.scale / scale;
        const dx = (x - camera.x) * camera.scale, dy = (camera.y - y) * camera.scale;
        sheet.canvas.style.transform = `translate(${dx}px, ${dy}px) scale(${grow})`;
    }

    drawLayers(name, sheet, view, since) {
        const tools = this.tools(sheet.context, this.ratio, sheet.camera, view, since);
        for (const layer of this.watch.layers.on(name)) {
            tools.toMetres();
            const until = layer.draw(tools);
            if (until !== undefined) sheet.until = until;
        }
    }

    /** Draw everything at once into another context. */
    drawAll(context, ratio, view) {
        const { camera, layers } = this.watch;
        const tools = this.tools(context, ratio, camera, view);
        for (const name of SHEETS) {
            tools.places = new Places();
            for (const layer of layers.on(name)) { tools.toMetres(); layer.draw(tools); }
        }
        drawRuler(tools);
        tools.toPixels();
        this.furniture.drawInto(context, ratio, view.theme);
    }

    /** What a layer draws with: see layers/index.js. */
    tools(context, ratio, camera, view, since = -Infinity) {
        const { width, height } = this, scale = camera.scale;
        const toMetres = () => context.setTransform(
            ratio * scale, 0, 0, -ratio * scale, ratio * (width / 2 - camera.x * scale), ratio * (height / 2 + camera.y * scale));
        const toPixels = () => context.setTransform(ratio, 0, 0, ratio, 0, 0);
        const toPixel = (x, y) => [width / 2 + (x - camera.x) * scale, height / 2 - (y - camera.y) * scale];
        const write = (text, x, y, { dx = 0, dy = 0, colour = view.theme.ink, ...style } = {}) => {
            const px = width / 2 + (x - camera.x) * scale + dx, py = height / 2 - (y - camera.y) * scale + dy;
            if (px < -200 || py < -20 || px > width + 200 || py > height + 20) return;
            writeAt(context, text, px, py, { colour, halo: view.theme.halo, ratio, ...style });
            toMetres();
        };
        const { side: pane, over, keeper } = this;
        return {
            ...view, context, pane, over, keeper, scale, since, write, toMetres, toPixels, toPixel, width, height,
            places: new Places(), poses: pane === "truth" ? view.state.poses : view.state.believed,
        };
    }

    close() { this.resizing.disconnect(); this.pointer.close(); }
}
