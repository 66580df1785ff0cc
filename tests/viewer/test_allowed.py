"""Whatever a page sends names registered components and files of the store, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from expedition.errors import ExpeditionError
from expedition.terrain import find_terrain, save
from expedition.viewer.setup.allowed import MOST_COMBINATIONS, Allowed, cleared
from expedition.viewer.setup.drafts import Draft, open_text

RIGHT = {"terrain": "cross", "robots": 2, "strategy": "nearest-frontier"}


@pytest.fixture(scope="module")
def allowed(tmp_path_factory: pytest.TempPathFactory) -> Allowed:
    """A store with a terrain, and outside of it a file that does something when it is loaded, and one to be read."""
    tmp_path = tmp_path_factory.mktemp("allowed")
    store = tmp_path / "store"
    (store / "terrains").mkdir(parents=True)
    save(find_terrain("cross:resolution=0.2"), store / "terrains" / "mine.yaml")
    save(find_terrain("cross:resolution=0.2"), tmp_path / "secret.yaml")
    (tmp_path / "evil.py").write_text(
        f"open({str(tmp_path / 'ran')!r}, 'w').close()\nasync def evil(robot): pass\ndef made(*given, **more): pass\n"
    )
    (tmp_path / "places.csv").write_text("1,1\n2,2\n")
    return Allowed(store)


@pytest.mark.parametrize("name", [
    "terrain", "strategy", "robot", "placement", "prior", "radio", "localiser", "merge", "planner",
    "network.link.radio", "network.channels.wifi.radio",
])  # fmt: skip
@pytest.mark.parametrize("text", [
    "{folder}/evil.py:evil", "../evil.py:evil", "evil.py:evil", "{folder}/evil.py", "cave:x={folder}/evil.py:evil",
    "{folder}/secret.yaml", "../../secret.yaml", "../terrains/../../secret.yaml", "secret.yaml", "..\\secret.yaml",
    "../terrains/mine.yaml/../../../secret.yaml", "mine.png", "nosuchname",
])  # fmt: skip
def test_no_parameter_that_names_a_component_reaches_for_a_file(allowed: Allowed, name: str, text: str) -> None:
    folder = allowed.store.parent
    value = text.format(folder=folder)
    for written in (value, [value], {"values": [value]}):
        with pytest.raises(ExpeditionError):
            cleared({"parameters": {**RIGHT, name: written}}, allowed)
    assert not (folder / "ran").exists()


@pytest.mark.parametrize("given", [
    {"parameters": {**RIGHT, "placement": "at:file={folder}/places.csv"}},
    {"parameters": {**RIGHT, "placement": "at", "placement.file": "{folder}/places.csv"}},
    {"parameters": {**RIGHT, "placement": "at", "placement.file": "places"}},
    {"parameters": {**RIGHT, "network": {"link": {"radio": "{folder}/evil.py:made"}}}},
    {"parameters": {**RIGHT, "network": {"values": [{"channels": {"wifi": {"radio": "evil.py:made"}}}]}}},
    {"parameters": {**RIGHT, "robot": "2 * pioneer-3dx + 1 * {folder}/secret.yaml"}},
    {"parameters": {**RIGHT, "robot": {"{folder}/secret.yaml": 2}}},
    {"parameters": {**RIGHT, "robot": ["pioneer-3dx", "{folder}/evil.py:made"]}},
    {"parameters": {**RIGHT, "{folder}/evil.py:made": 1}},
    {"parameters": {**RIGHT, "terrain": "cave:seed=1,file={folder}/secret.yaml"}},
    {"parameters": {**RIGHT, "prior": "truth:known=0.5,map_file=secret"}},
    {"parameters": RIGHT, "vectors": "{folder}/evil.py:made"},
    {"parameters": RIGHT, "vectors": [{"strategy": "{folder}/evil.py:evil"}]},
    {"parameters": RIGHT, "exclude": ["{folder}/evil.py:made"]},
    {"parameters": RIGHT, "exclude": [{"strategy": "{folder}/evil.py:evil"}]},
    {"parameters": RIGHT, "stop": {"{folder}/evil.py:made": True}},
    {"parameters": RIGHT, "stop": {"evil.py:made": {"x": 1}}},
    {"parameters": RIGHT, "stop": {"explored": "{folder}/evil.py:made"}},
    {"parameters": RIGHT, "measurements": {"{folder}/evil.py:made": {"every": 1}}},
    {"parameters": RIGHT, "measurements": {"series": {"when": "{folder}/evil.py:made"}}},
    {"parameters": RIGHT, "metrics": ["{folder}/evil.py:made"]},
    {"parameters": RIGHT, "metrics": ["time_s", "evil.py:made"]},
    {"parameters": RIGHT, "record": {"maps": "{folder}/evil.py:made"}},
])  # fmt: skip
def test_no_field_of_a_design_loads_or_reads_a_file(allowed: Allowed, given: dict[str, Any]) -> None:
    folder = allowed.store.parent

    def located(data: Any) -> Any:
        if isinstance(data, str):
            return data.replace("{folder}", str(folder))
        if isinstance(data, dict):
            return {located(key): located(value) for key, value in data.items()}
        return [located(one) for one in data] if isinstance(data, list) else data

    with pytest.raises(ExpeditionError):
        cleared(located(given), allowed)
    assert not (folder / "ran").exists()


def test_a_refusal_says_the_field_and_what_was_found(allowed: Allowed) -> None:
    with pytest.raises(ExpeditionError, match=r"^strategy: a page takes registered names .* found '/tmp/x\.py:y'"):
        cleared({"parameters": {**RIGHT, "strategy": "/tmp/x.py:y"}}, allowed)
    with pytest.raises(ExpeditionError, match=r"^radio: unknown radio 'circel'; did you mean 'circle'"):
        cleared({"parameters": {**RIGHT, "radio": "circel"}}, allowed)


def test_terrains_of_the_store_are_found_by_name(allowed: Allowed) -> None:
    for name in ("mine.yaml", "../terrains/mine.yaml"):
        located = cleared({"parameters": {**RIGHT, "terrain": name, "prior": name}}, allowed)["parameters"]
        assert located["terrain"] == located["prior"] == str(allowed.store.resolve() / "terrains" / "mine.yaml")
        assert allowed.short(located["terrain"]) == "mine.yaml"


def test_a_link_in_the_store_does_not_lead_out_of_it(allowed: Allowed) -> None:
    (allowed.terrains / "link.yaml").symlink_to(allowed.store.parent / "secret.yaml")
    with pytest.raises(ExpeditionError, match=r"unknown terrain 'link\.yaml'"):
        cleared({"parameters": {**RIGHT, "terrain": "link.yaml"}}, allowed)


def test_strategies_of_an_allowed_folder_are_found_without_being_run(allowed: Allowed) -> None:
    folder = allowed.store.parent
    with_own = Allowed(allowed.store, folder)
    assert with_own.strategy_names() == ["evil.py:evil"]
    located = cleared({"parameters": {**RIGHT, "strategy": "evil.py:evil"}}, with_own)["parameters"]["strategy"]
    assert located == f"{folder.resolve()}/evil.py:evil"
    for text in ("../evil.py:evil", "evil.py:made", f"{folder}/evil.py:evil", "sub/evil.py:evil"):
        with pytest.raises(ExpeditionError):
            cleared({"parameters": {**RIGHT, "strategy": text}}, with_own)
    with pytest.raises(ExpeditionError):
        cleared({"parameters": {**RIGHT, "terrain": "evil.py:made"}}, with_own)
    assert not (folder / "ran").exists()


def test_designs_that_unfold_to_too_many_missions_are_refused(allowed: Allowed) -> None:
    for robots in ({"from": 1, "to": 10**15}, list(range(MOST_COMBINATIONS + 1))):
        with pytest.raises(ExpeditionError, match="combinations"):
            cleared({"parameters": {**RIGHT, "robots": robots}}, allowed)


def test_yaml_makes_no_objects_and_does_not_unfold(allowed: Allowed) -> None:
    with pytest.raises(ExpeditionError, match="not valid YAML"):
        open_text("parameters: !!python/object/apply:os.system ['true']", allowed)
    bomb = "a: &a [x,x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{letter}: &{letter} [{','.join(['*' + before] * 10)}]\n"
        for before, letter in zip("abcdefgh", "bcdefghi", strict=True)
    )
    with pytest.raises(ExpeditionError, match="entries"):
        open_text(bomb, allowed)
    with pytest.raises(ExpeditionError, match="too large"):
        open_text("x" * 2_000_000, allowed)


def test_a_draft_is_read_back_from_its_design(allowed: Allowed) -> None:
    draft = Draft(
        {**RIGHT, "terrain": "mine.yaml", "placement": "at", "placement.positions": [[-30.0, 36.0], [-28.0, 36.0]],
         "failures": [{"part": "radio", "at": 3.0}], "robot.lidar.range": 9.0, "base": [0.0, 36.0]},
        {"explored": {"share": 0.5}, "time": {"seconds": 20}}, 7, "back",
    )  # fmt: skip
    assert open_text(draft.text(), allowed).draft() == draft
