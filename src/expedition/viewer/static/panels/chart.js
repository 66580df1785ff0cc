// A small chart: lines over the time of the mission, the moment shown, and what they are under the mouse.
import { robotColour } from "../colours.js";
import { clockText, make, say, sharpCanvas } from "./dom.js";

const LEFT = 40, BOTTOM = 15, TOP = 6;

/** A step of 1, 2 or 5 times a power of ten, so that there are about three of them. */
export function niceStep(span) {
    const rough = span / 3, power = 10 ** Math.floor(Math.log10(rough));
    return power * [1, 2, 5, 10].find(factor => factor * power >= rough);
}

/** `lines()` gives [{name, colour, values, stride, offset, dashed}], `text(value)` how values are written. */
export function addChart(place, title, { lines, text, most, curves, watch, seek }) {
    const box = make("figure", "chart", "", { "data-chart": title });
    const caption = make("figcaption"), read = make("output");
    caption.append(make("span", "", title), read);
    const canvasElement = make("canvas"), line = make("div", "chart-cursor"), plot = make("div", "chart-plot");
    plot.append(canvasElement, line);
    box.append(caption, plot);
    place.append(box);
    let hovered = null, top = 1;
    const canvas = sharpCanvas(canvasElement, draw);
    const span = () => Math.max(1e-9, curves.data?.end ?? 1);
    const xOf = time => LEFT + (Math.min(time, span()) / span()) * (canvas.width - LEFT - 4);
    const timeOf = x => Math.min(1, Math.max(0, (x - LEFT) / (canvas.width - LEFT - 4))) * span();

    function draw(context, width, height) {
        const { times } = curves.data ?? {};
        const style = getComputedStyle(box), soft = style.getPropertyValue("--soft"), rule = style.getPropertyValue("--line");
        const found = times ? lines(curves.data) : [];
        top = most ?? Math.max(1e-9, ...found.map(one => peak(one, times.length)));
        const yOf = value => height - BOTTOM - (value / top) * (height - BOTTOM - TOP);
        context.font = "10px system-ui, sans-serif";
        context.lineWidth = 1;
        const step = niceStep(top);
        context.textAlign = "right";
        for (let value = 0; value <= top * 1.001; value += step) {
            context.strokeStyle = rule;
            context.beginPath();
            context.moveTo(LEFT, yOf(value));
            context.lineTo(width - 4, yOf(value));
            context.stroke();
            context.fillStyle = soft;
            context.fillText(text(value), LEFT - 4, yOf(value) + 3);
        }
        context.fillText(clockText(span(), 0), width - 4, height - 3);
        context.textAlign = "left";
        context.fillText("0:00", LEFT, height - 3);
        for (const one of found) {
            context.beginPath();
            for (let k = 0; k < times.length; k++) {
                const value = one.values[k * one.stride + one.offset];
                if (Number.isFinite(value)) context.lineTo(xOf(times[k]), yOf(value));
            }
            context.strokeStyle = one.colour;
            context.globalAlpha = one.faint ? 0.55 : 1;
            context.lineWidth = one.faint ? 1 : 1.6;
            context.setLineDash(one.dashed ? [4, 3] : []);
            context.stroke();
        }
        context.globalAlpha = 1;
        context.setLineDash([]);
        move();
    }

    function move() { line.style.transform = `translateX(${xOf(watch.clock.time)}px)`; }

    const at = event => event.clientX - plot.getBoundingClientRect().left;
    plot.addEventListener("pointermove", event => { hovered = timeOf(at(event)); if (event.buttons & 1) seek(hovered); update(); });
    plot.addEventListener("pointerleave", () => { hovered = null; update(); });
    plot.addEventListener("pointerdown", event => { plot.setPointerCapture(event.pointerId); seek(timeOf(at(event))); event.preventDefault(); });

    function update() {
        const time = hovered ?? watch.clock.time, index = curves.index(time);
        move();
        if (index < 0) return;
        const told = lines(curves.data).filter(one => !one.faint).slice(0, 3)
            .map(one => `${one.name} ${text(one.values[index * one.stride + one.offset])}`);
        say(read, (hovered === null ? "" : `${clockText(time)}: `) + told.join(" · "));
    }

    return { update, paint: canvas.paint };
}

function peak({ values, stride, offset }, samples) {
    let found = 0;
    for (let k = 0; k < samples; k++) {
        const value = values[k * stride + offset];
        if (value > found) found = value;
    }
    return found;
}

/** Lines of robots out of a table of samples by robots. */
export function robotLines(data, name, robots, chosen) {
    const values = data[name], stride = values.shape[1];
    return Array.from({ length: stride }, (_, offset) => {
        const robot = robots === null ? offset : robots[offset];
        return { name: `robot ${robot}`, colour: robotColour(robot), values, stride, offset, faint: stride > 1 && robot !== chosen };
    });
}
