// What is on the screen as a picture: of pixels, or as SVG.
import { RecordingContext } from "./recording.js";

/** The panes where they lie beside each other, from the left edge of the first. */
function laid(panes) {
    const places = panes.map(pane => pane.element.getBoundingClientRect());
    const left = Math.min(...places.map(place => place.left)), top = Math.min(...places.map(place => place.top));
    const at = panes.map((pane, k) => ({ pane, x: places[k].left - left, y: places[k].top - top }));
    return { at, width: Math.max(...at.map(one => one.x + one.pane.width)), height: Math.max(...at.map(one => one.y + one.pane.height)) };
}

/** A canvas, `scale` times as large as the screen. */
export function pictureOf(watch, scale = 1) {
    const { at, width, height } = laid(watch.panes), canvas = document.createElement("canvas"), view = watch.view();
    [canvas.width, canvas.height] = [Math.round(width * scale), Math.round(height * scale)];
    const whole = canvas.getContext("2d");
    for (const { pane, x, y } of at) {
        const one = new OffscreenCanvas(Math.round(pane.width * scale), Math.round(pane.height * scale)), context = one.getContext("2d");
        context.fillStyle = view.theme.outside;
        context.fillRect(0, 0, one.width, one.height);
        pane.drawAll(context, scale, view);
        whole.drawImage(one, Math.round(x * scale), Math.round(y * scale));
    }
    return canvas;
}

export function svgOf(watch) {
    const { at, width, height } = laid(watch.panes), view = watch.view();
    const parts = at.map(({ pane, x, y }) => {
        const context = new RecordingContext();
        pane.drawAll(context, 1, view);
        return `<svg x="${x}" y="${y}" width="${pane.width}" height="${pane.height}" overflow="hidden">\n${context.parts.join("\n")}\n</svg>`;
    });
    return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="system-ui, 'DejaVu Sans', sans-serif">
<rect width="100%" height="100%" fill="${view.theme.outside}"/>
${parts.join("\n")}
</svg>
`;
}
