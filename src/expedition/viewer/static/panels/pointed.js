// The place that the mouse is at in a table, marked on the map.
import { LAYERS } from "../layers/index.js";

export const pointed = {
    name: "pointed", title: "Pointed at", sheet: "fast", on: true, isAid: true,
    draw({ context, watch, scale, theme }) {
        if (!watch.pointed) return;
        const [x, y] = watch.pointed;
        for (const [width, colour] of [[5, theme.halo], [2.5, theme.goal]]) {
            context.beginPath();
            context.arc(x, y, 11 / scale, 0, 2 * Math.PI);
            context.moveTo(x + 3 / scale, y);
            context.arc(x, y, 3 / scale, 0, 2 * Math.PI);
            context.lineWidth = width / scale;
            context.strokeStyle = colour;
            context.stroke();
        }
    },
};

/** It is a layer like others, but nobody's to switch. */
export function addPointed(watch) {
    if (!LAYERS.includes(pointed)) LAYERS.push(pointed);
    watch.layers.shown.add(pointed.name);
    watch.pointed = null;
}
