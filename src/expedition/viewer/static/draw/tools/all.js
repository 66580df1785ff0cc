// The tools in the order of the bar; a gap where a group ends.
import { BrushTool, EraserTool } from "./brush.js";
import { CollapseTool, RectangleTool, RoomTool } from "./box.js";
import { DoorTool } from "./door.js";
import { FillTool } from "./fill.js";
import { LandmarkTool, PersonTool, StartTool } from "./points.js";
import { PolygonTool } from "./polygon.js";
import { HandTool, RulerTool } from "./ruler.js";
import { SelectTool } from "./select.js";
import { WallTool } from "./wall.js";

export const TOOLS = {
    select: SelectTool, hand: HandTool, wall: WallTool, room: RoomTool, rectangle: RectangleTool, polygon: PolygonTool,
    brush: BrushTool, eraser: EraserTool, fill: FillTool, door: DoorTool, start: StartTool, landmark: LandmarkTool,
    person: PersonTool, collapse: CollapseTool, ruler: RulerTool,
};
export const GAPS_AFTER = ["hand", "fill", "collapse"];

const stroke = inner => `<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round">${inner}</svg>`;

export const ICONS = {
    select: stroke('<path d="M6 3.5 18.5 12l-5.6 1.4L9.8 19z"/>'),
    hand: stroke('<path d="M12 3v18M3 12h18M12 3 9.5 5.5M12 3l2.5 2.5M12 21l-2.5-2.5M12 21l2.5-2.5M3 12l2.5-2.5M3 12l2.5 2.5M21 12l-2.5-2.5M21 12l-2.5 2.5"/>'),
    wall: stroke('<path d="M4 20 20 4" stroke-width="4.5"/>'),
    room: stroke('<rect x="4" y="5" width="16" height="14" stroke-width="3"/>'),
    rectangle: stroke('<rect x="4" y="6" width="16" height="12" fill="currentColor"/>'),
    polygon: stroke('<path d="m12 3.5 8.5 6.3-3.2 10H6.7l-3.2-10z"/>'),
    brush: stroke('<path d="M19.5 4.5c-4 1-8.5 5-9.8 8.2l1.6 1.6c3.2-1.3 7.2-5.8 8.2-9.8zM8.8 13.6c-2.6 0-2.6 3.9-5.3 5.4 3.8 1.3 7.3.3 7.3-3.4z"/>'),
    eraser: stroke('<path d="m4 15.5 9.5-9.5 6 6L12 19.5H8z M9 10.5l6 6M8 19.5h11"/>'),
    fill: stroke('<path d="m5 12 7-7 7 7-7 7z M9 3l3 3M20 15c1.5 2 1.5 4 0 4s-1.5-2 0-4"/>'),
    door: stroke('<path d="M3 20h4M17 20h4M7 20V6M7 6c7 0 10 6 10 14" /><path d="M7 6v14" stroke-width="3"/>'),
    start: stroke('<circle cx="11" cy="12" r="6.5"/><path d="m17.5 9 4 3-4 3z" fill="currentColor"/><path d="M11 9v6"/>'),
    landmark: stroke('<path d="m12 4 6 8-6 8-6-8z" fill="currentColor" fill-opacity=".25"/>'),
    person: stroke('<circle cx="12" cy="6.5" r="3"/><path d="M6 20c0-5 2.5-8 6-8s6 3 6 8"/>'),
    collapse: stroke('<rect x="4" y="5" width="16" height="14" stroke-dasharray="3 3"/><path d="m7 16 3-4 3 3 4-6"/>'),
    ruler: stroke('<path d="m3 16 13-13 5 5L8 21zM7 12l2 2M10 9l2 2M13 6l2 2"/>'),
};
