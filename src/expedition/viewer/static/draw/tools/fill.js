// Fill all that is joined to a cell and is as it is.
import { flood } from "../raster.js";
import { Tool } from "./tool.js";

export class FillTool extends Tool {
    static title = "Fill";
    static key = "f";
    static hint = "Click into a closed area. On a wall, all of the joined wall of its kind is changed.";
    static options = ["ink"];

    down(p) {
        const { drawing } = this;
        const row = Math.floor(drawing.row(p.y)), column = Math.floor(drawing.column(p.x));
        if (!drawing.inside(row, column)) return;
        const { wall_height_cm: height, material, speed_percent: speed } = drawing.layers;
        const first = drawing.at(row, column);
        const [firstHeight, firstMaterial, firstSpeed] = [height[first], material[first], speed[first]];
        const ink = this.settings.chosenInk;
        const open = new Uint8Array(height.length);
        for (let cell = 0; cell < open.length; cell++) {
            open[cell] = height[cell] === firstHeight
                && (firstHeight > 0 ? material[cell] === firstMaterial : ink.kind === "wall" || speed[cell] === firstSpeed);
        }
        // Found first and written then: writing changes what fits.
        const spans = [];
        flood(drawing.rows, drawing.columns, row, column, open, (...span) => spans.push(span));
        this.editor.stroke(stroke => spans.forEach(span => stroke.span(...span, ink)));
    }
}
