// The time line: the share explored as a shape, events as marks on it, and the moment that is shown. One drags it.
import { clockText, find, make, sharpCanvas } from "./dom.js";
import { eventText, kindColour, kindLevel } from "./kinds.js";

const BUCKET = 5;  // Pixels; events of one kind that lie closer are one mark.
const ROWS = 5;  // Marks above each other.
const NEAR = 5;  // Pixels from a mark that still mean it.
const TOLD = 7;  // Events that the hover tells.

export function attachTimeline(watch, events, curves) {
    const element = find("timeline"), cursor = find("timeline-cursor"), tip = find("timeline-tip");
    const canvas = sharpCanvas(find("timeline-shape"), draw);
    const { clock } = watch;
    let end = 0, drags = false, wasPlaying = false, left = 0, stale = true, moved;

    const xOf = time => (end > 0 ? Math.min(1, time / end) * canvas.width : 0);
    const timeOf = x => Math.min(1, Math.max(0, x / Math.max(1, canvas.width))) * end;

    function draw(context, width, height) {
        stale = false;
        const style = getComputedStyle(element);
        const shape = style.getPropertyValue("--shape"), line = style.getPropertyValue("--accent");
        const { times, union } = curves.data ?? { times: [], union: [] };
        if (times.length > 1 && end > 0) {
            context.beginPath();
            context.moveTo(0, height);
            for (let k = 0; k < times.length; k++) context.lineTo(xOf(times[k]), height - 1 - union[k] * (height - 16));
            context.lineTo(xOf(times[times.length - 1]), height);
            context.fillStyle = shape;
            context.fill();
            context.beginPath();
            for (let k = 0; k < times.length; k++) context.lineTo(xOf(times[k]), height - 1 - union[k] * (height - 16));
            context.strokeStyle = line;
            context.globalAlpha = 0.55;
            context.stroke();
            context.globalAlpha = 1;
        }
        for (const [x, kinds] of buckets()) {
            kinds.slice(0, ROWS).forEach((kind, row) => {
                context.fillStyle = kindColour(kind);
                context.fillRect(Math.min(x, width - 3), 3 + 6 * row, 3, 5);
            });
        }
        move();
    }

    /** Kinds of events by the pixel at which they are marked. */
    function buckets() {
        const found = new Map();
        for (const { time_s: time, event } of events.shown ?? []) {
            const x = Math.floor(xOf(time) / BUCKET) * BUCKET;
            if (!found.has(x)) found.set(x, [event]);
            else if (!found.get(x).includes(event)) found.get(x).push(event);
        }
        for (const kinds of found.values()) kinds.sort((a, b) => kindLevel(a) - kindLevel(b));
        return found;
    }

    function near(x) {
        const from = timeOf(x - NEAR), to = timeOf(x + NEAR);
        return (events.shown ?? []).filter(({ time_s: time }) => time >= from && time <= to);
    }

    /** Tell what is at a place of the time line. */
    function hover(x) {
        const found = near(x);
        tell(x, timeOf(x), found);
        return found;
    }

    function tell(x, time, found) {
        const lines = [make("b", "", clockText(time))];
        const share = curves.value("union", time);
        if (share !== undefined) lines.push(make("span", "soft", ` ${(100 * share).toFixed(1)} % explored`));
        for (const event of found.slice(0, TOLD)) {
            const line = make("div", "tip-line");
            const dot = make("i", "dot");
            dot.style.background = kindColour(event.event);
            line.append(dot, `${clockText(event.time_s)} ${event.event} ${eventText(event)}`.slice(0, 110));
            lines.push(line);
        }
        if (found.length > TOLD) lines.push(make("div", "soft", `and ${found.length - TOLD} more`));
        tip.replaceChildren(...lines);
        tip.hidden = false;
        const half = x / Math.max(1, canvas.width);
        tip.style.left = `${x}px`;
        tip.style.transform = `translateX(${-100 * half}%)`;
    }

    element.addEventListener("pointerdown", event => {
        if (event.button) return;
        left = element.getBoundingClientRect().left;
        element.setPointerCapture(event.pointerId);
        drags = true;
        wasPlaying = clock.playing;
        go(event);
        event.preventDefault();
        element.focus({ preventScroll: true });
    });
    element.addEventListener("pointermove", event => {
        if (drags) { moved = true; go(event); } else { left = element.getBoundingClientRect().left; hover(event.clientX - left); }
    });
    const drop = () => {
        if (!drags) return;
        drags = moved = false;
        if (wasPlaying) clock.play();
    };
    element.addEventListener("pointerup", drop);
    element.addEventListener("pointercancel", drop);
    element.addEventListener("pointerleave", () => { if (!drags) tip.hidden = true; });

    function go({ clientX }) {
        const x = clientX - left, found = moved ? [] : near(x);
        hover(x);
        const aim = timeOf(x);
        const event = found.sort((a, b) => Math.abs(a.time_s - aim) - Math.abs(b.time_s - aim))[0];
        clock.seek(event ? event.time_s : aim, false);
    }

    function move() { cursor.style.transform = `translateX(${xOf(clock.time)}px)`; }

    function update() {
        if (watch.mission && end !== watch.mission.end) { end = watch.mission.end; stale = true; element.setAttribute("aria-valuemax", end.toFixed(1)); }
        if (stale) canvas.paint();
        const text = clockText(clock.time);
        if (element.getAttribute("aria-valuetext") !== text) {
            element.setAttribute("aria-valuenow", clock.time.toFixed(1));
            element.setAttribute("aria-valuetext", text);
        }
        move();
    }

    const redraw = () => { stale = true; };
    events.addEventListener("change", redraw);
    curves.addEventListener("change", redraw);
    watch.addEventListener("theme", redraw);
    watch.addEventListener("frame", move);
    new ResizeObserver(() => { stale = true; }).observe(element);
    return {
        update,
        /** Tell of an event that was gone to. */
        point(event) { if (event) { tell(xOf(event.time_s), event.time_s, [event]); setTimeout(() => { tip.hidden = true; }, 2500); } },
    };
}
