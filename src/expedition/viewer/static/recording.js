// A context that remembers as SVG what is drawn: the calls that layers use, for transforms that keep circles round.
const escaped = text => String(text).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
const short = value => String(Number(value.toFixed(2)));

export class RecordingContext {
    constructor() {
        this.isRecording = true;
        this.parts = [];
        this.kept = [];
        Object.assign(this, { fillStyle: "#000000", strokeStyle: "#000000", lineWidth: 1, globalAlpha: 1, lineJoin: "miter", font: "", textAlign: "left", dash: [] });
        this.setTransform(1, 0, 0, 1, 0, 0);
        this.beginPath();
    }

    setTransform(a, b, c, d, e, f) { this.matrix = [a, b, c, d, e, f]; }

    save() { this.kept.push(this.matrix); }

    restore() { this.matrix = this.kept.pop(); }

    translate(x, y) {
        const [a, b, c, d] = this.matrix;
        this.matrix = [a, b, c, d, ...this.at(x, y)];
    }

    scale(x, y) {
        const [a, b, c, d, e, f] = this.matrix;
        this.matrix = [a * x, b * x, c * y, d * y, e, f];
    }

    at(x, y) {
        const [a, b, c, d, e, f] = this.matrix;
        return [a * x + c * y + e, b * x + d * y + f];
    }

    get grows() { return Math.sqrt(Math.abs(this.matrix[0] * this.matrix[3] - this.matrix[1] * this.matrix[2])); }

    point(x, y) { return this.at(x, y).map(short).join(" "); }

    beginPath() { this.path = []; this.empty = true; }

    moveTo(x, y) { this.path.push(`M${this.point(x, y)}`); this.empty = false; }

    lineTo(x, y) { this.path.push(`${this.empty ? "M" : "L"}${this.point(x, y)}`); this.empty = false; }

    closePath() { if (!this.empty) this.path.push("Z"); }

    /** Whole circles only. */
    arc(x, y, radius) { this.ellipse(x, y, radius, radius, 0); }

    /** Whole ellipses only. */
    ellipse(x, y, long, short_, angle) {
        const c = Math.cos(angle), s = Math.sin(angle), grows = this.grows;
        const [from, to] = [1, -1].map(side => this.at(x + side * long * c, y + side * long * s));
        const turned = Math.atan2(to[1] - from[1], to[0] - from[0]) * 180 / Math.PI;
        const half = end => `A${short(long * grows)} ${short(short_ * grows)} ${short(turned)} 1 1 ${end.map(short).join(" ")}`;
        this.path.push(`M${from.map(short).join(" ")}`, half(to), half(from));
        this.empty = false;
    }

    setLineDash(dash) { this.dash = dash; }

    fill() { this.draw(`fill="${this.fillStyle}"`); }

    stroke() {
        const dash = this.dash.length ? ` stroke-dasharray="${this.dash.map(one => short(one * this.grows)).join(" ")}"` : "";
        this.draw(`fill="none" stroke="${this.strokeStyle}" stroke-width="${short(this.lineWidth * this.grows)}"${this.lineJoin === "round" ? ' stroke-linejoin="round"' : ""}${dash}`);
    }

    draw(how) { if (this.path.length) this.parts.push(`<path d="${this.path.join("")}" ${how}${this.faded}/>`); }

    get faded() { return this.globalAlpha < 1 ? ` opacity="${short(this.globalAlpha)}"` : ""; }

    box(x, y, width, height, use) {
        const kept = this.path, empty = this.empty;
        this.beginPath();
        this.moveTo(x, y);
        this.lineTo(x + width, y);
        this.lineTo(x + width, y + height);
        this.lineTo(x, y + height);
        this.closePath();
        use();
        [this.path, this.empty] = [kept, empty];
    }

    fillRect(x, y, width, height) { this.box(x, y, width, height, () => this.fill()); }

    strokeRect(x, y, width, height) { this.box(x, y, width, height, () => this.stroke()); }

    /** Words with a rim around them. */
    haloText(text, x, y) {
        const [, weight, size] = /^(\d+) ([\d.]+)px/.exec(this.font), [px, py] = this.at(x, y), anchor = { left: "start", center: "middle", right: "end" }[this.textAlign];
        this.parts.push(`<text x="${short(px)}" y="${short(py)}" font-size="${size}" font-weight="${weight}" text-anchor="${anchor}" fill="${this.fillStyle}" stroke="${this.strokeStyle}" stroke-width="${this.lineWidth}" stroke-linejoin="round" paint-order="stroke">${escaped(text)}</text>`);
    }

    /** A picture of a pixel a cell, as it is. */
    drawImage(image, x, y) {
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        canvas.getContext("2d").drawImage(image, 0, 0);
        const [a, b, c, d, e, f] = this.matrix;
        this.parts.push(`<image x="${x}" y="${y}" width="${image.width}" height="${image.height}" transform="matrix(${[a, b, c, d, e, f].join(" ")})" preserveAspectRatio="none" style="image-rendering: pixelated" href="${canvas.toDataURL("image/png")}"${this.faded}/>`);
    }
}
