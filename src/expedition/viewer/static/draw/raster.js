// Shapes to cells: each function calls `emit(row, from, to)` for the cells whose middles lie in the shape.
// Edges count half-open, so that a wall one cell thick on a line of the grid is one cell thick. Lengths are in cells.

export function rectangle(left, bottom, right, top, emit) {
    const from = Math.ceil(left - 0.5), to = Math.ceil(right - 0.5);
    for (let row = Math.ceil(bottom - 0.5); row < Math.ceil(top - 0.5); row++) emit(row, from, to);
}

/** The cell under the middle is always part of it. */
export function disc(x, y, radius, emit) {
    emit(Math.floor(y), Math.floor(x), Math.floor(x) + 1);
    for (let row = Math.ceil(y - radius - 0.5); row <= y + radius - 0.5; row++) {
        const half = Math.sqrt(Math.max(0, radius ** 2 - (row + 0.5 - y) ** 2));
        emit(row, Math.ceil(x - half - 0.5), Math.floor(x + half - 0.5) + 1);
    }
}

/** A polygon by the rule of even and odd. */
export function polygon(points, emit) {
    const ys = points.map(([, y]) => y);
    for (let row = Math.ceil(Math.min(...ys) - 0.5); row < Math.max(...ys) - 0.5 + 1e-9; row++) {
        const y = row + 0.5;
        const cuts = [];
        points.forEach(([x1, y1], index) => {
            const [x2, y2] = points[(index + 1) % points.length];
            if ((y1 <= y) !== (y2 <= y)) cuts.push(x1 + (y - y1) * (x2 - x1) / (y2 - y1));
        });
        cuts.sort((one, other) => one - other);
        for (let pair = 0; pair + 1 < cuts.length; pair += 2) {
            // A middle that lies on an edge must not come and go with the last digit.
            const from = Math.ceil(round(cuts[pair]) - 0.5), to = Math.ceil(round(cuts[pair + 1]) - 0.5);
            if (from < to) emit(row, from, to);
        }
    }
}

/** The four corners of a wall; it reaches beyond its ends by half its thickness, so that corners close. */
export function wallCorners(x1, y1, x2, y2, thickness) {
    const length = Math.hypot(x2 - x1, y2 - y1);
    const [c, s] = length ? [(x2 - x1) / length, (y2 - y1) / length] : [1, 0];
    // Never so thin that a robot's beam passes between two cells that touch at a corner only.
    const half = Math.max(thickness / 2, (Math.abs(c) + Math.abs(s)) / 2);
    return [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([end, side]) => {
        const [x, y] = end < 0 ? [x1, y1] : [x2, y2];
        return [round(x + half * (end * c - side * s)), round(y + half * (end * s + side * c))];
    });
}

export function wall(x1, y1, x2, y2, thickness, emit) { polygon(wallCorners(x1, y1, x2, y2, thickness), emit); }

/** What a brush covers that moves along a line. */
export function brushed(x1, y1, x2, y2, radius, emit) {
    disc(x2, y2, radius, emit);
    const length = Math.hypot(x2 - x1, y2 - y1);
    if (length < 1e-9) return;
    disc(x1, y1, radius, emit);
    const half = Math.max(radius, 0.71);
    const across = [-(y2 - y1) / length * half, (x2 - x1) / length * half];
    polygon([
        [x1 - across[0], y1 - across[1]], [x2 - across[0], y2 - across[1]],
        [x2 + across[0], y2 + across[1]], [x1 + across[0], y1 + across[1]],
    ], emit);
}

/** The cells around a first one that are joined to it by sides, of those that `open` marks with 1; it is used up. */
export function flood(rows, columns, row, column, open, emit) {
    if (!open[row * columns + column]) return;
    const waiting = [row, column];
    while (waiting.length) {
        const x = waiting.pop(), y = waiting.pop();
        const start = y * columns;
        if (!open[start + x]) continue;
        let from = x, to = x + 1;
        while (from > 0 && open[start + from - 1]) from--;
        while (to < columns && open[start + to]) to++;
        open.fill(0, start + from, start + to);
        for (let next = y - 1; next <= y + 1; next += 2) {
            if (next < 0 || next >= rows) continue;
            // One entry for each run of cells in the neighbouring row.
            for (let cell = next * columns + from; cell < next * columns + to; cell++)
                if (open[cell] && (cell === next * columns + from || !open[cell - 1])) waiting.push(next, cell - next * columns);
        }
        emit(y, from, to);
    }
}

function round(value) { return Math.round(value * 1e6) / 1e6; }
