// What the selected robot weighed last: its alternatives with what each was worth or cost, and the one it took.
import { robotColour } from "../colours.js";

const MOST = 40;  // Values that are written.

export const decisions = {
    name: "decisions", title: "Decision", group: "plans", sheet: "slow", on: true,
    help: "What the selected robot weighed last, with values; the one it took is ringed",
    draw({ context, moment, watch, scale, theme, write, places, toPixel }) {
        const decision = watch.selected === null ? null : moment.minds?.[watch.selected]?.decision;
        if (!decision) return;
        const colour = robotColour(watch.selected);
        decision.places.forEach(([x, y], k) => {
            if (x === null) return;
            const isChosen = k === decision.chosen;
            context.beginPath();
            context.arc(x, y, (isChosen ? 8 : 5) / scale, 0, 2 * Math.PI);
            context.strokeStyle = colour;
            context.lineWidth = (isChosen ? 2.5 : 1.2) / scale;
            context.stroke();
        });
        decision.places.slice(0, MOST).forEach(([x, y], k) => {
            const value = decision.values[k];
            if (x === null || value === null) return;
            const text = Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3))), [px, py] = toPixel(x, y);
            if (!places.take(px + 9, py + 4, text, 10)) return;
            write(text, x, y, { dx: 9, dy: 4, size: 10, weight: k === decision.chosen ? 700 : 400, colour: theme.ink });
        });
    },
};
