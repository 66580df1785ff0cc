// What is at a place of a pane: the cell as it is and as it is believed to be, who saw it first, and the robot there.
const NEAR = 14;
const CELLS = ["unknown", "free", "occupied", "occupied"];

/** The robot nearest to a pixel, within some pixels; null if there is none. */
export function robotAt(watch, pane, px, py, within = NEAR) {
    const poses = pane.side === "truth" ? watch.state.poses : watch.state.believed;
    let nearest = null, least = within;
    for (let robot = 0; robot < watch.mission.names.length; robot++) {
        const [x, y] = watch.camera.toPixel(poses[3 * robot], poses[3 * robot + 1], pane.width, pane.height);
        const gap = Math.hypot(x - px, y - py);
        if (gap <= least) [nearest, least] = [robot, gap];
    }
    return nearest;
}

/** The number of a cell of a grid of that shape at a place, or -1 outside. */
export function cellAt([left, bottom], resolution, [rows, columns], x, y) {
    const row = Math.floor((y - bottom) / resolution), column = Math.floor((x - left) / resolution);
    return row >= 0 && row < rows && column >= 0 && column < columns ? row * columns + column : -1;
}

export function whatIsAt(watch, pane, px, py) {
    const { mission, history } = watch, { frame, terrain, arrays } = mission;
    const [x, y] = watch.camera.toWorld(px, py, pane.width, pane.height);
    const cell = cellAt(frame.origin, frame.resolution, frame.shape, x, y);
    const ground = cellAt(terrain.origin, terrain.resolution, arrays.wall_height_cm.shape, x, y);
    const found = { pane: pane.side, px, py, x, y, robot: robotAt(watch, pane, px, py) };
    const map = watch.keepers.get(watch.which), truth = watch.keepers.get("truth");
    if (cell >= 0 && map) found.map = CELLS[map.cells[cell]];
    if (ground >= 0) {
        const isWall = arrays.wall_height_cm[ground] > 0;
        // The map of truth knows doors and rubble, the terrain only how it began.
        found.truth = truth && Number.isFinite(truth.time) && cell >= 0 ? CELLS[truth.cells[cell]] : isWall ? "occupied" : "free";
        if (isWall) found.material = mission.materials[arrays.material[ground]]?.[0];
        else if (arrays.speed_percent[ground] < 100) found.roughness = arrays.speed_percent[ground];
    }
    if (cell >= 0 && history.who && history.seen[cell] <= watch.clock.time) {
        found.who = history.who[cell];
        found.when = history.seen[cell];
    }
    return found;
}

/** The same in words. */
export function inWords({ x, y, map, truth, material, roughness, who, when, robot }, mission, state) {
    const words = [`${x.toFixed(2)}, ${y.toFixed(2)} m`];
    if (map !== undefined) words.push(`map: ${map}`);
    if (truth !== undefined) words.push(`truth: ${truth}${material ? ` (${material})` : ""}`);
    if (roughness !== undefined) words.push(`rough: ${roughness} % speed`);
    if (who !== undefined && who >= 0) words.push(`first seen by ${mission.names[who]} at ${when.toFixed(0)} s`);
    if (robot !== null) {
        const broken = mission.failures.filter((_, bit) => state.failed[robot] >> bit & 1);
        words.push(`${mission.names[robot]}: ${broken.length ? `failed: ${broken.join(", ")}` : mission.states[state.states[robot]]}`);
    }
    return words;
}
