// The curves beside the map.
import { addChart, robotLines } from "./chart.js";
import { bytesText, find, make } from "./dom.js";

const alone = (values, name, colour, more = {}) => ({ name, colour, values, stride: 1, offset: 0, ...more });
const share = value => (Number.isFinite(value) ? `${Math.round(100 * value)} %` : "–");
const metres = value => `${value >= 1000 ? `${(value / 1000).toPrecision(2)} km` : `${Math.round(value)} m`}`;

export function attachCurves(watch, curves, isOpen) {
    const place = find("charts"), choice = find("curve-robots");
    for (const [value, title] of [["one", "the selected one"], ["all", "all"], ["none", "none"]]) choice.append(make("option", "", title, { value }));
    let stale = true;
    const ink = name => getComputedStyle(place).getPropertyValue(name);
    const seek = time => watch.clock.seek(time, false);
    const shared = { curves, watch, seek };
    const charts = [
        addChart(place, "Explored", {
            ...shared, text: share, most: 1,
            lines: data => [
                ...lines(data, "explored"), alone(data.union, "together", ink("--ink")),
                ...(watch.mission.base ? [alone(data.at_base, "base", ink("--accent"), { dashed: true })] : []),
            ],
        }),
        addChart(place, "Distance", {
            ...shared, text: metres,
            lines: data => [...lines(data, "travelled"), alone(data.travelled_mean, "mean", ink("--ink"), { dashed: true })],
        }),
        addChart(place, "Connected", { ...shared, text: share, most: 1, lines: data => [alone(data.connected, "largest group", ink("--good"))] }),
        addChart(place, "Sent", {
            ...shared, text: bytesText, lines: data => [...lines(data, "sent"), alone(data.sent_mean, "mean", ink("--ink"), { dashed: true })],
        }),
        addChart(place, "Received", {
            ...shared, text: bytesText, lines: data => [...lines(data, "received"), alone(data.received_mean, "mean", ink("--ink"), { dashed: true })],
        }),
    ];

    function lines(data, name) { return robotLines(data, name, data.robots, watch.selected); }

    function choose() {
        const { value } = choice;
        curves.want(value === "all" && isOpen() ? null : value === "one" && watch.selected !== null ? [watch.selected] : []);
        stale = true;
    }

    function update() {
        if (stale) { stale = false; for (const chart of charts) chart.paint(); }
        for (const chart of charts) chart.update();
    }

    choice.addEventListener("change", () => { choose(); choice.blur(); });
    watch.addEventListener("select", choose);
    watch.addEventListener("theme", () => { stale = true; });
    curves.addEventListener("change", () => { stale = true; });
    return { tab: "curves", update, turned: choose };
}
