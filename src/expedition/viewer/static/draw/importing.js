// An image becomes walls: the threshold can be tried until it is right, with the drawing shown as it would be.
import { Drawing, LAYERS, MOST_CELLS } from "./drawing.js";
import { askFrame } from "./transfer.js";

export const IMAGES = ".png,.jpg,.jpeg,.pgm,.bmp,.gif,.tif,.tiff,.webp";

/** The shades of an image file, decoded by the server. */
export async function readImage(file) {
    const frame = await askFrame("image", { name: file.name }, file);
    const name = file.name.replace(/\.[^.]*$/, "").replace(/[^A-Za-z0-9_-]+/g, "-").replace(/^-+/, "").slice(0, 64);
    return { name: name || "image", rows: frame.rows, columns: frame.columns, white: frame.white, shade: frame.arrays.shade, alpha: frame.arrays.alpha };
}

/** As `ImageOptions.walls` in Python: darker than the threshold is wall, or lighter if inverted; what is clear is free. */
export function traced(image, { threshold, inverted, resolution, height, material }) {
    const { rows, columns, white, shade, alpha } = image;
    if (rows * columns > MOST_CELLS) throw new Error("The image has more than 16 million pixels.");
    const wall = new Uint8Array(white + 1).map((_, value) => (value * 255 < threshold * white) !== inverted);
    const layers = {};
    for (const [layer, type] of Object.entries(LAYERS)) layers[layer] = new type(rows * columns);
    layers.speed_percent.fill(100);
    for (let row = 0; row < rows; row++) {
        const line = (rows - 1 - row) * columns;
        for (let column = 0; column < columns; column++) {
            const pixel = row * columns + column;
            if (!wall[shade[pixel]] || (alpha && alpha[pixel] < 128)) continue;
            layers.wall_height_cm[line + column] = height;
            layers.material[line + column] = material;
        }
    }
    return new Drawing({ name: image.name, rows, columns, resolution, origin: [0, 0], layers });
}
