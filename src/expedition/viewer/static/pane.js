// One map on the page: canvases on top of each other, each redrawn as often as what is on it changes.
const SHEETS = ["ground", "trails", "slow", "fast"];
const SLOW = 200;  // Milliseconds between two drawings of what changes now and then.

export class Pane {
    constructor(watch, side) {
        this.watch = watch;
        this.side = side;
        this.element = document.createElement("div");
        this.element.className = `pane pane-${side}`;
        this.sheets = Object.fromEntries(SHEETS.map(name => {
            const canvas = document.createElement("canvas");
            canvas.className = `sheet sheet-${name}`;
            this.element.append(canvas);
            return [name, { canvas, context: canvas.getContext("2d"), drawn: -Infinity, camera: -1, stale: true, until: -Infinity }];
        }));
        this.resizing = new ResizeObserver(() => this.resize());
        this.resizing.observe(this.element);
        this.width = this.height = 0;
    }

    resize() {
        const { width, height } = this.element.getBoundingClientRect();
        this.ratio = Math.min(2, window.devicePixelRatio || 1);
        if (!width || !height) return;
        const isFirst = !this.width;
        [this.width, this.height] = [width, height];
        for (const sheet of Object.values(this.sheets)) {
            sheet.canvas.width = Math.round(width * this.ratio);
            sheet.canvas.height = Math.round(height * this.ratio);
            sheet.stale = true;
        }
        if (isFirst) this.watch.paneIsReady(this);
        this.watch.redraw();
    }

    /** What is on a sheet has changed. */
    stale(...names) { for (const name of names.length ? names : SHEETS) this.sheets[name].stale = true; }

    draw(now, view) {
        if (!this.width) return;
        const { camera, clock } = this.watch;
        for (const [name, sheet] of Object.entries(this.sheets)) {
            const moved = sheet.camera !== camera.version;
            const goesOn = name === "fast" || (name === "trails" && clock.time !== sheet.time);
            const isDue = moved || name === "fast" || sheet.stale && now - sheet.drawn >= (name === "slow" ? SLOW : SLOW / 2)
                || (name === "slow" && clock.time !== sheet.time && now - sheet.drawn >= SLOW)
                || (name === "trails" && goesOn && now - sheet.drawn >= SLOW);
            if (!isDue) continue;
            if (name === "trails" && !moved && !sheet.stale && clock.time > sheet.time) {
                this.drawLayers(name, sheet, view, sheet.until);
            } else {
                sheet.context.setTransform(1, 0, 0, 1, 0, 0);
                sheet.context.clearRect(0, 0, sheet.canvas.width, sheet.canvas.height);
                sheet.until = -Infinity;
                this.drawLayers(name, sheet, view, -Infinity);
            }
            Object.assign(sheet, { drawn: now, camera: camera.version, stale: false, time: clock.time });
        }
    }

    drawLayers(name, sheet, view, since) {
        const { camera, layers } = this.watch, { context } = sheet, { ratio, width, height } = this;
        const scale = camera.scale;
        const toMetres = () => context.setTransform(
            ratio * scale, 0, 0, -ratio * scale, ratio * (width / 2 - camera.x * scale), ratio * (height / 2 + camera.y * scale));
        const write = (text, x, y, { dx = 0, dy = 0, colour = view.theme.ink, size = 11, weight = 400, align = "left" } = {}) => {
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
            context.font = `${weight} ${size}px system-ui, sans-serif`;
            context.textAlign = align;
            const px = width / 2 + (x - camera.x) * scale + dx, py = height / 2 - (y - camera.y) * scale + dy;
            context.lineWidth = 3;
            context.strokeStyle = view.theme.halo;
            context.strokeText(text, px, py);
            context.fillStyle = colour;
            context.fillText(text, px, py);
            toMetres();
        };
        for (const layer of layers.on(name)) {
            toMetres();
            const until = layer.draw({ ...view, context, pane: this.side, keeper: this.keeper, scale, since, write, width, height });
            if (until !== undefined) sheet.until = until;
        }
    }

    close() { this.resizing.disconnect(); }
}
