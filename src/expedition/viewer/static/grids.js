// What is known of whole maps beside their cells: who saw what first and when, and what passing costs.
const REFRESH = 4000;  // Milliseconds between two looks at the history of a mission that runs.
const COSTS = 700;  // Milliseconds between two costmaps.

/** Who saw each cell first and when, and when a robot was first above it: asked for once, of the whole log. */
export class History {
    constructor(watch) { Object.assign(this, { watch, version: 0, end: -1 }); }

    async follow() {
        const { mission, wire } = this.watch;
        if (this.busy || this.end >= mission.end || (this.asked !== undefined && performance.now() - this.asked < REFRESH)) return;
        this.busy = true;
        this.asked = performance.now();
        try {
            const { arrays, end } = await wire.ask("heat");
            Object.assign(this, arrays, { end, version: this.version + 1 });
            this.watch.redraw();
        } catch { /* Asked again later. */ } finally { this.busy = false; }
    }
}

/** What it costs to pass, by the map that is shown and as of the time shown. */
export class CostKeeper {
    constructor(watch) { Object.assign(this, { watch, version: 0 }); }

    async follow() {
        const { which, clock, wire } = this.watch, time = clock.time;
        if (this.busy || (this.which === which && this.time === time)) return;
        if (this.which === which && this.asked !== undefined && performance.now() - this.asked < COSTS) return;
        this.busy = true;
        this.asked = performance.now();
        try {
            const { arrays } = await wire.ask("costmap", { which, time });
            Object.assign(this, { cost: arrays.cost, which, time, version: this.version + 1 });
            this.watch.redraw();
        } catch { /* Asked again later. */ } finally { this.busy = false; }
    }
}
