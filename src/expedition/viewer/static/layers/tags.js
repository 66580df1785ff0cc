// Notes that robots left in the world.
import { robotColour } from "../colours.js";

const LONGEST = 28;  // Characters.

export const tags = {
    name: "tags", title: "Tags", group: "knowledge", sheet: "slow", on: true, parts: ["tags"],
    help: "Notes that robots left behind, with what they say where there is room",
    draw({ context, moment, scale, theme, write, places, toPixel }) {
        const found = moment.tags ?? [], size = 3.5 / scale;
        // The newest are the ones that are read.
        for (let k = found.length - 1; k >= 0; k--) {
            const [x, y, text] = found[k], [px, py] = toPixel(x, y), said = text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
            if (places.take(px + 6, py - 4, said, 10)) write(said, x, y, { dx: 6, dy: -4, size: 10, colour: theme.soft });
        }
        context.lineWidth = 1 / scale;
        context.strokeStyle = theme.halo;
        for (const [x, y, , robot] of found) {
            context.beginPath();
            context.moveTo(x, y);
            context.lineTo(x - size, y + 2 * size);
            context.lineTo(x + size, y + 2 * size);
            context.closePath();
            context.fillStyle = robotColour(robot);
            context.fill();
            context.stroke();
        }
    },
};
