"""Each robot explores its own sector, and news goes round by meetings at the borders."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition import explore
from expedition.mission import Result
from expedition.robot import Robot
from expedition.strategies.meetings import neighbour_to_meet
from expedition.strategies.sectors import Division, Sectors
from expedition.terrain import Terrain

SIDE = 30.0
divisions = st.sampled_from(["wedges", "strips"])


def field() -> Terrain:
    """Open ground of 30 x 30 m with a few posts, and a base in the middle."""
    occupied = np.zeros((300, 300), dtype=bool)
    occupied[[0, -1]] = occupied[:, [0, -1]] = True
    occupied[60:240:60, 45:260:70] = True
    return Terrain.from_occupied("field", occupied, resolution=0.1)


FIELD = field()
MIDDLE = [[14.0, 15.0], [16.0, 15.0], [15.0, 16.5]]


def mission(strategy: Any = "sector", robots: int = 3, **options: Any) -> Result:
    given = {
        "robot": "pioneer-3dx:lidar.range=4", "placement": f"at:positions={MIDDLE[:robots]}", "localiser": "perfect",
        "radio": "circle:range=5", "base": [15.0, 13.0], "time_limit": 600.0,
        "stop": {"explored": {"share": 0.98, "of": "base"}},
    }  # fmt: skip
    result = explore(FIELD, robots, strategy, seed=2, **{**given, **options})
    assert result.failure is None, result.failure.report
    return result


@settings(max_examples=40)
@given(st.tuples(*[st.floats(5.0, 60.0)] * 2), st.tuples(*[st.floats(0.0, 1.0)] * 2), st.integers(1, 9), divisions)
def test_sectors_are_equally_large_and_borders_lie_between_them(
    size: tuple[float, float], centre: tuple[float, float], number: int, division: Division
) -> None:
    place = centre[0] * size[0], centre[1] * size[1]
    sectors = Sectors((0.0, size[0], 0.0, size[1]), place, number, division)
    x, y = (side * (np.arange(60) + 0.5) / 60 for side in size)
    owners = [sectors.owner(at, along) for at in x.tolist() for along in y.tolist()]
    shares = np.bincount(owners, minlength=number) / len(owners)
    assert len(shares) == number
    np.testing.assert_allclose(shares, 1.0 / number, atol=0.06)
    for robot in range(number - 1):
        for point in sectors.border(robot, robot + 1):
            around = [sectors.owner(point[0] + dx, point[1] + dy) for dx in (-0.01, 0.01) for dy in (-0.01, 0.01)]
            assert set(around) <= {robot, robot + 1}


@given(st.integers(1, 12), st.integers(0, 30))
def test_two_that_meet_mean_each_other(robots: int, number: int) -> None:
    for place in range(robots):
        other = neighbour_to_meet(place, number)
        assert abs(other - place) == 1
        assert neighbour_to_meet(other, number) == place


@given(st.integers(1, 12), st.integers(0, 1), st.data())
def test_news_is_at_the_base_after_half_the_line_and_a_little(robots: int, first: int, data: st.DataObject) -> None:
    informed = {data.draw(st.integers(0, robots - 1))}
    periods = 0
    while not informed & {-1, robots}:
        informed |= {neighbour_to_meet(place, first + periods) for place in informed}
        periods += 1
    assert periods <= (robots + 3) / 2


def test_robots_explore_mostly_their_own_sectors() -> None:
    sectors: list[Sectors] = []

    async def notes_sectors(robot: Robot) -> None:
        sectors.append(Sectors.of(robot, "wedges"))

    mission(notes_sectors)
    maps = mission().measurements.maps
    rows, columns = np.nonzero(maps["explorable"] & (maps["first_seen"] >= 0))
    frame = mission(notes_sectors).controller.grids.frame
    first = maps["first_seen"][rows, columns]
    owners = [
        sectors[0].owner(*frame.centre(row, column))
        for row, column in zip(rows.tolist(), columns.tolist(), strict=True)
    ]
    assert np.mean(first == np.array(owners)) > 0.6


def news_latency(result: Result) -> float:
    """How long after a place was first seen the base knows of it, in seconds, on the mean."""
    maps = result.measurements.maps
    return float(np.nanmean(maps["known_at_base"] - maps["seen_at"]))


def test_meetings_bring_news_to_base_long_before_all_come_home() -> None:
    """Out of reach of each other and of the base for most of the time, robots still bring the base up to date."""
    assert news_latency(mission(parameters={"period": 40.0})) < 0.6 * news_latency(mission("frontier-return"))


def test_all_is_explored_and_brought_home_though_a_neighbour_dies() -> None:
    result = mission(failures="robot:at=30,robots=1", parameters={"period": 40.0, "lost_after": 100.0})
    assert result.ending == "explored"


def test_nobody_waits_long_for_one_that_does_not_come() -> None:
    result = mission(failures="radio:at=1,robots=1", parameters={"period": 40.0, "wait": 5.0})
    assert result.measurements.union[-1] > 0.98
    waits = [(time, word) for time, robot, what, word in result.controller.declared if what == "activity" and not robot]
    longest = max((after[0] - at for (at, word), after in pairwise(waits) if word == "waiting"), default=0)
    assert longest < 15.0


def test_meetings_survive_lost_messages() -> None:
    result = mission(network={"link": {"loss": 0.3}}, parameters={"period": 40.0})
    assert result.ending == "explored"


def test_strips_work_without_a_base_and_without_radios() -> None:
    options: dict[str, Any] = {"base": None, "stop": {"explored": 0.95}, "parameters": {"division": "strips"}}
    assert mission(**options).ending == "explored"
    assert mission(radio="none", **options).ending == "explored"
