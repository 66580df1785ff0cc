"""With which chance nodes receive each other, model by model."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.errors import ExpeditionError
from expedition.fleet.model import Radio
from expedition.network import Obstacles, PathLoss, ThroughWalls, radios
from expedition.network.power import PowerModel
from expedition.network.radio import RadioModel
from expedition.terrain import Terrain, find_terrain

MODELS = ("circle", "everywhere", "none", "line-of-sight", "path-loss", "through-walls")


def walls_at(*columns: int, material: str = "concrete") -> Obstacles:
    """200 x 10 m in cells of half a metre; walls one cell thick at these columns."""
    occupied = np.zeros((20, 400), dtype=np.bool_)
    occupied[:, list(columns)] = True
    return Obstacles.of(Terrain.from_occupied("walls", occupied, 0.5, material=material))  # type: ignore[arg-type]


def line(*places: float) -> np.ndarray:
    return np.array([(x, 5.2) for x in places])


def make(spec: str, *ranges: float | None, seed: int = 1, **sheet: float) -> RadioModel:
    return radios.make(spec, [Radio(range=reach, **sheet) for reach in ranges], seed)


def received(model: RadioModel, positions: np.ndarray, obstacles: Obstacles, time: float = 0.0) -> list[list[float]]:
    reception: list[list[float]] = model.reception(positions, obstacles, time).tolist()
    return reception


def test_circle_reaches_those_within_the_senders_range_through_walls() -> None:
    chances = received(make("circle", 10.0, 20.0, None), line(0.0, 15.0, 60.0), walls_at(3, 50))
    assert chances == [[0, 1, 1], [0, 0, 1], [0, 0, 0]]


def test_link_holds_up_to_the_very_range() -> None:
    for spec in ("circle", "line-of-sight", "path-loss", "through-walls"):
        model = make(spec, 10.0, 10.0)
        assert received(model, line(0.0, 10.0), walls_at()) == [[0, 1], [1, 0]], spec
        assert received(model, line(0.0, 10.001), walls_at()) == [[0, 0], [0, 0]], spec
    apart = math.nextafter(10.0, 11.0)
    assert received(make("circle", 10.0, 10.0), line(0.0, apart), walls_at()) == [[0, 0], [0, 0]]


def test_everywhere_links_all_and_none_links_nobody() -> None:
    places = line(0.0, 500.0, 1000.0)
    for nodes in ([Radio(range=1.0)] * 3, [None, Radio(), None]):
        assert (radios.make("everywhere", nodes, 1).reception(places, walls_at(), 0.0) == 1 - np.eye(3)).all()
        assert not radios.make("none", nodes, 1).reception(places, walls_at(), 0.0).any()


@pytest.mark.parametrize("spec", ["circle", "circle:range=9", "line-of-sight", "path-loss", "through-walls"])
def test_node_without_radio_neither_sends_nor_hears(spec: str) -> None:
    model = radios.make(spec, [Radio(range=50.0), None, Radio(range=50.0)], 1)
    assert received(model, line(0.0, 1.0, 2.0), walls_at()) == [[0, 0, 1], [0, 0, 0], [1, 0, 0]]
    for sender, receiver in ((0, 1), (1, 2), (0, 0)):
        assert model.between(sender, receiver, line(0.0), line(1.0), walls_at()).tolist() == [0.0]


@pytest.mark.parametrize("spec", MODELS)
def test_models_bear_fleets_of_any_size(spec: str) -> None:
    for nodes in ([], [None], [Radio()], [None, None]):
        model = radios.make(spec, nodes, 1)
        positions = np.zeros((len(nodes), 2))
        expected = 1.0 - np.eye(len(nodes)) if spec == "everywhere" else np.zeros((len(nodes),) * 2)
        assert (model.reception(positions, walls_at(), 0.0) == expected).all()


def test_line_of_sight_ends_at_the_first_wall() -> None:
    chances = received(make("line-of-sight", 60.0, None, 60.0), line(1.0, 20.0, 40.0), walls_at(50))
    assert chances == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert received(make("line-of-sight:range=5", None, 60.0), line(1.0, 7.0), walls_at()) == [[0, 0], [0, 0]]


def test_line_of_sight_reaches_as_far_as_it_sees_without_a_range() -> None:
    assert received(make("line-of-sight", None, None), line(1.0, 199.0), walls_at()) == [[0, 1], [1, 0]]


def power(model: RadioModel, positions: np.ndarray, obstacles: Obstacles, time: float = 0.0) -> np.ndarray:
    assert isinstance(model, (PathLoss, ThroughWalls))
    return model.power(positions, obstacles, time)


def test_path_loss_subtracts_distance_and_walls_in_decibels() -> None:
    spec = "path-loss:reference_distance=1,reference_power=-30"
    model = make(spec, None, None)
    apart, walls = 50.0, 3
    expected = -30 - 25 * math.log10(apart) - walls * 3.65
    found = power(model, line(1.0, 1.0 + apart), walls_at(10, 20, 21, 90))
    assert found == pytest.approx(np.array([[-math.inf, expected], [expected, -math.inf]]))


def test_path_loss_counts_no_more_walls_than_the_most_that_count() -> None:
    spec = "path-loss:reference_distance=1,reference_power=-30,max_walls=2,wall_db=30,exponent=2"
    found = power(make(spec, None, None), line(1.0, 101.0), walls_at(*range(10, 100, 10)))
    assert found[0, 1] == pytest.approx(-30 - 40 - 60)
    received_then = make(f"{spec},cutoff=-131", None, None).reception(
        line(1.0, 101.0), walls_at(*range(10, 100, 10)), 0
    )
    assert received_then[0, 1] == 1.0


def test_path_loss_by_material_takes_thickness_times_attenuation() -> None:
    spec = "path-loss:reference_distance=1,reference_power=-30,walls=material"
    found = power(make(spec, None, None), line(1.0, 101.0), walls_at(10, 20, 21, material="brick"))
    assert found[0, 1] == pytest.approx(-30 - 50 - 1.5 * 5.5)


def test_path_loss_in_the_open_reaches_the_range_of_the_data_sheet() -> None:
    """MRESim: the signal at the range is the weakest that is understood, and each wall shortens the range by 29 %."""
    model = make("path-loss", 20.0, 20.0, sensitivity_dbm=-93.0)
    assert power(model, line(0.0, 20.0), walls_at())[0, 1] == pytest.approx(-93.0)
    shortened = 20.0 * 10 ** (-3.65 / 25)
    assert received(model, line(1.0, 0.999 + shortened), walls_at(10)) == [[0, 1], [1, 0]]
    assert received(model, line(1.0, 1.001 + shortened), walls_at(10)) == [[0, 0], [0, 0]]


def test_range_given_takes_the_place_of_the_data_sheets() -> None:
    for spec in ("circle", "line-of-sight", "path-loss", "through-walls"):
        for apart, expected in ((29.9, 2.0), (30.1, 0.0)):
            model = make(f"{spec}:range=30", 10.0, None)
            assert model.reception(line(1.0, 1.0 + apart), walls_at(), 0.0).sum() == expected, spec
    with pytest.raises(ExpeditionError, match="but not both"):
        make("path-loss:range=30,reference_power=-20", None)


def test_path_loss_without_a_range_starts_from_the_transmit_power() -> None:
    """Free space takes 40 dB of 2.4 GHz in the first metre."""
    model = make("path-loss", None, None, transmit_power_dbm=15.0)
    assert power(model, line(0.0, 1.0), walls_at())[0, 1] == pytest.approx(15 - 40.05, abs=0.01)
    assert power(model, line(0.0, 10.0), walls_at())[0, 1] == pytest.approx(15 - 40.05 - 25, abs=0.01)
    given_distance = make("path-loss:reference_distance=10", None, 50.0)
    assert power(given_distance, line(0.0, 10.0), walls_at()) == pytest.approx(
        np.array([[-math.inf, 15 - 60.05], [15 - 60.05, -math.inf]]), abs=0.01
    )


def test_cutoff_takes_the_place_of_the_data_sheets_sensitivity() -> None:
    spec = "path-loss:reference_distance=1,reference_power=-30,exponent=2"
    assert received(make(f"{spec},cutoff=-69", None, None), line(0.0, 100.0), walls_at()) == [[0, 0], [0, 0]]
    assert received(make(f"{spec},cutoff=-71", None, None), line(0.0, 100.0), walls_at()) == [[0, 1], [1, 0]]


@pytest.mark.parametrize("spec", ["path-loss", "through-walls:distance_db_per_m=1"])
def test_sender_gives_the_power_and_receiver_the_sensitivity(spec: str) -> None:
    strong_and_deaf = Radio(transmit_power_dbm=30.0, sensitivity_dbm=-40.0)
    weak_and_keen = Radio(transmit_power_dbm=0.0, sensitivity_dbm=-90.0)
    model = radios.make(spec, [strong_and_deaf, weak_and_keen], 1)
    assert received(model, line(0.0, 60.0), walls_at()) == [[0, 0], [1, 0]]
    assert model.between(0, 1, line(0.0), line(60.0), walls_at()).tolist() == [1.0]
    assert model.between(1, 0, line(0.0), line(60.0), walls_at()).tolist() == [0.0]


def test_walls_of_six_and_a_half_metres_of_concrete_are_too_much_for_maes() -> None:
    model = make("through-walls", None, None)
    assert power(model, line(1.0, 150.0), walls_at(*range(10, 22)))[0, 1] == pytest.approx(15 - 6 * 15)
    for thick, expected in ((12, 1), (13, 0)):
        assert received(model, line(1.0, 150.0), walls_at(*range(10, 10 + thick)))[0][1] == expected


def test_through_walls_knows_limits_of_distance_and_of_wall() -> None:
    walls = walls_at(10, 11, 12)
    assert received(make("through-walls:max_wall_metres=1.5", None, None), line(1.0, 9.0), walls)[0][1] == 1
    assert received(make("through-walls:max_wall_metres=1.4", None, None), line(1.0, 9.0), walls)[0][1] == 0
    assert received(make("through-walls:range=7", None, None), line(1.0, 9.0), walls)[0][1] == 0
    assert received(make("through-walls:distance_db_per_m=10", None, None), line(1.0, 9.0), walls)[0][1] == 0
    assert received(make("through-walls:transmit_power=-59", None, None), line(1.0, 9.0), walls)[0][1] == 1
    assert received(make("through-walls:transmit_power=-60", None, None), line(1.0, 9.0), walls)[0][1] == 0


def test_spread_makes_the_chance_rise_evenly_around_the_sensitivity() -> None:
    model = make("through-walls:distance_db_per_m=1,cutoff=-85,spread_db=8", *[None] * 6)
    chances = received(model, line(0.0, 95.9, 96.1, 98.0, 102.0, 104.1), walls_at())[0]
    assert chances == pytest.approx([0.0, 1.0, 0.9875, 0.75, 0.25, 0.0])


PLACE = st.tuples(st.floats(-39.0, 39.0), st.floats(-39.0, 39.0))


@settings(max_examples=40)
@given(
    st.sampled_from(
        ["line-of-sight", "path-loss", "path-loss:walls=material,spread_db=6", "through-walls:spread_db=9"]
    ),
    st.lists(st.tuples(PLACE, st.sampled_from([None, 20.0, 60.0])), min_size=2, max_size=6),
)
def test_reception_is_what_each_pair_gets_on_its_own(
    spec: str, nodes: list[tuple[tuple[float, float], float | None]]
) -> None:
    obstacles = Obstacles.of(find_terrain("maze"))
    model = make(spec, *(reach for _, reach in nodes))
    places = np.array([place for place, _ in nodes])
    reception = model.reception(places, obstacles, 0.0)
    assert (np.diag(reception) == 0).all()
    for sender, receiver in itertools.permutations(range(len(nodes)), 2):
        alone = model.between(sender, receiver, places[[sender]], places[[receiver]], obstacles)
        assert alone.tolist() == [reception[receiver, sender]]


@settings(max_examples=20)
@given(
    st.sampled_from(["path-loss", "path-loss:walls=material,spread_db=6", "path-loss:wall_db=20,max_walls=2"]),
    st.integers(0, 2**31),
)
def test_path_loss_over_time_is_what_the_general_power_model_says(spec: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sheets = [None if rng.random() < 0.2 else Radio(range=rng.choice([None, 20.0, 60.0])) for _ in range(6)]
    model = radios.make(spec, sheets, 1)
    places = rng.uniform(-39.0, 39.0, (6, 2))
    for terrain in ("maze", "maze", "maze", "cross", "cross"):
        obstacles = Obstacles.of(find_terrain(terrain))
        expected = PowerModel.reception(radios.make(spec, sheets, 1), places, obstacles, 0.0)  # type: ignore[arg-type]
        assert (model.reception(places, obstacles, 0.0) == expected).all()
        places = places + (rng.random(6) < 0.5)[:, None] * rng.normal(0.0, 2.0, (6, 2))


def test_power_and_reception_agree_in_the_maze() -> None:
    obstacles = Obstacles.of(find_terrain("maze"))
    places = np.random.default_rng(1).uniform(-39, 39, (40, 2))
    for spec in ("path-loss", "path-loss:walls=material", "path-loss:fading_db=8"):
        model = make(spec, *[30.0] * 20, *[60.0] * 20)
        reception = model.reception(places, obstacles, 3.0)
        assert ((power(model, places, obstacles, 3.0) >= -82.0) == reception).all()
        assert 0.05 < reception.mean() < 0.9


def test_parameters_of_a_model_are_checked() -> None:
    with pytest.raises(ExpeditionError, match="did you mean 'exponent'"):
        make("path-loss:exponnt=2", None)
    with pytest.raises(ExpeditionError, match="walls"):
        make("path-loss:walls=thickness", None)
    with pytest.raises(ExpeditionError, match="did you mean 'path-loss'"):
        make("path-los", None)
