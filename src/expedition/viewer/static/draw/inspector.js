// The fields of the object that is selected.
import { put } from "./objects.js";
import { times } from "./settings.js";
import { button, element, numberField, selectField, switchField, textField } from "./fields.js";

const DEGREE = Math.PI / 180;
const TITLES = { door: "Door", person: "Person", collapse: "Collapse", landmark: "Landmark", start: "Start" };

export function inspector(editor, object) {
    const box = element("section", "draw-section");
    const starts = editor.drawing.ofKind("start");
    const number = object.kind === "start" ? ` ${starts.indexOf(object)}` : "";
    box.append(element("h3", "", `${TITLES[object.kind]}${number}`));
    const change = fields => editor.stroke(stroke => put(stroke, object, Object.freeze({ ...object, ...fields })));
    const number_ = (name, title, options = {}) =>
        numberField(name, { title, ...options }, object[name], value => change({ [name]: value }));
    const material = () => selectField(
        "material", "Material", editor.materials.map(({ name }) => [name, name]), object.material, value => change({ material: value }));
    if (object.kind === "door") box.append(...doorFields(object, change), material(), number_("height", "Height", { unit: "m", least: 0.02, most: 655, step: 0.1 }));
    else if (object.kind === "collapse") {
        box.append(
            number_("time", "Comes down at", { unit: "s", least: 0, most: 1e9, step: 10 }),
            numberField("fill", { title: "Rubble covers", unit: "%", least: 0.1, most: 100, step: 10 }, 100 * object.fill, value => change({ fill: value / 100 })),
            material(), number_("height", "Height", { unit: "m", least: 0.02, most: 655, step: 0.1 }));
    } else if (object.kind === "person") {
        box.append(
            element("p", "draw-hint", object.waypoints.length > 1 ? `Walks ${object.waypoints.length} waypoints round and round.` : "Wanders."),
            number_("speed", "Speed", { unit: "m/s", least: 0.01, most: 20, step: 0.1 }), number_("radius", "Radius", { unit: "m", least: 0.01, most: 5, step: 0.05 }),
            number_("height", "Height", { unit: "m", least: 0.01, most: 5, step: 0.1 }), number_("mean_leg", "Turns after", { unit: "s", least: 0.001, most: 1e9, step: 1 }));
    } else {
        box.append(number_("x", "x", { unit: "m", step: 0.1 }), number_("y", "y", { unit: "m", step: 0.1 }));
        if (object.kind === "landmark") box.append(descriptorField(object, change));
        else box.append(...startFields(editor, object, starts, change));
    }
    box.append(button("Remove", "warn", () => editor.removeSelected(), "remove"));
    return box;
}

/** A door switches at given times or at random, never both. */
function doorFields(door, change) {
    const random = door.mean_open != null;
    const mode = selectField("switching", "Opens and closes", [["times", "at times"], ["random", "at random"]], random ? "random" : "times", value =>
        change(value === "random"
            ? { switches: [], mean_open: 30, mean_closed: 30 } : { switches: [], mean_open: undefined, mean_closed: undefined }));
    const mean = (name, title) => numberField(name, { title, unit: "s", least: 0.001, most: 1e9, step: 5 }, door[name], value => change({ [name]: value }));
    const when = random
        ? [mean("mean_open", "Open for about"), mean("mean_closed", "Closed for about")]
        : [textField("switches", "Switches at (s)", door.switches?.join(", ") ?? "", "60, 120", times, value => change({ switches: value }))];
    return [switchField("closed", "Closed at first", door.closed, value => change({ closed: value })), mode, ...when];
}

function descriptorField(mark, change) {
    const read = text => {
        const values = text.split(/[\s,;]+/).filter(Boolean).map(Number);
        return values.every(Number.isFinite) ? values : null;
    };
    return textField("descriptor", "Descriptor", mark.descriptor.join(", "), "0.2, 0.7, ...", read, value => change({ descriptor: value }));
}

function startFields(editor, start, starts, change) {
    const heading = numberField("heading", { title: "Heading", unit: "°", least: -360, most: 360, step: 15 },
        Math.round(start.heading / DEGREE * 10) / 10, value => change({ heading: Math.round(value * DEGREE * 1e4) / 1e4 }));
    const order = numberField("order", { title: "Robot", least: 0, most: starts.length - 1, step: 1 }, starts.indexOf(start), value => {
        const others = starts.filter(other => other !== start);
        others.splice(Math.round(value), 0, start);
        editor.stroke(stroke => stroke.setObjects([...editor.drawing.objects.filter(({ kind }) => kind !== "start"), ...others]));
    });
    return [heading, order];
}
