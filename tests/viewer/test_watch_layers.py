"""Every layer draws what the log says, where it says so, on its own sheet, and nothing once it is off."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser

from expedition.log.reader import LogReader
from expedition.log.recorder import Recorder
from expedition.mission import run
from expedition.robot import Robot
from expedition.viewer.watch.answers import answer
from tests.log.eventful import mission
from tests.viewer.drawn import ROBOTS, Pixels, Watching, centres, has_colour, is_blank, near, watch
from tests.viewer.serving import Serving

LIGHT = {
    "free": "#ffffff", "occupied": "#343a44", "unknown": "#d9dde3", "ink": "#2b2f36", "link": "#009e73",
    "frontier": "#e69f00", "warn": "#d55e00", "dead": "#8b919b", "person": "#7a3b1d", "landmark": "#7a5195",
    "wrong": "#d55e00", "missed": "#0072b2", "unseen": "#aab1bb", "mark": "#5b3a8c",
}  # fmt: skip
BY_STATE = (LIGHT["unknown"], LIGHT["free"], LIGHT["occupied"])
Spots = list[tuple[float, float, str]]
"""Places, and the colour that is to be seen there."""


async def marking(robot: Robot) -> None:
    """Shows the marks of strategies that meet."""
    robot.role = "relay" if robot.id else "explorer"
    robot.mark("skeleton", [(2.0 + robot.id, 4.0), (2.0, 6.0 + robot.id)])
    robot.mark("rendezvous", [(7.0, 13.0), (3.0 + robot.id, 15.0)])
    await robot.wait(60.0)


@pytest.fixture
def watching(drawn: Watching) -> Watching:
    drawn.reset()
    return drawn


@dataclass(frozen=True)
class Case:
    """A layer at a time: where it has what colour."""

    layer: str
    time: float
    sheet: str
    spots: Callable[[LogReader, float], Spots]
    within: float = 3.0
    tolerance: int = 40
    before: str = ""
    """What is done on the page first."""


def _per_robot(places: Any) -> Spots:
    return [(x, y, ROBOTS[robot]) for robot, (x, y, *_) in enumerate(np.asarray(places)) if np.isfinite(x)]


def _cells(log: LogReader, colours: dict[int, str], cells: Any, most: int = 12) -> Spots:
    """Some cells of each value, away from the edge of the map."""
    generator = np.random.default_rng(1)
    spots: Spots = []
    for value, colour in colours.items():
        found = np.argwhere(cells == value)
        found = found[generator.permutation(len(found))[:most]]
        assert len(found), value
        spots += [(x, y, colour) for x, y in centres(log, found)]
    return _seen(log, spots)


def _seen(log: LogReader, spots: Spots) -> Spots:
    """Those that are on the screen when the terrain fits it."""
    left, right, bottom, top = log.header.extent
    return [spot for spot in spots if left < spot[0] < right and bottom < spot[1] < top]


def _apart(spots: Spots) -> Spots:
    """Those that none of another colour can lie on."""
    return [
        spot for spot in spots
        if all(np.hypot(spot[0] - x, spot[1] - y) > 0.8 or colour == spot[2] for x, y, colour in spots)
    ]  # fmt: skip


def _rims(log: LogReader, time: float) -> Spots:
    """Both ends of the long axis of the ellipse of 95 percent of each robot."""
    scene, spots = log.scene(time), []
    for robot, (xx, xy, yy) in enumerate(scene.covariance):
        values, axes = np.linalg.eigh([[xx, xy], [xy, yy]])
        reach = np.sqrt(5.991 * values[1]) * axes[:, 1]
        spots += [(*(scene.believed[robot, :2] + side * reach), ROBOTS[robot]) for side in (1, -1)]
    return _apart(spots)


def _links(log: LogReader, time: float) -> Spots:
    """A third of the way along each."""
    scene = log.scene(time)
    assert log.header.base is not None
    places = np.vstack([scene.believed[:, :2], log.header.base])
    pairs = [(a, b) for a in range(len(places)) for b in range(a) if scene.links[a, b] and scene.links[b, a]]
    assert pairs
    return [(*(places[a] + (places[b] - places[a]) / 3), LIGHT["link"]) for a, b in pairs]


def _heat(log: LogReader, time: float, field: str) -> Spots:
    """The newest is red, the oldest blue."""
    when = np.nan_to_num(log.first_seen(log.end)[1] if field == "seen" else log.covered_at(log.end), nan=np.inf)
    new, old = (when <= time) & (when > time - 1.0), when <= 1.0
    return _cells(log, {1: "#a50026"}, new, 5) + _cells(log, {1: "#313695"}, old, 5)


def _who(log: LogReader, time: float) -> Spots:
    who, when = log.first_seen(log.end)
    return _cells(log, {robot: ROBOTS[robot] for robot in range(4)}, np.where(when <= time, who, -1), 6)


def _costs(log: LogReader, time: float) -> Spots:
    cost = answer(log, "costmap", {"which": "union", "time": time}).arrays["cost"]
    return _cells(log, {251: "#b05cc0"}, cost)


def _terrain(log: LogReader, cells: Any, colour: str) -> Spots:
    terrain = log.header.terrain
    found = np.argwhere(cells)[::97]
    x, y = terrain.origin
    return [(x + (c + 0.5) * terrain.resolution, y + (r + 0.5) * terrain.resolution, colour) for r, c in found]


def _trail(log: LogReader, time: float) -> Spots:
    return [
        (*log.believed_trajectory(robot, time)[k, :2], ROBOTS[robot]) for robot in range(4) for k in (0, 10, 30, 50)
    ]


def _scans(log: LogReader, time: float, robots: tuple[int, ...] = (0, 1, 2, 3)) -> Spots:
    found = log.scans(time)
    spots = [(*point, ROBOTS[robot]) for robot in robots if (scan := found[robot]) is not None for point in scan[::3]]
    return _apart(_seen(log, spots))


CASES = [
    Case("map", 20.0, "ground", lambda log, time: _cells(log, dict(enumerate(BY_STATE)), log.map("union", time)), 0, 2),
    Case("robots", 15.1, "fast", lambda log, time: _per_robot(log.scene(time).believed), 4, 8),
    Case("names", 15.1, "fast", lambda log, time: [
        (x, y, LIGHT["ink"]) for x, y, _ in log.scene(time).believed
    ], 25),
    Case("roles", 15.1, "fast", lambda log, time: [(x, y, LIGHT["mark"]) for x, y, _ in log.scene(time).believed], 25),
    Case("footprints", 15.1, "fast", lambda log, time: [(x, y, LIGHT["ink"]) for x, y, _ in log.scene(time).poses], 12),
    Case("uncertainty", 15.1, "fast", _rims, 2, 50),
    Case("scans", 15.1, "slow", _scans, 2),
    Case("trails", 15.1, "trails", _trail, 4, 60),
    Case("goals", 19.0, "fast", lambda log, time: _apart(_seen(log, _per_robot(log.scene(time).goals))), 3),
    Case("paths", 15.1, "slow", lambda log, time: _seen(log, _per_robot(
        [path[0] if len(path) else (np.nan, np.nan) for path in log.scene(time).paths]
    )), 6),
    Case("frontiers", 10.0, "slow", lambda log, time: _seen(log, [
        (x, y, LIGHT["frontier"]) for x, y, _ in log.union_frontiers(time)
    ]), 2, 5),
    Case("links", 10.0, "slow", _links, 3, 50),
    Case("radio", 10.0, "slow", lambda log, time: [
        (x + log.header.radio_ranges[0], y, LIGHT["link"]) for x, y, _ in log.scene(time).believed[:1]
    ], 5, 60, "w.select(0); w.camera.scale = 1.0; w.camera.changed();"),
    Case("base", 10.0, "slow", lambda log, time: [(*(log.header.base or (0, 0)), LIGHT["ink"])], 2, 5),
    Case("tags", 20.0, "slow", lambda log, time: _apart([
        (tag.x, tag.y, ROBOTS[tag.robot]) for tag in log.scene(time).tags
    ]), 6),
    Case("landmarks", 20.0, "slow", lambda log, time: [
        (mark.x, mark.y, LIGHT["landmark"]) for mark in log.header.terrain.landmarks[1:]
    ], 3),
    Case("marks", 24.0, "slow", lambda log, time: _apart(_seen(log, [
        (*point, ROBOTS[robot]) for robot, points in log.scene(time).marks["frontiers"] for point in points
    ])), 6),
    Case("doors", 20.0, "slow", lambda log, time: [(10.05, y, "#a9793f") for y in (7.5, 9.0, 10.5)], 2),
    Case("people", 20.0, "fast", lambda log, time: [(x, y, LIGHT["person"]) for x, y in log.scene(time).people], 2),
    Case("exploration", 20.0, "ground", lambda log, time: _heat(log, time, "seen"), 1, 45),
    Case("coverage", 20.0, "ground", lambda log, time: _heat(log, time, "covered"), 1, 45),
    Case("explorers", 20.0, "ground", _who, 1, 8),
    Case("costmap", 20.0, "ground", _costs, 1, 8),
    Case("materials", 0.0, "ground", lambda log, time: _terrain(
        log, log.header.terrain.wall_height_cm > 0, "#3a3f47"
    ), 1, 8),
    Case("rough", 0.0, "ground", lambda log, time: _terrain(log, log.header.terrain.speed_percent < 100, "#8a5a24"), 1),
    Case("explorable", 0.0, "ground", lambda log, time: _cells(log, {1: "#56b4e9"}, log.header.explorable), 1, 8),
    Case("grid", 0.0, "ground", lambda log, time: [(x, 3.3, "#68707c") for x in (0.0, 2.0, 4.0, 20.0)], 1, 60),
]  # fmt: skip


def _missing(watching: Watching, drawn: Pixels, spots: Spots, within: float, tolerance: int, pane: int = 0) -> Spots:
    """The spots at which there is not the colour that should be."""
    places = watching.pixels([spot[:2] for spot in spots], pane)
    return [
        spot
        for spot, place in zip(spots, places, strict=True)
        if not has_colour(drawn, place, spot[2], within, tolerance)
    ]


@pytest.mark.parametrize("case", CASES, ids=[case.layer for case in CASES])
def test_a_layer_is_where_the_log_says_and_goes_when_switched_off(
    watching: Watching, log: LogReader, case: Case
) -> None:
    watching.only(case.layer)
    watching.run(case.before)
    watching.settle(case.time)
    spots = case.spots(log, case.time)
    assert spots
    drawn = watching.sheet(case.sheet)
    missing = _missing(watching, drawn, spots, case.within, case.tolerance)
    assert not missing, f"{len(missing)} of {len(spots)}, as {missing[0]}"
    watching.only()
    watching.settle()
    assert watching.is_blank()


def test_every_layer_is_tested_and_says_what_it_is(watching: Watching) -> None:
    layers = watching.run("""
        const { LAYERS, GROUPS } = await import("/static/layers/index.js");
        return LAYERS.filter(layer => !layer.isAid).map(({ name, title, group, help, sheet, on }) => (
            { name, title, group: GROUPS[group], help, sheet, on }));
    """)
    tested = {case.layer: case.sheet for case in CASES}
    elsewhere = {"decisions": "slow", "skeleton": "slow", "rendezvous": "slow"}
    assert {layer["name"]: layer["sheet"] for layer in layers} == tested | elsewhere
    assert all(layer["title"] and layer["group"] and layer["help"] and layer["on"] in (True, False) for layer in layers)


def test_the_docs_list_the_layers(watching: Watching) -> None:
    layers = watching.run("""
        const { LAYERS, GROUPS } = await import("/static/layers/index.js");
        return Object.keys(GROUPS).flatMap(group => LAYERS.filter(layer => layer.group === group && !layer.isAid))
            .map(({ name, title, group, help, on }) =>
                `| ${title} | \\`${name}\\` | ${GROUPS[group]} | ${on ? "yes" : ""} | ${help} |`);
    """)
    page = (Path(__file__).parents[2] / "docs" / "watch-layers.md").read_text()
    rows = [line for line in page.splitlines() if line.startswith("| ") and "| `" in line]
    assert rows == layers


@pytest.mark.parametrize("which", ["union", "base", "truth", 2])
def test_the_map_is_the_one_chosen(watching: Watching, log: LogReader, which: Any) -> None:
    watching.only("map")
    watching.run("w.showMap(given);", which)
    watching.settle(20.0)
    cells = log.map(which, 20.0)
    spots = _cells(log, {value: BY_STATE[value] for value in np.unique(cells).tolist()}, cells, 30)
    drawn = watching.sheet("ground")
    assert not _missing(watching, drawn, spots, 0, 2)
    watching.settle(40.0)
    later = log.map(which, 40.0)
    changed = _cells(log, {1: LIGHT["free"]}, np.where(cells == later, 0, later)) if which == "union" else []
    drawn = watching.sheet("ground")
    assert not _missing(watching, drawn, changed, 0, 2)


def test_truth_and_belief_stand_beside_each_other(watching: Watching, log: LogReader) -> None:
    watching.only("map", "robots")
    watching.run('w.show("both");')
    watching.settle(18.5)
    scene = log.scene(18.5)
    apart = int(np.argmax(np.hypot(*(scene.poses - scene.believed)[:, :2].T)))
    for pane, (which, poses) in enumerate((("truth", scene.poses), ("union", scene.believed))):
        cells = log.map(which, 18.5)  # type: ignore[arg-type]
        spots = _cells(log, {value: BY_STATE[value] for value in (1, 2)}, cells)
        ground = watching.sheet("ground", pane)
        assert not _missing(watching, ground, spots, 1, 2, pane)
        at = watching.pixel(*poses[apart, :2], pane)
        assert has_colour(watching.sheet("fast", pane), at, ROBOTS[apart], 4, 8)
    captions = watching.page.locator(".pane-caption").all_inner_texts()
    assert captions == ["Truth", "Belief: all robots together"]


def test_belief_over_truth_tells_where_they_differ(watching: Watching, log: LogReader) -> None:
    watching.only("map")
    watching.run('w.show("over"); w.showMap(1);')
    watching.settle(30.0)
    truth, belief = log.map("truth", 30.0).astype(int), log.map(1, 30.0).astype(int)
    colours = {
        10 + 1: LIGHT["free"], 20 + 2: LIGHT["occupied"], 20 + 1: LIGHT["wrong"], 10 + 2: LIGHT["missed"],
        2: LIGHT["unseen"], 1: "#eceff3",
    }  # fmt: skip
    spots = _cells(log, colours, 10 * belief + truth)
    drawn = watching.sheet("ground")
    assert not _missing(watching, drawn, spots, 0, 2)
    assert watching.page.locator(".pane-caption").inner_text() == "Belief over truth: robot_1"
    assert "believed wall, is free" in watching.page.locator(".pane-keys").inner_text()


def test_the_time_shown_decides_what_is_seen_first(watching: Watching, log: LogReader) -> None:
    watching.only("exploration")
    watching.settle(8.0)
    when = log.first_seen(log.end)[1]
    later = centres(log, np.argwhere(when > 9.0)[::50])
    drawn = watching.sheet("ground")
    assert not any(near(drawn, at, 0)[..., 3].any() for at in watching.pixels(later))
    watching.settle(40.0)
    drawn = watching.sheet("ground")
    left, right, bottom, top = log.header.extent
    seen = [place for place in later if left < place[0] < right and bottom < place[1] < top]
    then = centres(log, np.argwhere((when > 9.0) & (when < 39.0))[::50])
    assert seen
    assert all(near(drawn, at, 0)[..., 3].any() for at in watching.pixels(place for place in then if place in seen))


def test_trails_drawn_further_are_those_drawn_at_once(watching: Watching) -> None:
    watching.only("trails")
    watching.settle(8.0)
    early = watching.sheet("trails")[..., 3] > 0
    watching.run("w.clock.time = 20; w.redraw();")  # As when it plays.
    watching.page.wait_for_function("window.expedition.panes[0].sheets.trails.until > 19")
    further = watching.sheet("trails")[..., 3] > 0
    watching.run("w.stale();")
    watching.settle(20.0)
    at_once = watching.sheet("trails")[..., 3] > 0
    assert (early & ~at_once).sum() < 0.03 * early.sum()
    assert at_once.sum() > 1.3 * early.sum()
    assert (further ^ at_once).sum() < 0.05 * at_once.sum()
    watching.settle(8.0)  # Back in time.
    assert ((watching.sheet("trails")[..., 3] > 0) ^ early).sum() == 0


def test_trails_are_drawn_however_soon_after_the_last_time_one_goes_elsewhere(watching: Watching) -> None:
    watching.only("trails")
    watching.settle(5.0)
    watching.run("""
        w.stale("trails");
        while (w.panes[0].sheets.trails.stale) await new Promise(requestAnimationFrame);
        w.clock.seek(30, false);
    """)
    watching.settle()
    assert watching.run("return w.panes[0].sheets.trails.until;") > 29.0


def test_scans_are_those_of_the_selected_robot(watching: Watching, log: LogReader) -> None:
    watching.only("scans")
    watching.run("w.select(0);")
    watching.settle(15.1)
    drawn = watching.sheet("slow")
    for robots, is_there in (((0,), True), ((1, 2), False)):
        spots = _scans(log, 15.1, robots)
        assert spots
        assert len(_missing(watching, drawn, spots, 2, 40)) == (0 if is_there else len(spots))


def test_failed_robots_are_crossed_out_and_broken_ones_dotted(watching: Watching, log: LogReader) -> None:
    watching.only("robots")
    watching.settle(30.0)
    failed = log.scene(30.0).failed
    assert failed[2] == "robot"
    x, y, _ = log.scene(30.0).believed[2]
    drawn = watching.sheet("fast")
    assert has_colour(drawn, watching.pixel(x, y), LIGHT["warn"], 3, 10)
    assert has_colour(drawn, watching.pixel(x, y), LIGHT["dead"], 8, 10)
    assert not has_colour(drawn, watching.pixel(x, y), ROBOTS[2], 8, 10)
    watching.settle(14.0)
    assert log.scene(14.0).failed[1] == "radio"
    column, row = watching.pixel(*log.scene(14.0).believed[1, :2])
    pixels = watching.run(
        "return w.mission.footprints[1].reduce((m, p) => Math.max(m, Math.hypot(...p)), 0) * w.camera.scale;"
    )
    away = 0.8 * max(6.0, pixels)
    drawn = watching.sheet("fast")
    assert has_colour(drawn, (column + away, row - away), LIGHT["warn"], 2, 10)
    assert not has_colour(drawn, watching.pixel(*log.scene(14.0).believed[0, :2]), LIGHT["warn"], 2, 10)


def test_a_blocked_robot_has_a_ring(watching: Watching, log: LogReader) -> None:
    watching.only("robots")
    watching.settle(22.0)
    drawn, place = watching.sheet("fast"), watching.pixel(*log.scene(22.0).believed[0, :2])
    assert not has_colour(drawn, place, LIGHT["warn"], 30, 10)
    watching.run("""
        const at = w.tracks.at;
        w.tracks.at = function (time) {
            const state = at.call(this, time);
            state.states = state.states.slice();
            state.states[0] = w.mission.states.indexOf("blocked");
            return state;
        };
        w.redraw();
    """)
    watching.settle()
    drawn, keys = watching.sheet("fast"), watching.page.locator(".pane-keys").inner_text()
    watching.run("delete w.tracks.at; w.redraw();")
    assert has_colour(drawn, place, LIGHT["warn"], 30, 10)
    assert "blocked" in keys


def test_the_decision_of_the_selected_robot_is_shown(watching: Watching, log: LogReader) -> None:
    watching.only("decisions")
    watching.settle(15.1)
    assert is_blank(watching.sheet("slow"))
    watching.run("w.select(3);")
    watching.settle()
    decision = log.scene(15.1).decisions[3]
    assert decision is not None
    drawn = watching.sheet("slow")
    for place in decision.places:
        assert has_colour(drawn, watching.pixel(*place), ROBOTS[3], 10)
    column, row = watching.pixel(*decision.places[decision.chosen])
    assert has_colour(drawn, (column, row - 8), ROBOTS[3], 1)


def test_an_open_door_is_an_outline(watching: Watching) -> None:
    watching.only("doors")
    watching.run("w.camera.moveTo(10, 9); w.zoomBy(8);")
    watching.settle(20.0)
    assert has_colour(watching.sheet("slow"), watching.pixel(10.05, 9.0), "#a9793f", 3, 5)
    watching.settle(30.0)
    drawn = watching.sheet("slow")
    assert is_blank(near(drawn, watching.pixel(10.05, 9.0), 3))
    assert not is_blank(drawn)


def test_marks_of_meetings_and_skeletons(serving: Serving, browser: Browser) -> None:
    path = serving.store / "missions" / "marks" / "log.mcap"
    path.parent.mkdir(parents=True)
    run(mission(strategy=marking, stop={"time": 4.0, "explored": 1.0}), record=Recorder(path))
    log = LogReader(path)
    with watch(browser, f"{serving.origin}/watch/marks") as watching:
        for layer, within in (("skeleton", 2.0), ("rendezvous", 22.0)):
            watching.only(layer)
            watching.settle(3.0)
            found = log.scene(3.0).marks[layer]
            assert found
            drawn = watching.sheet("slow")
            for robot, points in found:
                for point in points:
                    assert has_colour(drawn, watching.pixel(*point), ROBOTS[robot], within, 60)
        watching.only("marks")
        watching.settle()
        assert is_blank(watching.sheet("slow"))
        watching.only("roles")
        watching.settle()
        assert watching.page.locator(".pane-keys").inner_text() == "Rolesexplorerrelay"


def test_of_many_links_the_telling_ones_are_left(watching: Watching) -> None:
    generator = np.random.default_rng(5)
    places = generator.uniform(0, 100, (60, 2))
    near_pairs = [[a, b] for a in range(60) for b in range(a + 1, 60) if np.hypot(*(places[a] - places[b])) < 60]
    bits = np.zeros((60, 60), dtype=bool)
    for a, b in near_pairs:
        bits[a, b] = bits[b, a] = True
    bits[3, 4] = True
    bits[4, 3] = False  # One who is not heard by whom it hears.
    pairs = [pair for pair in near_pairs if pair != [3, 4]]
    found, few = watching.run(
        """
        const { linksBetween, tellingMost } = await import("/static/layers/network.js");
        const all = linksBetween(Uint8Array.from(given.bits), 60);
        return [all, tellingMost(all, node => given.places[node], 100)];
        """,
        {"bits": np.packbits(bits).tolist(), "places": places.tolist()},
    )
    assert sorted(found) == sorted(pairs)
    assert len(few) == 100
    length = {(a, b): float(np.hypot(*(places[a] - places[b]))) for a, b in pairs}
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import minimum_spanning_tree

    rows, columns = np.array(pairs).T
    tree = minimum_spanning_tree(coo_array((list(length.values()), (rows, columns)), shape=(60, 60)))
    spanning = {(min(a, b), max(a, b)) for a, b in zip(*tree.nonzero(), strict=True)}
    kept = {tuple(pair) for pair in few}
    assert spanning <= kept
    rest = sorted(length[pair] for pair in length if pair not in spanning)
    assert sorted(length[pair] for pair in kept - spanning) == pytest.approx(rest[: 100 - len(spanning)])


def test_in_a_crowd_only_some_are_named(watching: Watching) -> None:
    watching.settle(10.0)
    named = watching.run("""
        const { isLabelled } = await import("/static/layers/names.js");
        const mission = { names: Array(41).fill("robot"), footprints: Array(41).fill([[0.3, 0]]) };
        const of = (scale, selected, hover) => [...Array(41).keys()]
            .filter(robot => isLabelled({ mission, scale, watch: { selected, hover } }, robot));
        return [of(10, null, null).length, of(10, 7, { robot: 9 }), of(100, null, null).length];
    """)
    assert named == [0, [7, 9], 41]


def test_dark_ground_is_dark(watching: Watching, log: LogReader) -> None:
    watching.only("map", "exploration")
    watching.run('w.setTheme("dark"); w.layers.set("exploration", false);')
    watching.settle(20.0)
    cells = log.map("union", 20.0)
    spots = _cells(log, {0: "#23272f", 1: "#3a414c", 2: "#dfe4ea"}, cells)
    drawn = watching.sheet("ground")
    assert not _missing(watching, drawn, spots, 0, 2)


def test_nothing_is_asked_while_nothing_changes(watching: Watching) -> None:
    watching.settle(20.0)
    before, frames = watching.run("return [w.wire.number, w.frames];")
    asked = watching.run(
        "for (let k = 0; k < 40; k++) { w.redraw(); await new Promise(requestAnimationFrame); } return w.wire.number;"
    )
    assert asked == before
    assert watching.run("return w.frames;") > frames
