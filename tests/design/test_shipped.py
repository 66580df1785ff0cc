"""The designs that come with the package are those of the papers."""

from __future__ import annotations

import pytest

from expedition.design import build_mission, load_design
from expedition.design.source import REFERENCE, shipped
from expedition.design.trial import try_out
from expedition.fleet import robot_model


def test_four_designs_ship() -> None:
    assert shipped() == ["mresim", "quick", "yan2015", "yan2017"]


@pytest.mark.parametrize("name", shipped())
def test_a_shipped_design_is_right_and_its_fleets_fit(name: str) -> None:
    design = load_design(name)
    assert design.name == name
    assert design.description
    assert design.text == (REFERENCE / f"{name}.yaml").read_text(encoding="utf-8")
    assert try_out(design.missions()) == {"quick": 2, "yan2015": 4, "yan2017": 4, "mresim": 10}[name]  # Terrains.


def test_yan2017_is_table_4() -> None:
    design = load_design("yan2017")
    assert len(design) == len({one.key for one in design.missions()}) == 600
    assert design.varied == ("robots", "terrain")
    assert design.values_of("robots") == list(range(1, 31))
    assert design.values_of("terrain") == ["loop", "cross", "zigzag", "maze"]
    assert design.iterations == 5
    assert design.stop == {"explored": {"share": 0.99, "of": "robot"}, "time": {"seconds": 2000.0}}
    assert design.measurements["resources"] == {"every": 5.0}
    assert {"time_s", "cost_m", "efficiency_m2_per_m", "map_quality"} <= set(design.metrics)
    mission = build_mission(design.missions()[-1].parameters)
    assert len(mission.fleet) == 30
    assert mission.fleet.poses[:2, :2].tolist() == [[-38, 38], [-38, 36]]
    assert mission.settings.merge == "probabilistic"
    assert mission.settings.localiser == "scan-matching"


def test_mresim_asks_its_questions_with_every_radio_and_ground() -> None:
    design = load_design("mresim")
    assert len(design) == len({one.key for one in design.missions()}) == 720
    assert set(design.varied) == {"robots", "terrain", "terrain.seed", "radio", "strategy"}
    mission = build_mission(design.missions()[-1].parameters)
    assert mission.terrain.shape == (450, 600)
    assert mission.fleet.base is not None
    assert mission.fleet.models[0].drive.max_speed == 1.0


def test_yan2015_compares_two_ways_of_merging_with_its_own_laser() -> None:
    design = load_design("yan2015")
    assert len(design) == len({one.key for one in design.missions()}) == 1200
    assert set(design.varied) == {"robots", "terrain", "merge"}
    model = build_mission(design.missions()[0].parameters).fleet.models[0]
    assert model.lidar == robot_model("pioneer-3dx-2015").lidar
    assert (model.body, model.drive) == (robot_model("pioneer-3dx").body, robot_model("pioneer-3dx").drive)


def test_quick_is_small_and_pairs_its_strategies() -> None:
    design = load_design("quick")
    assert len(design) <= 100
    by_strategy = {name: set() for name in design.values_of("strategy")}  # type: dict[str, set[tuple[object, ...]]]
    for one in design.missions():
        by_strategy[one.vector["strategy"]].add((one.vector["terrain"], one.vector["robots"], one.seed))
    assert len({frozenset(pairs) for pairs in by_strategy.values()}) == 1
