// Which layers are on. Panes and missions may share one set.
import { LAYERS } from "./layers/index.js";

export class LayerSet extends EventTarget {
    constructor(names) {
        super();
        this.shown = new Set(names ?? LAYERS.filter(layer => layer.on).map(layer => layer.name));
        this.version = 0;
    }

    has(name) { return this.shown.has(name); }

    set(name, on) {
        if (on) this.shown.add(name); else this.shown.delete(name);
        this.version++;
        this.dispatchEvent(new Event("change"));
    }

    on(sheet) { return LAYERS.filter(layer => layer.sheet === sheet && this.shown.has(layer.name)); }

    get active() { return LAYERS.filter(layer => this.shown.has(layer.name)); }

    /** What the layers that are on need of a moment. */
    get parts() { return [...new Set(LAYERS.filter(layer => this.shown.has(layer.name)).flatMap(layer => layer.parts ?? []))].sort(); }
}
