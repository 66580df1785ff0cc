// What stands around a map: a caption, the scale bar, the keys of colours, and what is under the pointer.
import { inWords } from "./hover.js";
import { LAYERS } from "./layers/index.js";
import { writeAt } from "./labels.js";

const STEPS = [1, 2, 5];

/** The longest round length that takes at most so many pixels: metres and pixels. */
export function scaleBar(scale, most = 140) {
    const power = Math.floor(Math.log10(most / scale));
    let metres = 10 ** power;
    for (const step of STEPS) if (step * 10 ** power * scale <= most) metres = step * 10 ** power;
    return { metres, pixels: metres * scale, text: metres >= 1 ? `${metres} m` : `${Number((metres * 100).toPrecision(3))} cm` };
}

/** What a pane shows, in words. */
export function captionOf({ mission, which }, side, over) {
    if (side === "truth") return "Truth";
    const whose = which === "union" ? "all robots together" : which === "base" ? "base station" : which === "truth" ? "truth"
        : mission.names[which] ?? String(which);
    if (which === "truth") return "Truth, robots where they believe to be";
    return over ? `Belief over truth: ${whose}` : `Belief: ${whose}`;
}

function made(tag, text, background) {
    const element = document.createElement(tag);
    element.textContent = text;
    if (background) element.style.background = background;
    return element;
}

/** The key of a layer's colours: a scale between two words, or a word for each. */
function keyOf({ title, from, to, stops, words }) {
    const key = made("div", ""), bar = stops && made("i", "", `linear-gradient(to right, ${stops.join(", ")})`);
    key.append(made("b", title));
    if (stops) key.append(from, bar, to);
    else for (const [colour, word] of words) key.append(made("u", "", colour), word);
    return key;
}

export class Furniture {
    constructor(pane) {
        this.pane = pane;
        const part = name => {
            const element = document.createElement("div");
            element.className = `pane-${name}`;
            pane.element.append(element);
            return element;
        };
        this.caption = part("caption");
        this.keys = part("keys");
        this.bar = part("bar");
        this.readout = part("readout");
    }

    /** Only what changed is written. */
    put(element, name, text) {
        if (element[name] !== text) element[name] = text;
    }

    update() {
        const { pane } = this, { watch } = pane;
        this.put(this.caption, "textContent", captionOf(watch, pane.side, pane.over));
        if (this.drawn !== watch.camera.scale) {
            const { pixels, text } = scaleBar(watch.camera.scale);
            this.drawn = watch.camera.scale;
            this.bar.style.width = `${pixels}px`;
            this.put(this.bar, "textContent", text);
        }
        const legends = this.legends(), said = JSON.stringify(legends);
        if (this.said !== said) {
            this.said = said;
            this.keys.replaceChildren(...legends.map(keyOf));
        }
        const { hover } = watch;
        this.put(this.readout, "textContent", hover && hover.pane === pane.side ? inWords(hover, watch.mission, watch.state).join("  ·  ") : "");
    }

    /** Keys of the colours of layers that are on. */
    legends() {
        const { watch, over } = this.pane;
        return LAYERS.filter(layer => layer.legend && watch.layers.has(layer.name)).map(layer => layer.legend(watch, over)).filter(Boolean);
    }

    /** Draw caption, scale bar and keys, for pictures; the context is in pixels. */
    drawInto(context, ratio, theme) {
        const { pane } = this, { watch, width, height } = pane, { pixels, text } = scaleBar(watch.camera.scale);
        const write = (words, x, y, style) => {
            writeAt(context, words, x, y, { colour: theme.ink, halo: theme.halo, size: 12, ratio, ...style });
            context.setTransform(ratio, 0, 0, ratio, 0, 0);
        };
        write(`${captionOf(watch, pane.side, pane.over)}, ${watch.clock.time.toFixed(1)} s`, 12, 22, { size: 13, weight: 600 });
        this.legends().forEach(({ title, from, to, stops, words }, row) => {
            const y = 44 + 20 * row;
            write(`${title}:`, 12, y, { weight: 600 });
            let x = 24 + 7 * title.length;
            for (const [colour, word] of stops ? [] : words) {
                context.fillStyle = colour;
                context.fillRect(x, y - 9, 10, 10);
                write(word, x + 14, y);
                x += 26 + 7 * word.length;
            }
            if (!stops) return;
            write(from, x, y);
            x += 8 + 6.5 * from.length;
            stops.forEach((colour, k) => { context.fillStyle = colour; context.fillRect(x + 8 * k, y - 9, 8.5, 10); });
            write(to, x + 8 * stops.length + 6, y);
        });
        const left = width - 16 - pixels, base = height - 16;
        context.beginPath();
        context.moveTo(left, base - 5);
        context.lineTo(left, base);
        context.lineTo(left + pixels, base);
        context.lineTo(left + pixels, base - 5);
        context.strokeStyle = theme.ink;
        context.lineWidth = 1.5;
        context.stroke();
        write(text, left + pixels / 2, base - 7, { align: "center" });
    }
}
