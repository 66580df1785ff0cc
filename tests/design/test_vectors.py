"""Vectors: combinations, lists, functions, Latin hypercubes, and what is left out of them."""

from __future__ import annotations

import math
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from expedition.design import Design
from tests.design.writing import design_of, write

SHARES = st.floats(0.1, 0.9).map(lambda value: round(value, 3))
NUMBERS = st.lists(st.integers(1, 40), min_size=1, max_size=6, unique=True)
RATES = st.lists(st.sampled_from([0.5, 1.0, 2.0, 4.0]), min_size=1, max_size=4, unique=True)
TERRAINS = st.lists(st.sampled_from(["maze", "loop", "cross", "zigzag"]), min_size=1, max_size=4, unique=True)


def planned(parameters: dict[str, Any], **fields: Any) -> Design:
    """A design in a folder of its own: Hypothesis runs a test many times in one."""
    with tempfile.TemporaryDirectory() as folder:
        return design_of(Path(folder), parameters, **fields)


@given(numbers=NUMBERS, rates=RATES, terrains=TERRAINS, iterations=st.integers(1, 4))
@settings(max_examples=25)
def test_all_combinations_are_the_product_of_the_values(
    numbers: list[int], rates: list[float], terrains: list[str], iterations: int
) -> None:
    design = planned({"robots": numbers, "exchange_rate": rates, "terrain": terrains}, iterations=iterations)
    found = [(vector["robots"], vector["exchange_rate"], vector["terrain"]) for vector in design.vectors]
    assert sorted(found) == sorted({(n, rate, terrain) for n in numbers for rate in rates for terrain in terrains})
    assert len(design) == len(design.missions()) == iterations * len(numbers) * len(rates) * len(terrains)
    expected = {"robots": numbers, "exchange_rate": rates, "terrain": terrains}
    assert set(design.varied) == {name for name, values in expected.items() if len(values) > 1}


@given(numbers=NUMBERS, terrains=TERRAINS, low=st.integers(1, 40), width=st.integers(0, 20), data=st.data())
@settings(max_examples=25)
def test_an_exclusion_takes_away_exactly_what_matches_all_of_it(
    numbers: list[int], terrains: list[str], low: int, width: int, data: st.DataObject
) -> None:
    numbers = [*numbers, 100]  # One that is never left out, so that something is left.
    out = data.draw(st.sampled_from(terrains))
    exclude = [{"terrain": out, "robots": {"from": low, "to": low + width}}]
    design = planned({"robots": numbers, "terrain": terrains}, exclude=exclude)
    kept = {(n, t) for n in numbers for t in terrains if not (t == out and low <= n <= low + width)}
    assert {(vector["robots"], vector["terrain"]) for vector in design.vectors} == kept
    assert len(design.vectors) == len(kept)
    assert design.excluded == len(numbers) * len(terrains) - len(kept)


@pytest.mark.parametrize(
    ("name", "values", "out", "kept"),
    [
        ("robots", {"from": 1, "to": 6}, {"from": 1, "to": 6, "by": 2}, [2, 4, 6]),
        ("robots", {"from": 1, "to": 6}, {"from": 2, "to": 5, "by": 3}, [1, 3, 4, 6]),
        ("exchange_rate", {"from": 0.1, "to": 0.7, "by": 0.1}, {"from": 0.1, "to": 0.7, "by": 0.2}, [0.2, 0.4, 0.6]),
    ],
)
def test_an_exclusion_with_a_step_leaves_what_lies_between(name: str, values: Any, out: Any, kept: list[float]) -> None:
    design = planned({name: values}, exclude=[{name: out}])
    assert [vector[name] for vector in design.vectors] == kept


@given(samples=st.integers(1, 60), seed=st.integers(0, 1000), top=st.integers(2, 30))
@settings(max_examples=25)
def test_a_latin_hypercube_uses_every_slice_of_every_parameter_once(samples: int, seed: int, top: int) -> None:
    parameters = {
        "robots": {"from": 1, "to": top},
        "strategy": "cost-utility",
        "strategy.weight": {"from": 0.5, "to": 2.5},
        "terrain": ["maze", "cross", "loop"],
    }
    design = planned(parameters, vectors={"latin_hypercube": samples}, seed=seed)
    assert len(design.vectors) == samples  # The weight is continuous, so that no two are alike.
    weights = [vector["strategy.weight"] for vector in design.vectors]
    assert sorted(min(int((weight - 0.5) / 2.0 * samples + 1e-4), samples - 1) for weight in weights) == list(
        range(samples)
    )
    for name, values in (("robots", range(1, top + 1)), ("terrain", parameters["terrain"])):
        counts = Counter(vector[name] for vector in design.vectors)
        assert set(counts) <= set(values)
        share = samples / len(values)
        assert all(math.floor(share) - 1 <= counts[value] <= math.ceil(share) + 1 for value in values)


def test_a_latin_hypercube_is_the_same_again_and_keeps_its_draws_when_a_parameter_is_added(tmp_path: Path) -> None:
    varied = {"robots": {"from": 1, "to": 30}, "exchange_rate": {"from": 0.5, "to": 2.0}}
    fields = {"vectors": {"latin_hypercube": 20}, "seed": 4}
    first, again = (design_of(tmp_path, varied, **fields).vectors for _ in range(2))
    more = design_of(tmp_path, {**varied, "replan_rate": {"from": 0.5, "to": 2.0}}, **fields).vectors
    other = design_of(tmp_path, varied, vectors={"latin_hypercube": 20}, seed=5).vectors
    assert first == again
    assert [vector["robots"] for vector in more] == [vector["robots"] for vector in first]
    assert [vector["robots"] for vector in other] != [vector["robots"] for vector in first]


def test_a_range_has_its_ends_and_steps(tmp_path: Path) -> None:
    parameters = {"robots": {"from": 2, "to": 9, "by": 3}, "exchange_rate": {"from": 0.1, "to": 0.5, "by": 0.1}}
    design = design_of(tmp_path, parameters)
    assert design.values_of("robots") == [2, 5, 8]
    assert design.values_of("exchange_rate") == [0.1, 0.2, 0.3, 0.4, 0.5]


def test_the_first_parameter_changes_slowest_and_iterations_fastest(tmp_path: Path) -> None:
    design = design_of(tmp_path, {"terrain": ["maze", "cross"], "robots": [1, 2]}, iterations=2)
    found = [(one.vector["terrain"], one.vector["robots"], one.iteration) for one in design.missions()]
    assert found == [(t, n, i) for t in ("maze", "cross") for n in (1, 2) for i in (0, 1)]


def test_a_parameter_counts_only_for_components_that_have_it(tmp_path: Path) -> None:
    parameters = {"terrain": ["maze", "cave"], "terrain.size": [50, 75], "placement": "spread"}
    design = design_of(tmp_path, parameters)
    found = [(vector["terrain"], vector["terrain.size"]) for vector in design.vectors]
    assert found == [("maze", None), ("cave", 50), ("cave", 75)]
    sizes = [one.parameters["terrain"]["parameters"].get("size") for one in design.missions()]
    assert sizes == [None, [50, 50], [75, 75]]


def test_listed_vectors_take_fixed_parameters_and_may_add_others(tmp_path: Path) -> None:
    vectors = [{"robots": 1}, {"robots": 3, "strategy": "cost-utility", "strategy.weight": 0.2}]
    design = design_of(tmp_path, {"robots": [1, 3]}, vectors=vectors)
    first, second = design.missions()
    assert first.vector == {"terrain": "maze", "robots": 1, "strategy": "nearest-frontier"}
    assert second.parameters["strategy"]["parameters"]["weight"] == 0.2
    assert second.parameters["terrain"] == first.parameters["terrain"]
    assert design.varied == ("robots", "strategy", "strategy.weight")


def test_functions_make_vectors_and_leave_them_out(tmp_path: Path) -> None:
    write(
        tmp_path,
        "import numpy as np\n"
        "def my_vectors(parameters):\n"
        "    for robots in np.array(parameters['robots']):\n"
        "        yield {'robots': robots}\n"
        "def my_condition(vector):\n"
        "    return np.equal(vector['robots'] % 2, 0)\n",
        "my_file.py",
    )
    design = design_of(
        tmp_path, {"robots": [1, 2, 3, 4]}, vectors="my_file.py:my_vectors", exclude=["my_file.py:my_condition"]
    )
    assert [vector["robots"] for vector in design.vectors] == [1, 3]
    assert all(type(vector["robots"]) is int for vector in design.vectors)


@pytest.mark.parametrize("value", [[], [1]])
def test_what_is_listed_in_the_long_form_is_taken_as_it_stands(tmp_path: Path, value: list[int]) -> None:
    positions = [[[-38, 38], [-38, 30]], [[-38, 38], [-36, 38]]]
    design = design_of(tmp_path, {"placement": "at", "placement.positions": {"values": positions}})
    assert [one.parameters["placement"]["parameters"]["positions"] for one in design.missions()] == positions


def test_ten_thousand_missions_are_made_of_few_parts(tmp_path: Path) -> None:
    parameters = {"robots": {"from": 1, "to": 25}, "terrain": ["loop", "maze"], "exchange_rate": [1, 2, 3, 4]}
    missions = design_of(tmp_path, parameters, iterations=50).missions()
    assert len({one.key for one in missions}) == len(missions) == 10_000
    assert len({id(one.parameters["terrain"]) for one in missions}) == 2
    assert len({id(one.parameters["fleet"]) for one in missions}) == 25
    assert len({id(one.parameters["settings"]) for one in missions}) == 4
