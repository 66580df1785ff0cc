// How the fleet moves: samples of stretches of the mission, and how it was between two samples.
const KEPT = 48;
const WAITING = 2;  // Questions on their way, beyond which a drag through time asks no more.
const AHEAD = 6;  // Stretches loaded ahead at most.

function between(a, b, share) { return a + share * (b - a); }

function turned(a, b, share) {
    const turn = b - a - 2 * Math.PI * Math.round((b - a) / (2 * Math.PI));
    return a + share * turn;
}

export function joined(one, other) {
    const both = new one.constructor(one.length + other.length);
    both.set(one);
    both.set(other, one.length);
    return both;
}

export class Tracks {
    constructor(wire, mission, onLoad) {
        this.wire = wire;
        this.seconds = mission.track_seconds;
        this.robots = mission.names.length;
        this.onLoad = onLoad;
        this.end = mission.end;
        this.stretches = new Map();
        this.asked = new Map();
        this.state = {
            time: NaN, poses: new Float32Array(3 * this.robots), believed: new Float32Array(3 * this.robots),
        };
    }

    number(time) { return Math.max(0, Math.floor(Math.min(time, this.end) / this.seconds - 1e-9)); }

    /** Up to where everything from `time` on is here. */
    loaded(time) {
        let number = this.number(time);
        while (this.isWhole(number)) number++;
        const last = this.stretches.get(number);
        return last && last.times.length ? last.times[last.times.length - 1] : number * this.seconds;
    }

    isWhole(number) {
        const found = this.stretches.get(number);
        return found !== undefined && found.lasts;
    }

    /** Ask for what is missing around a time, and further ahead the faster it plays. */
    want(time, speed) {
        const first = this.number(time);
        if (!this.stretches.has(first)) {
            // What is to be seen comes before what may be; and while one drags through time, few questions are on their way.
            if (this.asked.size < WAITING) this.ask(first);
            return;
        }
        const ahead = Math.min(AHEAD, 1 + Math.ceil((Number.isFinite(speed) ? speed : 100) / this.seconds));
        const last = Math.min(first + ahead, this.number(this.end));
        for (let number = first; number <= last; number++) {
            if (!this.isWhole(number)) this.ask(number);
        }
    }

    async ask(number) {
        const have = this.stretches.get(number);
        const after = have && have.times.length ? have.times[have.times.length - 1] : undefined;
        if (after !== undefined && after >= Math.min(this.end, (number + 1) * this.seconds) - 1e-6 && this.growing) return;
        if (this.asked.has(number)) return;
        const fields = after === undefined ? { number } : { number, after };
        this.asked.set(number, performance.now());
        try {
            this.take(number, await this.wire.ask("track", fields), after !== undefined);
        } catch { /* Asked again with the next frame. */ } finally { this.asked.delete(number); }
    }

    take(number, { arrays, lasts }, isMore) {
        const have = this.stretches.get(number);
        if (isMore && have) {
            for (const name of Object.keys(have)) {
                if (name !== "lasts") have[name] = joined(have[name], arrays[name]);
            }
            have.lasts = lasts;
        } else {
            this.stretches.set(number, { ...arrays, lasts });
            while (this.stretches.size > KEPT) this.stretches.delete(this.stretches.keys().next().value);
        }
        this.onLoad();
    }

    /** How the fleet is at a time, or undefined if that is not here yet. The same object each time. */
    at(time) {
        const found = this.stretches.get(this.number(time));
        if (!found || !found.times.length) return undefined;
        const { times } = found, { state, robots } = this;
        let low = 0, high = times.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (times[middle] <= time) low = middle; else high = middle - 1;
        }
        const next = Math.min(low + 1, times.length - 1);
        const gap = times[next] - times[low];
        const share = gap > 0 ? Math.min(1, Math.max(0, (time - times[low]) / gap)) : 0;
        for (const name of ["poses", "believed"]) {
            const from = found[name], to = state[name];
            for (let k = 0; k < robots; k++) {
                const a = 3 * (low * robots + k), b = 3 * (next * robots + k);
                to[3 * k] = between(from[a], from[b], share);
                to[3 * k + 1] = between(from[a + 1], from[b + 1], share);
                to[3 * k + 2] = turned(from[a + 2], from[b + 2], share);
            }
        }
        const row = (name, width) => found[name].subarray(low * width, (low + 1) * width);
        state.time = time;
        state.sample = times[low];
        state.covariance = row("covariance", 3 * robots);
        state.goals = row("goals", 2 * robots);
        for (const name of ["states", "failed", "batteries", "explored", "travelled"]) state[name] = row(name, robots);
        state.links = row("links", found.links.length / times.length);
        state.people = row("people", found.people.length / times.length);
        state.seenByAny = found.seen_by_any[low];
        return state;
    }
}
