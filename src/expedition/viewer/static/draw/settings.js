// What the tools are set to. The browser keeps it for the next time.
const KEPT = "expedition-draw-settings";

const DEFAULTS = {
    thickness: 0.2, height: 2, material: 0, ink: "wall", speed: 50, size: 0.6, erase: "both",
    doorWidth: 1, doorClosed: false, doorSwitches: "", filled: true, collapseTime: 60, snap: "0.5", grid: true, robot: "pioneer-3dx",
};

/** Each option of a tool: its words, its kind of input, and its limits. */
export const OPTIONS = {
    ink: { title: "Paint", kind: "choice", choices: [["wall", "Wall"], ["rough", "Rough ground"], ["material", "Material"], ["ground", "Free ground"]] },
    material: { title: "Material", kind: "material" },
    height: { title: "Height", kind: "number", unit: "m", least: 0.02, most: 655, step: 0.1 },
    thickness: { title: "Thickness", kind: "number", unit: "m", least: 0.01, most: 100, step: 0.1 },
    speed: { title: "Speed there", kind: "number", unit: "%", least: 1, most: 100, step: 5 },
    size: { title: "Brush width", kind: "number", unit: "m", least: 0.01, most: 1000, step: 0.1 },
    erase: { title: "Erase", kind: "choice", choices: [["both", "Everything"], ["walls", "Walls"], ["rough", "Rough ground"]] },
    filled: { title: "Filled", kind: "switch" },
    doorWidth: { title: "Width by a click", kind: "number", unit: "m", least: 0.1, most: 100, step: 0.1 },
    doorClosed: { title: "Closed at first", kind: "switch" },
    doorSwitches: { title: "Switches at (s)", kind: "times", hint: "60, 120" },
    collapseTime: { title: "Comes down at", kind: "number", unit: "s", least: 0, most: 1e9, step: 10 },
};

/** Which options matter for what is painted. */
export const INK_OPTIONS = { wall: ["material", "height"], rough: ["speed"], material: ["material"], ground: [] };

export class Settings {
    constructor() {
        let kept = {};
        try { kept = JSON.parse(localStorage.getItem(KEPT)) ?? {}; } catch { /* Somebody else wrote there: begin anew. */ }
        for (const [name, value] of Object.entries(DEFAULTS))
            this[name] = typeof kept[name] === typeof value ? kept[name] : value;
    }

    set(name, value) {
        this[name] = value;
        const kept = Object.fromEntries(Object.keys(DEFAULTS).map(each => [each, this[each]]));
        try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* A browser that keeps nothing draws as well. */ }
    }

    get wallInk() { return { kind: "wall", height: Math.max(1, Math.round(100 * this.height)), material: this.material }; }

    /** What the tools of shapes write into cells. */
    get chosenInk() {
        if (this.ink === "wall") return this.wallInk;
        if (this.ink === "rough") return { kind: "rough", speed: Math.round(this.speed) };
        if (this.ink === "material") return { kind: "material", material: this.material };
        return { kind: "ground", walls: true, rough: true };
    }

    get eraser() { return { kind: "ground", walls: this.erase !== "rough", rough: this.erase !== "walls" }; }

    /** Metres between the points that the pointer snaps to; 0 if it does not. */
    snapStep(drawing) { return this.snap === "cell" ? drawing.resolution : Number(this.snap) || 0; }
}

/** Rising times from text such as "60, 120", or null if it is none. */
export function times(text) {
    const words = String(text).split(/[\s,;]+/).filter(Boolean);
    const values = words.map(Number);
    const rising = values.every((value, index) => Number.isFinite(value) && value >= 0 && value <= 1e9 && (index === 0 || value > values[index - 1]));
    return rising ? values : null;
}
