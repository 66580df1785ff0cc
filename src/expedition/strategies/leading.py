"""The leader of a chain: which frontier it goes to, which it gives up, and when the chain folds up to go elsewhere.

It goes to the frontier with the largest A(f) / C(f)^p of those for which there are enough followers, and gives it up
where it comes no nearer. A chain lies along one way; to lie along another it folds up first, towards the base.
"""

from __future__ import annotations

import math

from expedition.robot import Frontier, Robot
from expedition.strategies.chain import Chain, Place
from expedition.strategies.division import best_first
from expedition.strategies.frontier_return import is_home

SAME_PLACE = 2.0
"""Frontiers nearer to each other than this, in metres, are the same one."""
NEARER = 0.5
"""Metres that count as progress."""
BESIDE, BLIND = 2.0, 1.0
"""A robot that has looked around, and knows nothing of more square metres than this within so many metres, is blind."""


class Leading:
    """The leader's choice of frontiers, and which it has given up."""

    def __init__(self, robot: Robot, chain: Chain, power: float, stuck_after: float, retry: float) -> None:
        self._robot = robot
        self._chain = chain
        self._power = power
        self._stuck_after = stuck_after
        self._retry = retry
        self._target: Place | None = None
        self._nearest = self._farthest = math.inf
        """The least way that was left to the target, in metres, and the longest since then."""
        self._spent = self._looked_at = 0.0
        """Seconds that it has come no nearer since then, and when that was looked at last."""
        self._given_up: list[tuple[Place, float]] = []
        """Places, and the area that will have to be known before they are tried again."""
        self._again_at = 0.0
        """The area that has to be known before all of them are tried again because nothing else is left."""
        self._back_until = robot.time
        self.is_blind = False
        """Whether it saw nothing where there was something to see."""

    def goal(self) -> Frontier | Place | None:
        """The frontier that is being approached; another one if that is explored, or comes no nearer; None: all done.

        After one is given up it is the base, until the chain has folded up so far that another one is in reach at once.
        When only such are left that were given up, they are tried once more, from a chain that has folded up.
        """
        known = self._robot.map.known_area
        self._given_up = [(place, area) for place, area in self._given_up if area > known]
        goal = self._choose()
        if self._robot.time < self._back_until and goal is not None:
            if not (is_home(self._robot) or self._chain.holds_to(goal)):
                return self._robot.home
            self._back_until = self._robot.time
        if goal is None and self._given_up and known >= self._again_at:
            self._given_up, self._again_at = [], known + self._retry
            return self._go_back()
        if goal is not None and self._comes_no_nearer(goal):
            self._give_up(goal)
            return self._go_back()
        return goal

    def _go_back(self) -> Place:
        robot, self._target = self._robot, None
        cost = robot.travel_cost(robot.home)
        self._back_until = robot.time + self._stuck_after + (cost / robot.max_speed if cost < math.inf else 0.0)
        return robot.home

    def look_beside(self, goal: Frontier) -> None:
        """Give up a frontier from which nothing can be seen; who sees nothing of what is just beside it is blind."""
        self._give_up(goal)
        self.is_blind = self._robot.expected_gain(self._robot.pose, BESIDE) > BLIND

    def _give_up(self, goal: Frontier) -> None:
        self._robot.note(f"gives up the frontier at ({goal.x:.1f}, {goal.y:.1f})")
        self._given_up.append((place_of(goal), self._robot.map.known_area + self._retry))

    def _choose(self) -> Frontier | None:
        shut = [place for place, _ in self._given_up]
        frontiers = [frontier for frontier in self._robot.frontiers() if not is_near(frontier, shut)]
        same = [one for one in frontiers if self._target is not None and is_near(one, [self._target])]
        return self._best_in_reach(same) or self._best_in_reach(frontiers)

    def _best_in_reach(self, frontiers: list[Frontier]) -> Frontier | None:
        ranked = best_first(self._robot, frontiers, len(frontiers), self._power)
        best = next((k for k, frontier in enumerate(ranked) if self._chain.reaches(place_of(frontier))), None)
        self._robot.consider(ranked, range(1, len(ranked) + 1), best, "rank by area / way^p; the first in reach counts")
        return None if best is None else ranked[best]

    def _comes_no_nearer(self, goal: Frontier) -> bool:
        """Whether, with a whole chain, it took too long: what it takes to come back from looking for it is not counted.

        That is bounded, so that a chain that breaks time and again does not keep its leader at one frontier for good.
        """
        robot, chain, cost = self._robot, self._chain, self._robot.travel_cost(goal)
        is_new = self._target is None or not is_near(goal, [self._target])
        self._target = place_of(goal)
        if is_new or cost < self._nearest - NEARER:
            self._nearest = self._farthest = cost
            self._spent = 0.0
        elif chain.is_whole or chain.is_alone:
            self._spent += robot.time - self._looked_at
        self._farthest, self._looked_at = max(self._farthest, cost), robot.time
        return self._spent > self._stuck_after + 2.0 * (self._farthest - self._nearest) / robot.max_speed


def place_of(goal: Frontier | Place) -> Place:
    """A goal's x and y."""
    return (goal.x, goal.y) if isinstance(goal, Frontier) else goal


def is_near(frontier: Frontier, places: list[Place]) -> bool:
    """Whether a frontier is at one of these places."""
    return any(math.dist((frontier.x, frontier.y), place) < SAME_PLACE for place in places)
