// Where one is: the moment, map, layout, layers, robot and camera, as an address has them and as this browser remembers.
import { switchable } from "./viewpanel.js";
import { memory } from "./dom.js";

const LAYOUTS = ["belief", "truth", "both", "over"];
const usual = () => switchable().filter(layer => layer.on).map(layer => layer.name);
const shown = watch => switchable().filter(layer => watch.layers.has(layer.name)).map(layer => layer.name);
const round = (value, digits) => String(Number(value.toFixed(digits)));
const number = (query, name) => (query.has(name) && query.get(name) !== "" && Number.isFinite(Number(query.get(name))) ? Number(query.get(name)) : null);

/** The address of what is seen; never with a token, since only what is listed here is in it. */
export function addressOf(watch, plays = false) {
    const { clock, camera } = watch, query = new URLSearchParams();
    query.set("t", round(clock.time, 2));
    if (watch.which !== "union") query.set("map", String(watch.which));
    query.set("view", watch.sides);
    if (shown(watch).join() !== usual().join()) query.set("layers", shown(watch).join(",") || "none");
    if (watch.selected !== null) query.set("robot", String(watch.selected));
    query.set("x", round(camera.x, 2));
    query.set("y", round(camera.y, 2));
    query.set("s", round(camera.scale, 3));
    if (plays) query.set("play", clock.speed === Infinity ? "max" : String(clock.speed));
    return `${location.origin}${location.pathname}?${query.toString().replaceAll("%2C", ",")}`;
}

/** Go where the address says, and else to what is remembered; before the mission is here, and once it is. */
export function comeToPlace(watch, isCut) {
    const query = new URLSearchParams(location.search);
    const names = switchable().map(layer => layer.name);
    const asked = query.has("layers") ? query.get("layers").split(",") : memory.get("layers");
    if (Array.isArray(asked)) for (const name of names) if (watch.layers.has(name) !== asked.includes(name)) watch.layers.set(name, asked.includes(name));
    const sides = query.get("view") ?? memory.get("view");
    if (LAYOUTS.includes(sides)) watch.sides = sides;
    const [x, y, scale] = ["x", "y", "s"].map(name => number(query, name));
    if (x !== null && y !== null && scale > 0) {
        watch.fitted = true;
        Object.assign(watch.camera, { x, y, scale: Math.min(2000, Math.max(0.2, scale)) });
        watch.camera.changed();
    }
    watch.addEventListener("mission", () => begin(watch, query, isCut), { once: true });
}

function begin(watch, query, isCut) {
    const { mission, clock } = watch;
    const robot = number(query, "robot"), map = query.get("map"), time = number(query, "t");
    const isRobot = which => Number.isInteger(which) && which >= 0 && which < mission.names.length;
    if (map === "truth" || (map === "base" && mission.base)) watch.showMap(map);
    else if (map !== null && /^\d+$/.test(map) && isRobot(Number(map))) watch.showMap(Number(map));
    if (isRobot(robot)) watch.select(robot);
    if (time !== null) clock.seek(time, false);
    else if (isCut() || query.has("play")) clock.seek(0, false);
    const speed = query.get("play") === "max" ? Infinity : number(query, "play");
    if (query.has("play")) clock.play(speed > 0 ? speed : clock.speed);
    const keep = () => { memory.set("layers", shown(watch)); memory.set("view", watch.sides); };
    watch.addEventListener("view", keep);
    watch.layers.addEventListener("change", keep);
    // A page that comes back after the server was away loads anew: then it is where it was.
    watch.addEventListener("connection", ({ detail }) => {
        if (detail.state === "closed") history.replaceState(null, "", addressOf(watch, clock.playing));
    });
}

export function usualLayers(watch) {
    const wanted = usual();
    for (const { name } of switchable()) if (watch.layers.has(name) !== wanted.includes(name)) watch.layers.set(name, wanted.includes(name));
}
