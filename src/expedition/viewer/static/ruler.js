// The ruler: how far it is from one place to another, and in which direction.

/** Metres, and degrees counter-clockwise from the x axis as headings go. */
export function measured([[x0, y0], [x1, y1]]) {
    const bearing = Math.atan2(y1 - y0, x1 - x0) * 180 / Math.PI;
    return { metres: Math.hypot(x1 - x0, y1 - y0), bearing: (bearing + 360) % 360 };
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
