// What helps while drawing: the grid, the edge of the terrain, and the places that the checks found.
const STEPS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];

/** The distance between lines that are neither too near nor too far: the step that points snap to, if it can be seen. */
export function gridStep(scale, snap) {
    if (snap * scale >= 11) return snap;
    return STEPS.find(step => step * scale >= 14) ?? 5000;
}

export function drawGrid(context, camera, { drawing, settings, dark }) {
    const step = gridStep(camera.scale, settings.snapStep(drawing));
    const [left, bottom] = drawing.origin;
    const right = left + drawing.width, top = bottom + drawing.height;
    const [seenLeft, seenTop] = camera.world(0, 0), [seenRight, seenBottom] = camera.world(camera.width, camera.height);
    const shade = dark ? 255 : 20;
    for (const [every, alpha] of [[step, 0.07], [5 * step, 0.1]]) {
        context.strokeStyle = `rgba(${shade}, ${shade}, ${shade}, ${alpha})`;
        context.lineWidth = 1;
        context.beginPath();
        for (let n = Math.ceil(Math.max(left, seenLeft) / every); n * every <= Math.min(right, seenRight); n++) {
            const x = Math.round(camera.screen(n * every, 0)[0]) + 0.5;
            context.moveTo(x, camera.screen(0, top)[1]);
            context.lineTo(x, camera.screen(0, bottom)[1]);
        }
        for (let n = Math.ceil(Math.max(bottom, seenBottom) / every); n * every <= Math.min(top, seenTop); n++) {
            const y = Math.round(camera.screen(0, n * every)[1]) + 0.5;
            context.moveTo(camera.screen(left, 0)[0], y);
            context.lineTo(camera.screen(right, 0)[0], y);
        }
        context.stroke();
    }
    const [x, y] = camera.screen(left, top);
    context.strokeStyle = `rgba(${shade}, ${shade}, ${shade}, 0.35)`;
    context.strokeRect(x - 0.5, y - 0.5, drawing.width * camera.scale + 1, drawing.height * camera.scale + 1);
}

const WARN = "#d5480a";

export function drawFindings(context, camera, { checks, drawing }) {
    if (checks.unreached) {
        const [x, y] = camera.screen(drawing.origin[0], drawing.origin[1] + drawing.height);
        context.globalAlpha = 0.34;
        context.imageSmoothingEnabled = false;
        context.drawImage(checks.unreached, x, y, drawing.width * camera.scale, drawing.height * camera.scale);
        context.globalAlpha = 1;
    }
    context.strokeStyle = WARN;
    context.lineWidth = 2;
    for (const { fine, marks, about } of checks.findings) {
        if (fine) continue;
        for (const [left, bottom, right, top] of marks) {
            const [x1, y1] = camera.screen(left, top), [x2, y2] = camera.screen(right, bottom);
            if (about === "edge") {
                context.fillStyle = WARN;
                context.globalAlpha = 0.55;
                context.fillRect(x1 - 1, y1 - 1, Math.max(3, x2 - x1 + 2), Math.max(3, y2 - y1 + 2));
                context.globalAlpha = 1;
            } else if (about === "starts") {
                context.beginPath();
                context.arc((x1 + x2) / 2, (y1 + y2) / 2, Math.max(15, 0.65 * (x2 - x1)), 0, 2 * Math.PI);
                context.stroke();
            }
        }
    }
}
