// Okabe and Ito's colours, as in all figures; robots from the ninth on repeat them.
export const ROBOTS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#7f7f7f"];

export const robotColour = robot => ROBOTS[robot % ROBOTS.length];

/** "#rrggbb" as a pixel 0xAABBGGRR. */
export function pixel(hex, alpha = 255) {
    const value = parseInt(hex.slice(1), 16);
    return ((alpha << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

/** A colour some share of the way to another. */
export function mixed(from, to, share) {
    const parts = [1, 3, 5].map(at => [from, to].map(hex => parseInt(hex.slice(at, at + 2), 16)));
    return `#${parts.map(([a, b]) => Math.round(a + share * (b - a)).toString(16).padStart(2, "0")).join("")}`;
}

export const THEMES = {
    light: {
        unknown: "#d9dde3", free: "#ffffff", occupied: "#343a44", ink: "#2b2f36", soft: "#68707c", halo: "#ffffff",
        link: "#009e73", frontier: "#e69f00", goal: "#d55e00", outside: "#e9ecf0", warn: "#d55e00",
        unseenWall: "#aab1bb", unseenFree: "#eceff3", wrongWall: "#d55e00", missedWall: "#0072b2",
        lost: "#b0408a", person: "#7a3b1d", landmark: "#7a5195", mark: "#5b3a8c", dead: "#8b919b",
    },
    dark: {
        isDark: true,
        unknown: "#23272f", free: "#3a414c", occupied: "#dfe4ea", ink: "#e8eaee", soft: "#9aa3af", halo: "#14171c",
        link: "#2fc79a", frontier: "#f0b93a", goal: "#f0894a", outside: "#14171c", warn: "#f0894a",
        unseenWall: "#59606b", unseenFree: "#2b3038", wrongWall: "#f0894a", missedWall: "#56b4e9",
        lost: "#e48ac0", person: "#e0b08c", landmark: "#b79be0", mark: "#c5a8f0", dead: "#7d848f",
    },
};

export const mapColours = theme => Uint32Array.from([pixel(theme.unknown), pixel(theme.free), pixel(theme.occupied), pixel(theme.occupied)]);

/** Steps of a scale from the oldest (blue) over pale yellow to the newest (red), as in Brewer's RdYlBu. */
export const AGES = ["#313695", "#4575b4", "#74add1", "#abd9e9", "#e0f3f8", "#ffffbf", "#fee090", "#fdae61", "#f46d43", "#d73027", "#a50026"];

/** From dear (near walls) to cheap: what passing costs. */
export const COSTS = ["#fff5b0", "#fdd26e", "#fb9a3c", "#e3542d", "#a8123a"];

/** As many colours as wanted between given ones, as pixels. */
export function ramp(stops, count, alpha = 255) {
    const parts = stops.map(hex => [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16)));
    return Uint32Array.from({ length: count }, (_, k) => {
        const at = (k / Math.max(1, count - 1)) * (stops.length - 1), low = Math.min(stops.length - 2, Math.floor(at));
        const [r, g, b] = [0, 1, 2].map(c => Math.round(parts[low][c] + (at - low) * (parts[low + 1][c] - parts[low][c])));
        return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
    });
}

const groups = new Map();

/** Robots by their colour, [[colour, [robot, ...]], ...]: what has one colour is drawn in one stroke. */
export function byColour(robots) {
    if (!groups.has(robots)) {
        groups.set(robots, ROBOTS.slice(0, robots).map((colour, k) => [colour, Array.from({ length: Math.ceil((robots - k) / ROBOTS.length) }, (_, n) => k + n * ROBOTS.length)]));
    }
    return groups.get(robots);
}
