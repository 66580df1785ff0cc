// All layers, in the order in which they are drawn. A layer is a plain object:
//   name, title   how addresses and people call it
//   sheet         "ground" (redrawn when maps change), "trails" (drawn further, see trails.js), "slow" (a few times a
//                 second) or "fast" (every frame)
//   on            whether it is on at first
//   parts         what it needs of the moment (see moments.py), if anything
//   draw(view)    draws it; `view` has context, pane ("truth" or "belief"), mission, state, moment, maps, theme, time,
//                 watch, and scale; the context is in metres with y up
import { map } from "./map.js";
import { trails } from "./trails.js";
import { links, base } from "./network.js";
import { frontiers, goals, paths } from "./plans.js";
import { robots, names } from "./robots.js";

export const LAYERS = [map, trails, links, frontiers, paths, goals, base, robots, names];
