// All layers, in the order in which they are drawn. A layer is a plain object:
//   name, title   how addresses and people call it
//   group, help   where the panel lists it, and what it says about it
//   sheet         "ground" (redrawn when maps change), "trails" (drawn further, see trails.js), "slow" (a few times a
//                 second) or "fast" (every frame)
//   on            whether it is on at first
//   parts         what it needs of the moment (see moments.py), if anything
//   isAid         if there: the page's own, which nobody switches
//   prepare(watch)  if there: called a few times a second while it is on, to ask for what it needs and to paint bitmaps
//   isReady(watch)  if there: whether what it shows is painted as of the time shown
//   legend(watch, over)  if there: the key of its colours, {title, from, to, stops} or {title, words: [[colour, word]]}
//   draw(tools)   draws it; `tools` has context, pane ("truth" or "belief"), mission, state, poses (of that side), moment,
//                 theme, time, watch, scale, write(text, x, y, style) and more (see pane.js); the context is in metres
//                 with y up, and a line of a pixel is 1 / scale wide
import { costmap } from "./costmap.js";
import { decisions } from "./decisions.js";
import { doors, explorable, gridLines, materials, rough } from "./ground.js";
import { coverage, exploration, explorers } from "./heat.js";
import { landmarks } from "./landmarks.js";
import { map } from "./map.js";
import { marks, rendezvous, skeleton } from "./marks.js";
import { names, roles } from "./names.js";
import { base, links, radio } from "./network.js";
import { people } from "./people.js";
import { frontiers, goals, paths } from "./plans.js";
import { footprints, robots } from "./robots.js";
import { scans } from "./scans.js";
import { tags } from "./tags.js";
import { trails } from "./trails.js";
import { uncertainty } from "./uncertainty.js";

export const GROUPS = { world: "World", robots: "Robots", plans: "Plans", network: "Network", knowledge: "Knowledge" };

export const LAYERS = [
    map, costmap, exploration, coverage, explorers, explorable, rough, materials, gridLines,
    trails,
    radio, links, doors, skeleton, frontiers, paths, decisions, scans, landmarks, rendezvous, marks, tags, base,
    uncertainty, goals, people, robots, footprints, roles, names,
];
