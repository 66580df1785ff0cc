"""Robots in rough ground: those that see it go around, arrive earlier, and tell the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.belief.grid import TILE, Frame
from expedition.belief.roughness import Roughness, decode_tiles, encode_tiles
from expedition.exploring import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.terrain import Terrain, find_terrain

CAMERA = "pioneer-3dx:ground_camera.range=6,ground_camera.rate=5"
GOAL = (18.0, 4.0)


def swamp(percent: int = 20) -> Terrain:
    """A hall of 20 x 12 m with a swamp across its lower two thirds."""
    walls = np.zeros((120, 200), dtype=np.uint16)
    walls[[0, -1]] = walls[:, [0, -1]] = 200
    speed = np.full(walls.shape, 100, dtype=np.uint8)
    speed[:80, 70:130] = percent
    return Terrain("swamp", walls, 0.1, speed_percent=speed)


async def cross(robot: Robot) -> None:
    """From one end of the hall to the other, once the hall is in the map."""
    await robot.wait(3.0)
    outcome = await robot.go_to(GOAL, through_unknown=True)
    robot.note(f"{outcome} {robot.time:.1f}")
    await robot.wait(1000.0)


def crossing(robot: str, percent: int = 20, seed: int = 1, **options: Any) -> Result:
    options.setdefault("robots", 1)
    options.setdefault("placement", "at:positions=[[2, 4]]")
    return explore(
        swamp(percent), strategy=options.pop("strategy", cross), seed=seed, robot=robot, explored=1.0,
        time_limit=options.pop("time_limit", 80.0), localiser="perfect", **options,
    )  # fmt: skip


def arrival(result: Result) -> float:
    ((_, _, text),) = result.controller.notes
    assert text.startswith("arrived")
    return float(text.split()[1])


def seconds_in_swamp(result: Result) -> int:
    places = np.array(result.monitor.series.poses)[:, 0]
    return int(np.count_nonzero((places[:, 0] > 7.2) & (places[:, 0] < 12.8) & (places[:, 1] < 7.8)))


def test_a_robot_that_sees_a_swamp_goes_around_it_and_arrives_before_one_that_wades_through() -> None:
    sees, wades = crossing(CAMERA), crossing("pioneer-3dx")
    assert seconds_in_swamp(sees) <= 2
    assert seconds_in_swamp(wades) > 15
    assert arrival(sees) < 0.75 * arrival(wades)


def test_a_robot_that_flies_does_not_care() -> None:
    flies = crossing(CAMERA.replace("pioneer-3dx", "quadrotor"))
    assert np.array(flies.monitor.series.poses)[:, 0, 1].max() < 7.0


def test_a_map_shows_what_a_camera_saw_and_costs_no_memory_without_one() -> None:
    seen, blind = crossing(CAMERA, time_limit=5.0).controller, crossing("pioneer-3dx", time_limit=1.0).controller
    view = Robot(seen, 0, 0, seen.inboxes[0]).map
    row, column = view.frame.cell(7.5, 4.0)
    assert view.speed_percent[row, column] == 20
    assert view.speed_percent[view.frame.cell(5.0, 4.0)] == 100
    assert view.speed_percent[view.frame.cell(19.0, 4.0)] == 0
    with pytest.raises(ValueError, match="read-only"):
        view.speed_percent[row, column] = 1
    assert blind.roughness is None
    assert not Robot(blind, 0, 0, blind.inboxes[0]).map.speed_percent.any()


async def teammate_crosses(robot: Robot) -> None:
    if robot.id == 1:
        await cross(robot)
    await robot.wait(1000.0)


def test_a_teammate_without_a_camera_learns_of_the_swamp_by_radio() -> None:
    """The first robot stands beside the swamp and looks; the second goes around."""
    both = f"1 * {CAMERA.replace('range=6', 'range=12')} + 1 * pioneer-3dx"
    places = "at:positions=[[10, 11], [2, 4]]"
    told = crossing(both, robots=2, placement=places, strategy=teammate_crosses)
    alone = crossing(both, robots=2, placement=places, strategy=teammate_crosses, radio="none")
    assert arrival(told) < arrival(alone)
    assert told.controller.roughness is not None
    assert told.controller.roughness.percent[1].any()
    assert alone.controller.roughness is not None
    assert not alone.controller.roughness.percent[1].any()


@settings(max_examples=25)
@given(st.integers(0, 10_000))
def test_telling_spreads_what_anyone_saw_and_never_overwrites_what_a_node_knows(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = Frame((0.0, 0.0), 0.2, 2 * TILE, 3 * TILE)
    layers = Roughness(4, frame, 0.1)
    for tick in range(12):
        before = layers.percent.copy()
        node, row, column = rng.integers(0, (4, *frame.tiles))
        tile = np.s_[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE]
        fresh = np.where(rng.random((TILE, TILE)) < 0.1, rng.integers(1, 101, (TILE, TILE)), 0).astype(np.uint8)
        layers.percent[node][tile] = np.where(before[node][tile] == 0, fresh, before[node][tile])
        layers._news[node, row, column] = layers._round
        known = layers.percent.copy()
        contact = np.triu(rng.random((4, 4)) < (0.3 if tick < 8 else 1.0), 1)
        traffic = layers.tell(contact | contact.T, tick)
        assert traffic[0].sum() == traffic[1].sum()
        assert (layers.percent[known > 0] == known[known > 0]).all()
    for tick in range(12, 15):
        layers.tell(~np.eye(4, dtype=bool), tick)
    assert ((layers.percent > 0) == (layers.percent > 0).any(axis=0)).all()
    assert not layers.tell(~np.eye(4, dtype=bool), 15).any()


def test_tiles_arrive_as_they_were_sent() -> None:
    rng = np.random.default_rng(0)
    tiles, percent = np.array([3, 17, 90]), rng.integers(0, 101, (3, TILE, TILE)).astype(np.uint8)
    data = encode_tiles(2, tiles, percent)
    found = decode_tiles(data)
    assert np.array_equal(found[0], tiles)
    assert np.array_equal(found[1], percent)


def test_generated_terrains_have_as_much_rough_ground_as_asked_for_and_none_by_default() -> None:
    for name in ("forest:size=30", "cave:size=30"):
        plain, rough = find_terrain(name), find_terrain(f"{name},rough=0.3,rough_speed=25")
        assert (plain.speed_percent == 100).all()
        assert np.array_equal(plain.wall_height_cm, rough.wall_height_cm)
        slow = (rough.speed_percent == 25) & ~rough.occupied
        assert slow.sum() / rough.free_cells == pytest.approx(0.3, abs=0.01)
        assert find_terrain(f"{name},rough=0.3,rough_speed=25") == rough
        assert find_terrain(f"{name},rough=0.0") == plain


class Ether:
    """A channel of two nodes over which confirmations are lost as a test wants it."""

    def __init__(self) -> None:
        self.hears_confirmations = True
        self.sent: list[Carried] = []

    def announce(self, sizes: np.ndarray) -> np.ndarray:
        return np.array([[False, self.hears_confirmations], [True, False]])

    def answer(self, sender: int, to: np.ndarray, content: object, load: int) -> object:
        if sender == 0:  # The other tells back what it was told.
            self.sent.append(Carried(content))
        return content


@dataclass
class Carried:
    content: object


def test_who_has_not_heard_a_confirmation_tells_again_and_only_then() -> None:
    frame = Frame((0.0, 0.0), 0.2, TILE, TILE)
    layers, ether, patience = Roughness(2, frame, 0.1), Ether(), 20
    layers.percent[0] = 50
    layers._news[0] = 0
    everything = np.array([1]), np.zeros((1, 1), dtype=bool)

    def tell(tick: int) -> int:
        before = len(ether.sent)
        layers.tell_over(ether, tick, patience)
        return len(ether.sent) - before

    assert [tell(tick) for tick in (0, 10)] == [1, 0]  # It is on its way, or lost: who knows.
    assert tell(20) == 1
    assert layers.arrive([(ether.sent[-1], *everything)], 21) == []
    assert (layers.percent[1] == 50).all()
    ether.hears_confirmations = False
    assert [tell(tick) for tick in (40, 60)] == [0, 0]  # Nobody seems to be there.
    ether.hears_confirmations = True
    assert [tell(tick) for tick in (70, 90, 110)] == [0, 0, 0]
    layers.percent[0, 0, 0], layers._news[0] = 60, layers._round
    assert tell(120) == 1


@pytest.mark.parametrize("link", [{"loss": 0.3}, {"latency": 0.5}, {"bandwidth_bits_per_s": 50_000}])
def test_rough_ground_is_told_over_links_that_lose_and_delay_too(link: dict[str, float]) -> None:
    both = f"1 * {CAMERA} + 1 * pioneer-3dx"
    told = crossing(
        both, robots=2, placement="at:positions=[[6, 7], [2, 4]]", strategy=teammate_crosses, time_limit=12.0,
        network={"link": link},
    )  # fmt: skip
    layers = told.controller.roughness
    assert layers is not None
    seen, heard = layers.percent
    assert np.count_nonzero(seen) > 1000
    assert np.count_nonzero(heard) > 0.9 * np.count_nonzero(seen)
    assert (heard[heard > 0] == seen[heard > 0]).mean() > 0.9
