// Points that strategies show: where robots meet, the skeleton of the free ground, and whatever else they mark.
import { robotColour } from "../colours.js";

const OWN = ["skeleton", "rendezvous"];  // Kinds that have layers of their own.

/** The marks of a kind; of the selected robot if it has any, or else of all. */
function marksOf({ moment, watch }, kind) {
    const found = moment.marks?.[kind] ?? [];
    const theirs = found.filter(([robot]) => robot === watch.selected);
    return theirs.length ? theirs : found;
}

export const skeleton = {
    name: "skeleton", title: "Skeleton", group: "plans", sheet: "slow", on: true, parts: ["marks"],
    help: "Junctions and ends of the free ground that robots consider for meetings",
    draw(tools) {
        const { context, scale } = tools, size = 3 / scale;
        for (const [robot, points] of marksOf(tools, "skeleton")) {
            context.fillStyle = robotColour(robot);
            context.globalAlpha = 0.55;
            for (const [x, y] of points) context.fillRect(x - size / 2, y - size / 2, size, size);
        }
        context.globalAlpha = 1;
    },
};

export const rendezvous = {
    name: "rendezvous", title: "Meeting points", group: "plans", sheet: "slow", on: true, parts: ["marks"],
    help: "Where robots have agreed to meet: a ring in the colour of each that goes there",
    draw(tools) {
        const { context, scale, theme, write, places, toPixel } = tools, at = new Map();
        for (const [robot, points] of marksOf(tools, "rendezvous")) {
            for (const [x, y] of points) {
                // Robots that agreed on a place have rings around one another.
                const key = `${x.toFixed(1)} ${y.toFixed(1)}`, ring = at.get(key) ?? 0;
                at.set(key, ring + 1);
                for (const [colour, width] of [[theme.halo, 4], [robotColour(robot), 2.2]]) {
                    context.beginPath();
                    context.arc(x, y, (7 + 3.5 * ring) / scale, 0, 2 * Math.PI);
                    context.strokeStyle = colour;
                    context.lineWidth = width / scale;
                    context.stroke();
                }
                const [px, py] = toPixel(x, y);
                if (!ring && places.take(px + 12, py + 16, "meet")) write("meet", x, y, { dx: 12, dy: 16, colour: theme.mark });
            }
        }
    },
};

export const marks = {
    name: "marks", title: "Other marks", group: "plans", sheet: "slow", on: true, parts: ["marks"],
    help: "All other points that strategies show, each kind with its name at the first",
    draw(tools) {
        const { context, moment, scale, theme, write, places, toPixel } = tools, size = 3.5 / scale;
        for (const kind of Object.keys(moment.marks ?? {}).filter(one => !OWN.includes(one))) {
            for (const [robot, points] of marksOf(tools, kind)) {
                context.strokeStyle = robotColour(robot);
                context.lineWidth = 1.5 / scale;
                context.beginPath();
                for (const [x, y] of points) { context.moveTo(x + size, y); context.arc(x, y, size, 0, 2 * Math.PI); }
                context.stroke();
                const [x, y] = points[0] ?? [NaN, NaN], [px, py] = toPixel(x, y);
                if (points.length && places.take(px + 7, py + 11, kind, 10)) write(kind.slice(0, 24), x, y, { dx: 7, dy: 11, size: 10, colour: theme.mark });
            }
        }
    },
};
