// What is shown on the map: whose map it is, the layout, and the layers that are on.
import { GROUPS, LAYERS } from "../layers/index.js";
import { find, make, mark } from "./dom.js";

// Layers that the keys 1 to 9 switch.
const KEYED = ["trails", "links", "frontiers", "paths", "goals", "names", "scans", "uncertainty", "exploration"];

/** Layers that people switch; aids such as the mark of an alternative come and go by themselves. */
export const switchable = () => LAYERS.filter(layer => !layer.isAid);

export const keyed = () => KEYED.map(name => LAYERS.find(layer => layer.name === name));

export function attachView(watch) {
    const map = find("map"), groups = find("layers");
    const layouts = [...find("layouts").querySelectorAll("[data-layout]")];
    const boxes = new Map();

    watch.addEventListener("mission", () => {
        const { names, base } = watch.mission;
        const options = [["union", "all robots together"], ["truth", "the truth"]];
        if (base) options.push(["base", "the base station"]);
        names.forEach((name, robot) => options.push([robot, `robot ${robot}`]));
        map.replaceChildren(...options.map(([value, title]) => make("option", "", title, { value: String(value) })));
        show();
    });
    map.addEventListener("change", () => {
        watch.showMap(/^\d+$/.test(map.value) ? Number(map.value) : map.value);
        map.blur();
    });
    layouts.forEach((button, k) => {
        button.addEventListener("click", () => watch.show(button.dataset.layout));
        button.addEventListener("keydown", event => {
            const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
            if (!step) return;
            const next = layouts[(k + step + layouts.length) % layouts.length];
            watch.show(next.dataset.layout);
            next.focus();
            event.preventDefault();
            event.stopPropagation();
        });
    });

    function addLayers() {
        const places = new Map();
        for (const [group, title] of [...Object.entries(GROUPS), [undefined, "Others"]]) {
            const place = make("fieldset", "layer-group");
            place.append(make("legend", "", title));
            places.set(group, place);
        }
        for (const layer of switchable()) {
            const label = make("label", "check", "", layer.help ? { title: layer.help } : {});
            const box = make("input", "", "", { type: "checkbox", "data-layer": layer.name });
            box.addEventListener("change", () => watch.layers.set(layer.name, box.checked));
            label.append(box, make("span", "", layer.title));
            const key = keyed().indexOf(layer) + 1;
            if (key) label.append(make("kbd", "", String(key)));
            boxes.set(layer.name, box);
            places.get(layer.group in GROUPS ? layer.group : undefined).append(label);
        }
        groups.append(...[...places.values()].filter(place => place.children.length > 1));
    }

    function show() {
        map.value = String(watch.which);
        for (const button of layouts) {
            const on = button.dataset.layout === watch.sides;
            mark(button, "on", on);
            button.setAttribute("aria-checked", String(on));
            button.tabIndex = on ? 0 : -1;
        }
        for (const [name, box] of boxes) if (box.checked !== watch.layers.has(name)) box.checked = watch.layers.has(name);
    }

    addLayers();
    watch.addEventListener("view", show);
    watch.layers.addEventListener("change", show);
    show();
}
