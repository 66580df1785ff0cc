// Okabe and Ito's colours, as in all figures; robots from the ninth on repeat them.
export const ROBOTS = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7a5195", "#7f7f7f"];

export const robotColour = robot => ROBOTS[robot % ROBOTS.length];

/** "#rrggbb" as a pixel 0xAABBGGRR. */
export function pixel(hex, alpha = 255) {
    const value = parseInt(hex.slice(1), 16);
    return ((alpha << 24) | ((value & 255) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}

export const THEMES = {
    light: {
        unknown: "#d9dde3", free: "#ffffff", occupied: "#343a44", ink: "#2b2f36", soft: "#68707c", halo: "#ffffff",
        link: "#009e73", frontier: "#e69f00", goal: "#d55e00", outside: "#e9ecf0", warn: "#d55e00",
    },
    dark: {
        unknown: "#23272f", free: "#3a414c", occupied: "#dfe4ea", ink: "#e8eaee", soft: "#9aa3af", halo: "#14171c",
        link: "#2fc79a", frontier: "#f0b93a", goal: "#f0894a", outside: "#14171c", warn: "#f0894a",
    },
};

export const mapColours = theme => Uint32Array.from([pixel(theme.unknown), pixel(theme.free), pixel(theme.occupied), pixel(theme.occupied)]);
