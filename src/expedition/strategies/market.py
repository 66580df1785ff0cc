"""Market: robots auction frontiers to whoever profits most from them.

R. Zlot, A. Stentz, M. B. Dias and S. Thayer, Multi-robot exploration controlled by a market economy, ICRA 2002, with
MRXT's profit: U(f) / (pi R^2) - w C(f) / C_max. Each robot offers the frontiers that nobody owns, one at a time,
collects bids for a while, and gives each to the best bidder; a robot goes to the best it owns. All of it happens by
messages, so robots out of contact trade with whom they reach, or work for themselves.
"""

from __future__ import annotations

import math
from typing import Annotated

from pydantic import Field

from expedition.robot import Frontier, Robot
from expedition.strategies.cost_utility import CostWeight, GainRange, Metres, Seconds, relative_costs
from expedition.strategies.library import strategy

Place = tuple[float, float]


@strategy("market")
async def market(
    robot: Robot,
    *,
    range: GainRange = 8.0,
    weight: CostWeight = 0.5,
    bidding: Annotated[Seconds, Field(description="how long bids are collected, s")] = 2.5,
    same_place: Annotated[Metres, Field(description="frontiers nearer than this are taken for the same one, m")] = 4.0,
    memory: Annotated[Seconds, Field(description="a teammate's purchase is respected for this long, s")] = 60.0,
) -> None:
    """Auction frontiers among the robots in contact (Zlot et al. 2002)."""
    trader = Trader(robot, range, weight, same_place, memory)
    while frontiers := robot.frontiers():
        trader.look(frontiers)
        trader.read_messages()
        trader.settle_own_auction(bidding)
        trader.offer_something()
        await robot.go_to(trader.best(), timeout=bidding)


class Trader:
    """A robot's books: what it owns, what others own, and the auction it holds."""

    def __init__(self, robot: Robot, range: float, weight: float, same_place: float, memory: float) -> None:
        self._robot = robot
        self._range = range
        self._weight = weight
        self._same_place = same_place
        self._memory = memory
        self._frontiers: list[Frontier] = []
        self._profits: list[float] = []
        self._owned: list[Place] = []
        self._owned_by_others: list[tuple[Place, float]] = []
        self._offer: Place | None = None
        self._offered_at = 0.0
        self._bids: dict[int, float] = {}

    def look(self, frontiers: list[Frontier]) -> None:
        """Take stock: the frontiers there are, what each would bring, and which possessions are worth nothing now."""
        robot = self._robot
        self._frontiers = frontiers
        self._profits = [
            robot.expected_gain(frontier, self._range) / (math.pi * self._range**2) - self._weight * cost
            for frontier, cost in zip(frontiers, relative_costs(robot, frontiers), strict=True)
        ]
        self._owned = [place for place in self._owned if self._frontier_at(place) is not None]
        oldest = robot.time - self._memory
        self._owned_by_others = [
            (place, time)
            for place, time in self._owned_by_others
            if time > oldest and self._frontier_at(place) is not None
        ]

    def settle_own_auction(self, bidding: float) -> None:
        """When the time for bids is over, the best bidder gets the frontier; the seller bids too."""
        if self._offer is None or self._robot.time < self._offered_at + bidding:
            return
        place, self._offer = self._offer, None
        nearest = self._frontier_at(place)
        if nearest is None:
            return
        self._bids[self._robot.id] = self._profits[nearest]
        winner = max(self._bids, key=lambda bidder: (self._bids[bidder], -bidder))
        self._robot.send({"sold": place, "to": winner}, topic="market")
        self._record_sale(place, winner)

    def read_messages(self) -> None:
        """Bid for what others offer, count bids for the own offer, and note what was sold."""
        for message in self._robot.inbox.take():
            if message.topic != "market":
                continue
            if "offer" in message.payload:
                self._bid(message.payload["offer"], message.sender)
            elif "bid" in message.payload and message.payload["for"] == self._offer:
                self._bids[message.sender] = message.payload["bid"]
            elif "sold" in message.payload and (
                place := self._robot.in_my_map(message.sender, message.payload["sold"])
            ):
                self._record_sale(place, message.payload["to"])

    def offer_something(self) -> None:
        """Auction the most profitable frontier that nobody owns."""
        if self._offer is not None:
            return
        free = [f for f, frontier in enumerate(self._frontiers) if not self._has_owner((frontier.x, frontier.y))]
        if free:
            best = max(free, key=lambda f: self._profits[f])
            self._offer = (self._frontiers[best].x, self._frontiers[best].y)
            self._offered_at = self._robot.time
            self._bids = {}
            self._robot.send({"offer": self._offer}, topic="market")

    def best(self) -> Frontier:
        """The most profitable frontier owned; before anything is owned, the one on offer or the most profitable."""
        mine = [index for place in self._owned if (index := self._frontier_at(place)) is not None]
        if not mine and self._offer is not None and (offered := self._frontier_at(self._offer)) is not None:
            mine = [offered]
        indices = mine or list(range(len(self._frontiers)))
        best = max(indices, key=lambda f: self._profits[f])
        self._robot.consider(self._frontiers, self._profits, best, "profit")
        return self._frontiers[best]

    def _bid(self, offer: Place, seller: int) -> None:
        place = self._robot.in_my_map(seller, offer)
        wanted = None if place is None else self._frontier_at(place)
        if wanted is not None and not self._owned:
            self._robot.send({"bid": self._profits[wanted], "for": offer}, to=seller, topic="market")

    def _record_sale(self, place: Place, winner: int) -> None:
        if winner == self._robot.id:
            self._owned.append(place)
        else:
            self._owned_by_others.append((place, self._robot.time))

    def _has_owner(self, place: Place) -> bool:
        others = (other for other, _ in self._owned_by_others)
        return any(math.dist(place, owned) < self._same_place for owned in (*self._owned, *others))

    def _frontier_at(self, place: Place) -> int | None:
        """The frontier that was called by a place: the nearest one, if it is near enough to be the same."""
        distances = [math.dist(place, (frontier.x, frontier.y)) for frontier in self._frontiers]
        nearest = min(range(len(distances)), key=distances.__getitem__, default=None)
        return nearest if nearest is not None and distances[nearest] < self._same_place else None
