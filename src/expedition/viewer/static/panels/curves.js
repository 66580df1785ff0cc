// Curves of the mission: asked for when the log grows, but not more often than every two seconds.
const PAUSE = 2000;

export class Curves extends EventTarget {
    constructor(watch) {
        super();
        this.watch = watch;
        this.robots = [];  // Whose curves are wanted beside those of the fleet; null for all.
        this.data = null;
        watch.addEventListener("mission", () => this.ask());
        watch.addEventListener("news", () => this.ask());
    }

    /** Want the curves of some robots. */
    want(robots) {
        if (JSON.stringify(robots) === JSON.stringify(this.robots)) return;
        this.robots = robots;
        this.last = undefined;
        this.ask();
    }

    async ask() {
        const { watch } = this, now = performance.now();
        if (!watch.mission) return;
        const pause = this.last === undefined ? 0 : this.last + PAUSE - now;
        if (this.asking || pause > 0) {
            clearTimeout(this.later);
            this.later = setTimeout(() => this.ask(), Math.max(50, pause));
            return;
        }
        if (this.data && this.data.end === watch.mission.end && JSON.stringify(this.data.robots) === JSON.stringify(this.robots)) return;
        this.asking = true;
        this.last = now;
        try {
            const { arrays, end, robots } = await watch.wire.ask("curves", this.robots === null ? {} : { robots: this.robots });
            this.data = { ...arrays, end, robots };
            this.dispatchEvent(new Event("change"));
        } catch { /* Asked again with the next news. */ } finally { this.asking = false; }
    }

    /** The last sample up to a time. */
    index(time) {
        const times = this.data?.times;
        if (!times?.length) return -1;
        let low = 0, high = times.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (times[middle] <= time + 1e-4) low = middle; else high = middle - 1;
        }
        return low;
    }

    value(name, time) {
        const at = this.index(time);
        return at < 0 ? undefined : this.data[name]?.[at];
    }
}
