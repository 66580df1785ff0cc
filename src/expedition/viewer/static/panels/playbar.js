// The play bar: what the clock says, how fast it goes, and whether it follows a mission that runs.
import { SPEEDS } from "../clock.js";
import { clockText, find, make, mark, memory, say } from "./dom.js";

export function attachPlayBar(watch) {
    const { clock } = watch;
    const bar = find("bar"), output = find("clock"), speed = find("speed");
    const play = bar.querySelector("[data-act=play]"), live = bar.querySelector("[data-act=live]");
    const icon = play.querySelector("i") ?? play;
    for (const value of SPEEDS) {
        speed.append(make("option", "", value === Infinity ? "max" : `${value}×`, { value: String(value) }));
    }
    clock.speed = Number(memory.get("speed", "5"));
    if (!SPEEDS.includes(clock.speed)) clock.speed = 5;
    speed.addEventListener("change", () => { clock.setSpeed(Number(speed.value)); speed.blur(); });
    clock.addEventListener("change", show);
    let kept;

    function show() {
        const goes = clock.playing || clock.following;
        say(icon, goes ? "pause" : "play_arrow");
        mark(play, "on", goes);
        if (speed.value !== String(clock.speed)) speed.value = String(clock.speed);
        live.hidden = !clock.growing;
        mark(live, "on", clock.following);
        live.setAttribute("aria-pressed", String(clock.following));
        if (kept !== clock.speed) memory.set("speed", String(kept = clock.speed));
        tell();
    }

    function tell() { say(output, `${clockText(clock.time)} / ${clockText(clock.end)}`); }

    show();
    return { update: tell };
}
