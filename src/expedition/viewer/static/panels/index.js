// Everything around the map. Panels are told five times a second at most, and only those that are seen.
import { actionsOf } from "./actions.js";
import { attachBanners } from "./banner.js";
import { attachCurves } from "./curvepanel.js";
import { Curves } from "./curves.js";
import { find } from "./dom.js";
import { attachEventList } from "./eventlist.js";
import { attachInspector } from "./inspector.js";
import { attachHelp, attachKeys } from "./keys.js";
import { Events } from "./kinds.js";
import { attachLegend } from "./legend.js";
import { comeToPlace } from "./place.js";
import { attachPlayBar } from "./playbar.js";
import { addPointed } from "./pointed.js";
import { attachRobotList } from "./robotlist.js";
import { attachShare } from "./share.js";
import { attachTabs } from "./tabs.js";
import { attachTheme } from "./theme.js";
import { attachTimeline } from "./timeline.js";
import { attachView } from "./viewpanel.js";

const BEAT = 200;  // Milliseconds.
const CHANGES = ["mission", "news", "time", "frame", "moment", "select", "view", "connection", "theme"];

export function attach(watch) {
    const page = { events: new Events(watch) };
    const curves = new Curves(watch);
    let panels = [], dirty = true;
    const beat = () => {
        dirty = false;
        for (const panel of panels) if (!panel.tab || page.tabs.isOpen(panel.tab)) panel.update();
    };
    const soon = () => { dirty = true; queueMicrotask(() => { if (dirty) beat(); }); };

    addPointed(watch);
    page.banners = attachBanners(watch);
    comeToPlace(watch, page.banners.isCut);
    page.theme = attachTheme(watch);
    page.share = attachShare(watch);
    page.timeline = attachTimeline(watch, page.events, curves);
    page.tabs = attachTabs(() => { for (const panel of panels) panel.turned?.(); soon(); });
    page.findRobot = () => { page.tabs.toggle(true); page.tabs.open("robots"); find("robot-search").focus(); };
    const actions = actionsOf(watch, page);
    page.help = attachHelp(actions);
    attachLegend(page.events);
    attachView(watch);
    panels = [
        attachPlayBar(watch), page.timeline, attachRobotList(watch), attachInspector(watch),
        attachCurves(watch, curves, () => page.tabs.isOpen("curves")), attachEventList(watch, page.events),
    ];
    attachKeys(actions);
    for (const button of document.querySelectorAll("[data-act]")) {
        if (button.dataset.act in actions) button.addEventListener("click", () => actions[button.dataset.act].run());
    }
    page.tabs.begin();
    for (const name of CHANGES) watch.addEventListener(name, () => { dirty = true; });
    for (const name of ["change", "seek"]) watch.clock.addEventListener(name, () => { dirty = true; });
    for (const source of [page.events, curves]) source.addEventListener("change", () => { dirty = true; });
    // A robot that is chosen on the map is looked at in the list.
    watch.addEventListener("select", () => { if (watch.selected !== null && page.tabs.isOpen("view")) page.tabs.open("robots"); soon(); });
    const beating = setInterval(() => { if (dirty && !document.hidden) beat(); }, BEAT);
    const { close } = watch;
    watch.close = function () { clearInterval(beating); close.call(watch); };
    watch.page = page;
}
