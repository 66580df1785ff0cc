// Aids of the pointer: the ruler, which tells how far it is and in which direction, and the same place beside.

/** Metres, and degrees counter-clockwise from the x axis as headings go. */
export function measured([[x0, y0], [x1, y1]]) {
    const bearing = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
    return { metres: Math.hypot(x1 - x0, y1 - y0), bearing: (bearing + 360) % 360 };
}

/** The place under the pointer in the pane beside, so that the eye finds it in both. */
export function drawTwin({ context, watch, pane, scale, theme, toMetres }) {
    if (!watch.hover || watch.hover.pane === pane) return;
    const { x, y } = watch.hover;
    toMetres();
    for (const [colour, width] of [[theme.halo, 4], [theme.ink, 1.5]]) {
        context.beginPath();
        for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
            context.moveTo(x + 4 * dx / scale, y + 4 * dy / scale);
            context.lineTo(x + 11 * dx / scale, y + 11 * dy / scale);
        }
        context.strokeStyle = colour;
        context.lineWidth = width / scale;
        context.stroke();
    }
}

export function drawRuler({ context, watch, scale, theme, write, toMetres }) {
    if (!watch.measure) return;
    const [from, to] = watch.measure, { metres, bearing } = measured(watch.measure);
    toMetres();
    for (const [colour, width] of [[theme.halo, 4], [theme.ink, 1.5]]) {
        context.beginPath();
        context.moveTo(...from);
        context.lineTo(...to);
        context.strokeStyle = colour;
        context.lineWidth = width / scale;
        context.stroke();
    }
    context.fillStyle = theme.ink;
    for (const [x, y] of [from, to]) {
        context.beginPath();
        context.arc(x, y, 3 / scale, 0, 2 * Math.PI);
        context.fill();
    }
    write(`${metres.toFixed(2)} m, ${bearing.toFixed(0)}°`, ...to, { dx: 9, dy: -9, size: 13, weight: 600 });
}
