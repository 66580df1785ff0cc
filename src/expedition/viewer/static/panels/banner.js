// What matters: a connection that was lost, a strategy that failed, how a mission ended, a log without its end.
import { clockText, find, make, mark, say } from "./dom.js";

const QUIET = 15;  // Seconds without anything new after which a log is taken to be cut off.

export function attachBanners(watch) {
    const place = find("banners"), status = find("status");
    const shown = new Map();
    let wasGrowing = false, heard = performance.now();

    function put(name, text, { warns = false, more = "", stays = false } = {}) {
        if (shown.get(name)?.dataset.text === text) return;
        drop(name);
        const banner = make("div", `banner${warns ? " warns" : ""}`, "", { "data-banner": name, "data-text": text });
        banner.append(make("span", "", text));
        if (more) {
            const details = make("details");
            details.append(make("summary", "", "Report"), make("pre", "", more));
            banner.append(details);
        }
        if (!stays) {
            const close = make("button", "act", "✕", { type: "button", title: "Close", "aria-label": "Close" });
            close.addEventListener("click", () => banner.remove());
            banner.append(close);
        }
        shown.set(name, banner);
        place.append(banner);
    }

    function drop(name) { shown.get(name)?.remove(); shown.delete(name); }

    const quiet = () => (watch.mission.quiet_s ?? 0) > QUIET || (performance.now() - heard) / 1000 > QUIET;

    /** The word in the header, and what must be said aloud. */
    function tell() {
        const { mission, events } = watch;
        if (!mission) return;
        const end = events.findLast(({ event }) => event === "end");
        const failure = events.find(({ event }) => event === "failure");
        const runs = mission.growing && !quiet();
        const how = end ? end.text : "ended";
        say(status, runs ? "running" : mission.growing ? "cut off" : how);
        status.title = end?.says ?? "";
        mark(status, "runs", runs);
        mark(status, "warns", Boolean(failure) || (mission.growing && !runs));
        if (failure) {
            const [first, ...rest] = failure.text.split("\n");
            put("failure", `Strategy failed at ${clockText(failure.time_s)}: ${first}`, { warns: true, more: failure.report ?? rest.join("\n") });
        }
        if (mission.growing && !runs) {
            put("cut", `This log has no end: the mission was stopped, or stands still, at ${clockText(mission.end)}.`, { warns: true });
        } else drop("cut");
        if (wasGrowing && !mission.growing) put("ended", end?.says ? `Mission ended: ${end.says}.` : `Mission ended after ${clockText(mission.end)}: ${how}.`);
        wasGrowing = mission.growing;
    }

    watch.addEventListener("connection", ({ detail: { state, why } }) => {
        if (state === "closed") put("connection", "Connection lost. It comes back by itself.", { warns: true, stays: true });
        if (state === "gone") put("connection", `This log cannot be watched: ${why}`, { warns: true, stays: true });
        if (state === "waiting") put("connection", "The mission is about to begin.", { stays: true });
        if (state === "open") drop("connection");
    });
    watch.addEventListener("mission", () => { heard = performance.now(); wasGrowing = watch.mission.growing && !quiet(); tell(); });
    watch.addEventListener("news", () => { heard = performance.now(); watch.mission.quiet_s = 0; tell(); });
    setInterval(tell, 3000);
    return { isCut: () => watch.mission.growing && quiet() };
}
