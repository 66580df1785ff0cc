"""Maps that notice doors: own looks, what teammates tell, and what is outdated, for each merge and kind of grid."""

from __future__ import annotations

import numpy as np
import pytest

from expedition.belief.aligned_exchange import AlignedExchange
from expedition.belief.changes import Changes, decode_changes, encode_changes
from expedition.belief.evidence import KINDS, MARK
from expedition.belief.exchange import Exchange
from expedition.belief.grid import FREE, OCCUPIED, TILE, UNKNOWN, Frame, GridKind, Grids
from expedition.belief.mapping import MappingSettings, beams_of, layers_of, map_scans, rules_of
from expedition.belief.merging import AlignedMerge, merges
from expedition.belief.transform import Transform
from expedition.fleet import Lidar

FRAME = Frame((0.0, 0.0), 0.2, 2 * TILE, 3 * TILE)
DOOR = (10, 20)
"""The cell of the door; robots look at it from 3 m to its left."""
BEAM = Lidar(beams=1, field_of_view=1.0, range=5.0, rate=10)
MERGES = ("greedy", "probabilistic", "aligned")
BOTH = [(merge, kind) for merge in MERGES for kind in ("log-odds", "counters")]


class Watchers:
    """Robots before a door, each with a beam; their maps are made and merged as in a mission."""

    def __init__(self, robots: int, merge: str, kind: GridKind, changing: bool = True) -> None:
        self.grids = Grids(robots, FRAME, kind, changing)
        made = merges.make(merge)
        self.exchange = Exchange(self.grids, made)
        if isinstance(made, AlignedMerge):
            self.exchange = AlignedExchange(self.grids, made, 0.1)
            for one in range(robots):
                for other in range(robots):
                    if one != other:
                        self.exchange.acquaintance.find(one, other, Transform(0.0, 0.0, 0.0))
        self._layers, self._beam = layers_of(self.grids), beams_of(BEAM)
        self._rules = rules_of(FRAME, MappingSettings(interval=0.0), KINDS[kind], made.own)
        self.tick = 0

    def look(self, robot: int, closed: bool, times: int = 12) -> None:
        """A robot looks at the door, which is closed or open."""
        x, y = FRAME.centre(*DOOR)
        robots = len(self.grids.state)
        poses = np.tile([x - 3.0, y, 0.0], (robots, 1))
        ranges = np.full((1, 1), 2.9 if closed else np.inf, dtype=np.float32)
        for _ in range(times):
            self.tick += 1
            map_scans(
                self._layers, self._rules, self._beam, np.array([robot]), ranges, np.zeros((1, 1), np.uint8), poses,
                np.zeros(robots, dtype=bool), np.full((robots, 4), -np.inf), 0.1 * self.tick, self.tick,
            )  # fmt: skip

    def meet(self, *robots: int, rounds: int = 3) -> None:
        """Those robots are in contact for some rounds."""
        links = np.zeros((len(self.grids.state),) * 2, dtype=bool)
        for one in robots:
            for other in robots:
                links[one, other] = one != other
        for _ in range(rounds):
            self.tick += 1
            self.exchange.round(links, self.tick)

    def states(self) -> list[int]:
        """What each robot believes of the door."""
        return [int(state) for state in self.grids.state[:, DOOR[0], DOOR[1]]]


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
def test_a_robot_that_knew_a_door_as_open_notices_within_a_dozen_looks_that_it_is_closed_and_open_again(
    kind: GridKind,
) -> None:
    alone = Watchers(1, "greedy", kind)
    alone.look(0, closed=False, times=40)
    for closed, state in ((True, OCCUPIED), (False, FREE), (True, OCCUPIED)):
        alone.look(0, closed, times=12)
        assert alone.states() == [state]


@pytest.mark.parametrize(("merge", "kind"), BOTH)
def test_a_teammate_that_saw_a_door_open_notices_when_told_that_it_is_closed_and_open_again(
    merge: str, kind: GridKind
) -> None:
    team = Watchers(2, merge, kind)
    team.look(0, closed=False, times=40)
    team.look(1, closed=False, times=40)
    team.meet(0, 1)
    for closed, state in ((True, OCCUPIED), (False, FREE), (True, OCCUPIED), (False, FREE)):
        team.look(1, closed, times=15)
        team.meet(0, 1)
        assert team.states() == [state, state]


@pytest.mark.parametrize(("merge", "kind"), BOTH)
def test_who_was_told_that_a_door_is_open_follows_the_one_that_finds_it_closed(merge: str, kind: GridKind) -> None:
    """Robot 0 saw it open; 1 and 2 know that from 0; 1 then comes to a closed door that it had never seen before."""
    team = Watchers(3, merge, kind)
    team.look(0, closed=False, times=40)
    team.meet(0, 1, 2)
    assert team.states() == [FREE, FREE, FREE]
    team.look(1, closed=True, times=25)
    team.meet(0, 1, 2, rounds=4)
    assert team.states() == [OCCUPIED, OCCUPIED, OCCUPIED]
    team.look(1, closed=False, times=25)
    team.meet(0, 1, 2, rounds=4)
    assert team.states() == [FREE, FREE, FREE]


@pytest.mark.parametrize(("merge", "kind"), BOTH)
def test_news_travel_on_over_who_was_told(merge: str, kind: GridKind) -> None:
    """Robots 0 and 2 saw the door open and never meet 1, who saw it close; 3 goes between them."""
    team = Watchers(4, merge, kind)
    for robot in (0, 1, 2):
        team.look(robot, closed=False, times=40)
    team.meet(0, 1, 2, 3)
    team.look(1, closed=True, times=15)
    team.meet(1, 3)
    team.meet(0, 2, 3, rounds=4)
    assert team.states()[0] == team.states()[2] == OCCUPIED


@pytest.mark.parametrize(("merge", "kind"), BOTH)
def test_what_a_robot_sees_now_prevails_over_what_teammates_saw_before(merge: str, kind: GridKind) -> None:
    team = Watchers(4, merge, kind)
    for robot in (1, 2, 3):
        team.look(robot, closed=False, times=40)
    team.meet(0, 1, 2, 3)
    team.look(0, closed=True, times=25)
    assert team.states()[0] == OCCUPIED
    team.meet(0, 1, 2, 3, rounds=4)
    assert team.states() == [OCCUPIED] * 4


@pytest.mark.parametrize(("merge", "kind"), BOTH)
def test_old_news_do_not_overrule_a_later_look(merge: str, kind: GridKind) -> None:
    """Robot 1 saw the door close and told 2 so; only later does 0 see it, open; then it hears from 2."""
    team = Watchers(3, merge, kind)
    team.look(1, closed=False, times=10)
    team.look(1, closed=True, times=15)
    team.meet(1, 2)
    team.look(0, closed=False, times=10)
    team.meet(0, 2)
    assert team.states()[0] == FREE


@pytest.mark.parametrize("kind", ["log-odds", "counters"])
def test_a_look_decides_at_once_where_a_robot_has_taken_back_what_it_saw(kind: GridKind) -> None:
    team = Watchers(2, "greedy", kind)
    for robot in (0, 1):
        team.look(robot, closed=False, times=40)
    team.meet(0, 1)
    team.look(1, closed=True, times=15)
    team.meet(0, 1)
    assert team.states() == [OCCUPIED, OCCUPIED]
    team.look(0, closed=False, times=1)
    assert team.states()[0] == FREE
    team.meet(0, 1)
    assert team.states() == [FREE, FREE]


def test_what_is_taken_back_no_longer_counts_in_any_sum() -> None:
    team = Watchers(3, "probabilistic", "log-odds")
    for robot in (0, 1, 2):
        team.look(robot, closed=False, times=40)
    team.meet(0, 1, 2)
    team.look(1, closed=True, times=25)
    team.meet(0, 1, 2, rounds=5)
    own = team.grids.evidence[:, DOOR[0], DOOR[1]]
    assert own[0] == own[2] == 0
    assert (team.grids.fused[:, DOOR[0], DOOR[1]] == own[1]).all()


@pytest.mark.parametrize("merge", ["greedy", "probabilistic"])
def test_where_nothing_changes_robots_note_nothing(merge: str) -> None:
    team = Watchers(2, merge, "log-odds", changing=False)
    assert team.grids.flips.size == 0
    team.look(0, closed=False, times=40)
    team.meet(0, 1)
    team.look(0, closed=True, times=15)
    team.meet(0, 1)
    assert UNKNOWN not in team.states()


def test_a_mark_stays_when_changes_are_joined_and_changes_nothing_else() -> None:
    def changes(old: list[int], new: list[int]) -> Changes:
        cells = np.array([3, 5, 900], dtype=np.int32)
        return Changes(cells, np.array(old, dtype=np.int16), np.array(new, dtype=np.int16))

    first, later = changes([-70, -70, 0], [17 + MARK, 17, 17]), changes([17, 17, 17], [34, -70, -70 + MARK])
    joined = first.then(later)
    # The second cell ends as it began and bears no mark: nothing is left of it.
    assert joined.cells.tolist() == [3, 900]
    assert joined.new.tolist() == [34 + MARK, -70 + MARK]
    assert joined.plain().new.tolist() == [34, -70]
    cells, new = decode_changes(encode_changes(joined, 1, 2, 3))
    assert (cells.tolist(), new.tolist()) == (joined.cells.tolist(), joined.new.tolist())
    unmarked = changes([0, 0, 0], [1, 2, 3])
    assert unmarked.plain() is unmarked
