// The clock of a page: which moment is shown, and how it goes on. Several missions may share one.
export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 50, 100, Infinity];
const LIVE_LAG = 0.4;  // Seconds behind the newest sample while following, so that there is always a next one.

export class Clock extends EventTarget {
    constructor() {
        super();
        this.time = 0;
        this.speed = 1;
        this.playing = false;
        this.following = false;  // Stays at the end of a mission that still runs.
        this.limits = new Map();  // By mission: how far its log goes, whether it grows, how far it is loaded.
    }

    get end() { return Math.max(0, ...[...this.limits.values()].map(limit => limit.end)); }
    get growing() { return [...this.limits.values()].some(limit => limit.growing); }

    /** A mission says how far it goes; `loaded(from)` is up to where it could be drawn without asking. */
    setLimit(mission, end, growing, loaded) {
        this.limits.set(mission, { end, growing, loaded });
        if (this.following && !this.growing) [this.following, this.playing] = [false, true];  // On to the end.
        this.changed();
    }

    forget(mission) { this.limits.delete(mission); }

    play(speed = this.speed) {
        if (!this.growing && this.time >= this.end) this.time = 0;
        this.speed = speed;
        this.playing = true;
        this.changed();
    }

    pause() { this.playing = this.following = false; this.changed(); }

    toggle() { if (this.playing || this.following) this.pause(); else this.play(); }

    follow() { this.following = true; this.playing = false; this.changed(); }

    setSpeed(speed) { this.speed = speed; this.changed(); }

    seek(time, keepsGoing = this.playing) {
        this.time = Math.min(Math.max(0, time), this.end);
        this.playing = keepsGoing;
        this.following = false;
        this.dispatchEvent(new Event("seek"));
        this.changed();
    }

    step(seconds) { this.seek(this.time + seconds, false); }

    /** Go on by what the wall clock did, as far as missions are loaded. */
    advance(seconds) {
        if (this.following) {
            const aim = Math.max(0, this.end - LIVE_LAG);
            // Go after the newest moment smoothly: its samples come in bursts.
            const pace = Math.max(0, aim - this.time);
            this.time = Math.min(aim, this.time + pace * Math.min(1, 2.5 * seconds));
            return;
        }
        if (!this.playing) return;
        let until = this.end;
        for (const limit of this.limits.values()) {
            if (this.time < limit.end) until = Math.min(until, limit.loaded(this.time));
        }
        const wanted = this.speed === Infinity ? this.time + Math.max(1, this.end / 400) : this.time + this.speed * seconds;
        this.time = Math.max(this.time, Math.min(wanted, until));
        if (this.time >= this.end - 1e-9) {
            if (this.growing) this.follow(); else { this.playing = false; this.changed(); }
        }
    }

    changed() { this.dispatchEvent(new Event("change")); }
}
