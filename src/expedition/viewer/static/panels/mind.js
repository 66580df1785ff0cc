// What a robot thinks: its decision with all that it weighed, its notes, and what reached it.
import { clockText, make } from "./dom.js";

const ROWS = 12;  // Alternatives that are listed.

/** Alternatives with the best first: the chosen one says whether small or large is good. */
export function ranked({ values, places, chosen }) {
    const all = values.map((value, k) => ({ value, place: places[k], isChosen: k === chosen }));
    const known = all.filter(({ value }) => value !== null);
    const least = Math.min(...known.map(({ value }) => value)), most = Math.max(...known.map(({ value }) => value));
    const taken = values[chosen] ?? null;
    const sign = taken !== null && most - taken < taken - least ? -1 : 1;
    known.sort((a, b) => sign * (a.value - b.value));
    const span = most - least || 1;
    return known.map(one => ({ ...one, share: (one.value - least) / span }));
}

export function addMind(watch, element) {
    let shown;
    let lines = [];  // Messages and notes with their ages, which go on.

    function section(title, about = "") {
        const box = make("section"), head = make("h4", "", title);
        if (about) head.append(make("small", "soft", about));
        box.append(head);
        return box;
    }

    function decision(made) {
        const box = section("Decision", made ? ` ${made.about}` : "");
        if (!made) { box.append(make("p", "soft", "none yet")); return box; }
        const all = ranked(made), table = make("div", "alternatives", "", { role: "list" });
        const listed = all.slice(0, ROWS), chosen = all.find(({ isChosen }) => isChosen);
        if (chosen && !listed.includes(chosen)) listed.push(chosen);
        for (const one of listed) {
            const row = make("div", `alternative${one.isChosen ? " chosen" : ""}`, "", { role: "listitem", tabindex: "0" });
            const bar = make("i", "value-bar");
            bar.style.width = `${(3 + 97 * one.share).toFixed(1)}%`;
            const holder = make("span", "value-holder");
            holder.append(bar);
            const [x, y] = one.place ?? [];
            row.append(make("span", "value", Number(one.value.toPrecision(4)).toString()), holder,
                make("span", "soft", Number.isFinite(x) ? `${x.toFixed(1)}, ${y.toFixed(1)}` : ""), make("span", "tick", one.isChosen ? "✓" : ""));
            const point = on => { watch.pointed = on && Number.isFinite(x) ? one.place : null; watch.redraw(); };
            for (const [name, on] of [["pointerenter", true], ["focus", true], ["pointerleave", false], ["blur", false]]) {
                row.addEventListener(name, () => point(on));
            }
            table.append(row);
        }
        if (!all.length) table.append(make("p", "soft", "nothing to choose from"));
        box.append(table);
        if (all.length > listed.length) box.append(make("p", "soft", `and ${all.length - listed.length} more`));
        lines.push([box.querySelector("h4").appendChild(make("small", "soft age")), made.time]);
        return box;
    }

    function told(title, entries) {
        const box = section(title);
        for (const [time, who, text] of [...entries].reverse()) {
            const line = make("div", "told"), age = make("small", "soft age");
            lines.push([age, time]);
            line.append(age, make("b", "", who), make("span", "", text));
            box.append(line);
        }
        if (!entries.length) box.append(make("p", "soft", "nothing"));
        return box;
    }

    const sender = number => (number < watch.mission.names.length ? `${number}` : "base");

    function update(mind) {
        const key = mind === undefined ? "" : `${watch.selected} ${JSON.stringify(mind)}`;
        if (key !== shown) {
            shown = key;
            watch.pointed = null;
            lines = [];
            const boxes = mind === undefined ? [] : [
                decision(mind.decision),
                told("Notes", mind.notes.map(([time, text]) => [time, "", text])),
                told("Inbox", mind.inbox.map(([time, from, topic, text]) => [time, `${sender(from)}${topic ? ` ${topic}` : ""}`, text])),
            ];
            element.replaceChildren(...boxes);
        }
        for (const [age, time] of lines) {
            const text = `${clockText(time)} (${Math.max(0, watch.clock.time - time).toFixed(0)} s ago)`;
            if (age.textContent !== text) age.textContent = text;
        }
    }

    return { update };
}
