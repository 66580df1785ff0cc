"""Frontiers go to the robot that profits most from them."""

from __future__ import annotations

from typing import Any

from expedition.robot import Robot
from expedition.strategies.market import market
from tests.strategies.arena import try_out


def sold_to(bid: float) -> list[int]:
    """Whom robot 0 sells its frontiers to, when robot 1 bids so much for each."""
    sales: list[int] = []

    async def trades(robot: Robot) -> None:
        if robot.id == 0:
            await market(robot)
            return
        while True:
            for message in robot.inbox.take():
                payload: Any = message.payload
                if "offer" in payload:
                    robot.send({"bid": bid, "for": payload["offer"]}, to=message.sender, topic="market")
                elif "sold" in payload:
                    sales.append(payload["to"])
            await robot.wait(0.2)

    result = try_out(trades, 2, seconds=12.0)
    assert result.failure is None, result.failure.report
    return sales


def test_frontier_is_sold_to_the_better_bidder() -> None:
    sales = sold_to(99.0)
    assert sales
    assert sales[0] == 1


def test_seller_keeps_what_nobody_values_more() -> None:
    sales = sold_to(-99.0)
    assert sales
    assert set(sales) == {0}
