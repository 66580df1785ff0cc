// The cells as pixels: squares of 512 x 512 cells, one pixel a cell, painted where the drawing changed and then drawn to
// scale, so that a stroke costs what it touched whatever the size of the terrain.
const SIDE = 512;
const LOW_WALL_CM = 150;

export class Ground {
    constructor(drawing, materials) {
        this.drawing = drawing;
        this.materials = materials;
        this.squares = new Map();
    }

    setDark(dark) {
        this.colours = palette(this.materials, dark);
        this.drawing.touch(0, 0, this.drawing.rows, this.drawing.columns);
    }

    /** Paint cells anew. */
    paint({ bottom, left, top, right }) {
        for (let up = Math.floor(bottom / SIDE); up * SIDE < top; up++)
            for (let across = Math.floor(left / SIDE); across * SIDE < right; across++)
                this.paintPart(up, across, Math.max(bottom, up * SIDE), Math.max(left, across * SIDE),
                    Math.min(top, (up + 1) * SIDE), Math.min(right, (across + 1) * SIDE));
    }

    paintPart(up, across, bottom, left, top, right) {
        const { layers, rows, columns } = this.drawing;
        const { wall_height_cm: height, material, speed_percent: speed } = layers;
        const image = new ImageData(right - left, top - bottom);
        const pixels = new Uint32Array(image.data.buffer);
        let pixel = 0;
        for (let row = top - 1; row >= bottom; row--) {
            for (let cell = row * columns + left; cell < row * columns + right; cell++) {
                pixels[pixel++] = height[cell] === 0
                    ? this.colours[speed[cell]] : this.colours[101 + 2 * material[cell] + (height[cell] < LOW_WALL_CM)];
            }
        }
        const square = this.square(up, across, Math.min(SIDE, rows - up * SIDE), Math.min(SIDE, columns - across * SIDE));
        square.context.putImageData(image, left - across * SIDE, square.canvas.height - (top - up * SIDE));
    }

    square(up, across, rows, columns) {
        const key = `${up},${across}`;
        if (!this.squares.has(key)) {
            const canvas = new OffscreenCanvas(columns, rows);
            this.squares.set(key, { up, across, canvas, context: canvas.getContext("2d", { alpha: false }) });
        }
        return this.squares.get(key);
    }

    /** Draw all squares that a rectangle of the screen shows part of. */
    draw(context, camera, [left, top, right, bottom]) {
        const { drawing } = this;
        const ratio = devicePixelRatio || 1;
        const edge = value => Math.round(value * ratio) / ratio;
        context.imageSmoothingEnabled = camera.scale * drawing.resolution * ratio < 1;
        context.imageSmoothingQuality = "medium";
        for (const { up, across, canvas } of this.squares.values()) {
            const [x1, y2] = camera.screen(drawing.x(across * SIDE), drawing.y(up * SIDE)).map(edge);
            const [x2, y1] = camera.screen(drawing.x(across * SIDE + canvas.width), drawing.y(up * SIDE + canvas.height)).map(edge);
            if (x2 > left && x1 < right && y2 > top && y1 < bottom) context.drawImage(canvas, x1, y1, x2 - x1, y2 - y1);
        }
    }
}

/** Free ground by its speed, then a high and a low wall of each material, as ABGR. */
function palette(materials, dark) {
    const [smooth, rough] = dark ? [[28, 32, 39], [96, 80, 30]] : [[255, 255, 255], [243, 223, 124]];
    const colours = new Uint32Array(101 + 2 * materials.length);
    for (let speed = 0; speed <= 100; speed++) colours[speed] = packed(mix(smooth, rough, 1 - speed / 100));
    materials.forEach(({ colour }, index) => {
        const plain = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16));
        const high = dark ? mix(plain, [255, 255, 255], 0.42) : plain;
        colours[101 + 2 * index] = packed(high);
        colours[102 + 2 * index] = packed(mix(high, smooth, 0.5));
    });
    return colours;
}

function mix(one, other, share) { return one.map((value, index) => Math.round(value + (other[index] - value) * share)); }
function packed([red, green, blue]) { return (255 << 24 | blue << 16 | green << 8 | red) >>> 0; }
