"""A wrong field names itself, its file, its line, and the nearest right one."""

from __future__ import annotations

from pathlib import Path

import pytest

from expedition.design import build_mission, load_design
from expedition.errors import ExpeditionError
from tests.design.writing import write

HEAD = "parameters:\n  terrain: maze\n  robots: [1, 2, 3]\n  strategy: nearest-frontier\n"
"""Four lines that are right."""

FUNCTIONS = """
def good(parameters):
    return [{"robots": 1}]

def raises(parameters):
    raise KeyError("robbots")

def stops_halfway(parameters):
    yield {"robots": 1}
    raise ValueError("no more")

def number(parameters):
    return 3

def texts(parameters):
    return ["maze"]

def nothing(parameters):
    return []

def unsure(vector):
    return "perhaps"
"""


def complaint(folder: Path, text: str) -> str:
    """What is said about a design."""
    write(folder, FUNCTIONS, "my_file.py")
    path = write(folder, text)
    with pytest.raises(ExpeditionError) as caught:
        load_design(path)
    sentence = str(caught.value)
    assert sentence.startswith(str(path))
    assert "\n" not in sentence
    return sentence.removeprefix(str(path))


def after_head(folder: Path, lines: str) -> str:
    return complaint(folder, HEAD + lines)


def with_parameter(folder: Path, line: str) -> str:
    return complaint(folder, f"{HEAD}  {line}\n")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("interations: 3", ", line 5: unknown field 'interations'; did you mean 'iterations'?"),
        ("iterations: three", ", line 5: iterations: input should be a valid integer"),
        ("iterations: 0", ", line 5: iterations: input should be greater than or equal to 1, found 0"),
        ("seed: -1", ", line 5: seed: input should be greater than or equal to 0, found -1"),
        ("name: two words", ", line 5: name: string should match pattern"),
        ("description: x\nname: a\nname: b", ", line 7: 'name' is written twice"),
        ("iterations: 1000000", ", line 5: 3 vectors x 1,000,000 iterations are 3,000,000 missions; at most 1,000,000"),
        ("name: [", ", line 6: not valid YAML"),
    ],
)
def test_a_wrong_field_of_the_file_is_named_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    assert after_head(tmp_path, line + "\n").startswith(told)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("exchange_rte: 2", ": unknown parameter 'exchange_rte'; did you mean 'exchange_rate'?"),
        ("lidar.range: 2", ": unknown parameter 'lidar.range'; did you mean 'robot.lidar.range'?"),
        ("robot.lidar.rnage: 10", ": robot.lidar.rnage: unknown field 'rnage'; did you mean 'range'?"),
        ("robot.lidr.range: 10", ": robot.lidr.range: unknown field 'lidr'; did you mean 'lidar'?"),
        ("robot.radios.wifi.rnge: 10", ": robot.radios.wifi.rnge: unknown field 'rnge'; did you mean 'range'?"),
        ("robot.radios.wify.range: 10", ": robot.radios.wify.range: radios: unknown name 'wify'; did you mean 'wifi'?"),
        ("robot.bumper.size: 10", ": robot.bumper.size: robot.bumper has no fields of its own"),
        ("robot.body.radius: 1", ": robot.body.radius: unknown field 'radius'; allowed: altitude, height, length"),
        ("robot.lidar.range: far", ": robot.lidar.range: input should be a valid number"),
        ("robot.lidar.range: -1", ": robot.lidar.range: input should be greater than 0, found -1"),
        ("terrain.resoluton: 1", ": terrain.resoluton: unknown parameter of 'maze': 'resoluton'; did you mean 'reso"),
        ("terrain.resolution: fine", ": terrain.resolution: input should be a valid number"),
        ("terrain.material: wod", ": terrain.material: input should be 'concrete', 'brick', 'wood'"),
        ("terrain.changes: [[{kind: dor}]]", ": terrain.changes.0: unknown kind 'dor'; did you mean 'door'?"),
        ("strategy.wieght: 1", ": strategy.wieght: unknown parameter of 'nearest-frontier': 'wieght'; allowed: none"),
        ("placement.strt: 1", ": placement.strt: unknown parameter of 'auto': 'strt'; did you mean 'start'?"),
        ("local.horizn: 1", ": unknown field 'horizn'; did you mean 'horizon'?"),
        ("local.horizon: far", ": local.horizon: input should be a valid number"),
        ("radio.rnge: 1", ": radio.rnge: unknown parameter of 'circle': 'rnge'; did you mean 'range'?"),
        ("robot: pionier-3dx", ": robot: unknown robot 'pionier-3dx'; did you mean 'pioneer-3dx'?"),
        ("robot: 3", ": robot: expected the name of a robot model, found 3"),
        ("merge: gredy", ": merge: unknown merge 'gredy'; did you mean 'greedy'?"),
        ("planner: astar", ": planner: unknown planner 'astar'; did you mean 'a-star'?"),
        ("localiser: perfct", ": localiser: unknown localiser 'perfct'; did you mean 'perfect'?"),
        ("radio: cirle", ": radio: unknown radio 'cirle'; did you mean 'circle'?"),
        ("network.link.radio: circel", ": network.link.radio: unknown radio 'circel'; did you mean 'circle'?"),
        ("network.link.radio: circle:rnge=3", ": unknown field 'rnge'; did you mean 'range'? allowed: range"),
        ("network.channels.wifi.radio: circel", ": network.channels.wifi.radio: unknown radio 'circel'; did you mean"),
        ("network.channels: [{wifi: {radio: circel}}]", ": network.channels.wifi.radio: unknown radio 'circel'; did"),
        ("network.channels.wify.loss: 0.1", ": network.channels: unknown channel 'wify'; did you mean 'wifi'? allowed"),
        ("network.channels: [{far: {loss: 0.1}}]", ": network.channels: unknown channel 'far'; allowed: wifi"),
        ("base: [{x: 4, y: 4, radios: [{name: wify}]}]", ": base: radios: unknown radio 'wify'; did you mean 'wifi'?"),
        ("base: [{radios: [{name: a}, {name: a}]}]", ": base: radios: two radios are named 'a'; each needs a name"),
        ("robot.radios: [[{name: a}, {name: a}]]", ": robot.radios: two radios are named 'a'; each needs a name"),
        ("placement: lines", ": placement: unknown placement 'lines'; did you mean 'line'?"),
        ("connected: 3", ": connected: expected true or false, found 3"),
        ("exchange_rate: []", ": exchange_rate: the list of values is empty"),
        ("exchange_rate: [1, 2, 1]", ": exchange_rate: the value 1 is given twice"),
        ("exchange_rate: {from: 3, to: 1}", ": exchange_rate: the range is upside down: from 3 is above to 1"),
        ("exchange_rate: {form: 1, to: 3}", ": exchange_rate: unknown field 'form'; did you mean 'from'?"),
        ("exchange_rate: {from: 1}", ": exchange_rate: missing: to"),
        ("exchange_rate: {from: 1, to: b}", ": exchange_rate: to: expected a number, found 'b'"),
        ("exchange_rate: {from: 1, to: 3, by: 0}", ": exchange_rate: by: expected a step above 0, found 0"),
        (
            "exchange_rate: {from: 0.5, to: 2}",
            ": exchange_rate: a range between numbers that are not whole",
        ),
        ("exchange_rate: {from: 1, to: 9999999}", ": exchange_rate: a range of 9,999,999 values; at most 1,000,000"),
        ("exchange_rate: {value: [1]}", ": exchange_rate: unknown field 'value'; did you mean 'values'?"),
        ("exchange_rate: {values: 1}", ": exchange_rate: expected a list of values, found 1"),
        ("exchange_rate: 2020-01-01", ": exchange_rate: expected a number, text, true, false or null"),
        ("exchange_rate: .inf", ": exchange_rate: expected a finite number, found inf"),
    ],
)
def test_a_wrong_parameter_is_named_with_its_line(tmp_path: Path, line: str, told: str) -> None:
    assert with_parameter(tmp_path, line).startswith(f", line 5{told}")


def test_a_radio_with_a_misspelt_argument_is_refused_before_anything_runs(tmp_path: Path) -> None:
    write(tmp_path, "def mine(distanc):\n    return 1.0\n", "radio.py")
    told = f", line 5: radio: radio {tmp_path}/radio.py:mine: unknown argument 'distanc'; did you mean 'distance'?"
    assert with_parameter(tmp_path, "radio: radio.py:mine").startswith(told)


def test_channels_are_those_of_the_robots_and_of_the_base(tmp_path: Path) -> None:
    base = "base: [{x: 4, y: 4, radios: [{name: wifi}, {name: far}]}]\n  network.channels.far.loss: 0.1\n"
    load_design(write(tmp_path, f"{HEAD}  {base}"))
    assert "unknown channel 'fur'; did you mean 'far'?" in with_parameter(tmp_path, base.replace("s.far", "s.fur"))


def test_a_file_with_the_radio_of_a_channel_is_looked_for_beside_the_design_and_counts(tmp_path: Path) -> None:
    design = write(tmp_path, f"{HEAD}  network.channels.wifi.radio: radio.py:mine:reach=3\n")
    keys = []
    for answer in ("distance < reach", "distance <= reach"):
        file = write(tmp_path, f"def mine(distance, *, reach: float):\n    return {answer}\n", "radio.py")
        one = load_design(design).missions()[0]
        assert build_mission(one.parameters).settings.network.channels["wifi"].radio == f"{file}:mine:reach=3.0"
        keys.append(one.key)
    assert keys[0] != keys[1]


def test_the_parameter_of_a_generator_that_is_misspelt_is_answered_with_the_nearest(tmp_path: Path) -> None:
    text = "parameters:\n  robots: 2\n  strategy: cost-utility\n  terrain: cave\n  terrain.sise: 50\n"
    assert complaint(tmp_path, text).startswith(
        ", line 5: terrain.sise: unknown parameter of 'cave': 'sise'; did you mean 'size'?"
    )
    text = "parameters:\n  robots: 2\n  strategy: cost-utility\n  terrain: cave\n  strategy.wieght: 50\n"
    assert complaint(tmp_path, text).startswith(
        ", line 5: strategy.wieght: unknown parameter of 'cost-utility': 'wieght'; did you mean 'weight'?"
    )


def test_of_several_values_the_wrong_one_is_named_with_its_own_line(tmp_path: Path) -> None:
    text = "parameters:\n  robots: 2\n  strategy: market\n  terrain:\n    - maze\n    - cross\n    - zigzga\n"
    assert complaint(tmp_path, text).startswith(", line 7: terrain: unknown terrain 'zigzga'; did you mean 'zigzag'?")


def test_of_several_robot_fields_the_wrong_one_is_blamed(tmp_path: Path) -> None:
    lines = "robot.body.shape: disc\n  robot.body.radius: 0.3\n  robot.lidar.range: far\n  robot.bumper: true"
    assert with_parameter(tmp_path, lines).startswith(", line 7: robot.lidar.range: input should be a valid number")
    lines = "robot.bumper: true\n  robot.body.radius: 0.3"
    assert with_parameter(tmp_path, lines).startswith(", line 6: robot.body.radius: unknown field 'radius'")


def test_a_point_written_as_two_values_is_answered_with_how_to_write_it(tmp_path: Path) -> None:
    assert "write placement.start: [[-38, 38]]" in with_parameter(tmp_path, "placement.start: [-38, 38]")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("base: {y: 4, x: 5}", "write base: [{y: 4, x: 5}])"),
        ("network.link: {loss: 0.1}", "write network.link: [{loss: 0.1}])"),
        ("network.channels: {wifi: {loss: 0.1}}", "write network.channels: [{wifi: {loss: 0.1}}])"),
        (f"network.link: {{radio: {'x' * 200}}}", "write network.link: [{...}])"),
    ],
)
def test_a_mapping_written_as_a_range_is_answered_with_how_to_write_it(tmp_path: Path, line: str, told: str) -> None:
    sentence = with_parameter(tmp_path, line)
    assert sentence.startswith(f", line 5: {line.partition(':')[0]}: unknown field")
    assert sentence.endswith(f" (a mapping is several values; for one value that is a mapping, {told}")


def test_a_misspelt_field_of_a_range_is_not_taken_for_a_value(tmp_path: Path) -> None:
    assert with_parameter(tmp_path, "exchange_rate: {value: [1]}").endswith("allowed: by, from, to, values")


def test_a_parameter_both_in_the_name_and_apart_is_refused(tmp_path: Path) -> None:
    text = "parameters:\n  robots: 2\n  strategy: cost-utility:weight=1\n  terrain: maze\n  strategy.weight: 2\n"
    assert ", line 5: strategy.weight: 'cost-utility' has it in its name already" in complaint(tmp_path, text)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ": expected the fields of a design"),
        ("- maze\n", ": expected the fields of a design"),
        ("name: x\n", ": missing: parameters"),
        ("paramters:\n  terrain: maze\n", ", line 1: unknown field 'paramters'; did you mean 'parameters'?"),
        ("parameters: {}\n", ", line 1: parameters: none are given"),
        ("parameters: {terrain: maze, robots: 1}\n", ", line 1: parameters: missing: strategy"),
        ("parameters: {robots: 1, strategy: market}\n", ", line 1: parameters: missing: terrain"),
        ("parameters: {terrain: maze, strategy: market}\n", ": robots: missing: say how many"),
        (
            "parameters:\n  terrain: maze\n  strategy: market\n  robots: 0\n",
            ", line 4: robots: expected a whole number from 1 to 10,000, found 0",
        ),
        (
            "parameters:\n  terrain: maze\n  strategy: market\n  robots: {from: 1, to: 10000}\n"
            "  exchange_rate: {from: 1, to: 1000}\n",
            ", line 1: 10,000,000 combinations",
        ),
    ],
)
def test_what_is_missing_or_too_much_is_said(tmp_path: Path, text: str, told: str) -> None:
    assert complaint(tmp_path, text).startswith(told)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("al", "expected all, a list of mappings, my_file.py:my_vectors or {latin_hypercube: 50}, found 'al'"),
        ("3", "expected all, a list"),
        ("[]", "the list is empty"),
        ("[3]", "expected a mapping from parameters to values, found 3"),
        ("[{exchange_rate: 3}]", "a value is missing for robots"),
        ("[{robots: 1, exchange_rte: 3}]", None),
        ("[{robots: 1, strategy.weight: 3}]", None),
        ("{latin_hypercub: 3}", "unknown field 'latin_hypercub'; did you mean 'latin_hypercube'?"),
        ("{latin_hypercube: 0}", "latin_hypercube: expected 1 to 1,000,000 samples, found 0"),
        ("my_file.py:goood", "did you mean 'good'?"),
        ("my_file.py", "say which function of this file"),
        ("your_file.py:good", "no such file"),
        ("my_file.py:raises", "my_file.py:raises raised KeyError"),
        ("my_file.py:stops_halfway", "my_file.py:stops_halfway raised ValueError: 'no more'"),
        ("my_file.py:number", "my_file.py:number: must return an iterable of mappings, found 3"),
        ("my_file.py:texts", "my_file.py:texts, vector 0: expected a mapping from parameters to values, found 'maze'"),
        ("my_file.py:nothing", "my_file.py:nothing: returned no vector"),
    ],
)
def test_wrong_vectors_are_refused(tmp_path: Path, written: str, told: str | None) -> None:
    sentence = after_head(tmp_path, f"vectors: {written}\n")
    assert sentence.startswith(", line 5: ")
    if told is None:
        assert "unknown parameter" in sentence
    else:
        assert told in sentence


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("3", "expected a list"),
        ("[3]", "expected parameters with the values to leave out"),
        ("[{}]", "expected parameters with the values to leave out"),
        ("[{robts: 2}]", "unknown parameter 'robts'; did you mean 'robots'?"),
        ("[{terrain: mase}]", "terrain: no vector has the value 'mase'; did you mean 'maze'?"),
        ("[{robots: [1, 7]}]", "robots: no vector has the value 7; its values: 1, 2, 3"),
        ("[{robots: {form: 1, to: 2}}]", "robots: unknown field 'form'; did you mean 'from'?"),
        ("[{robots: {from: 3, to: 2}}]", "robots: the range is upside down"),
        ("[{robots: {from: 1, to: 3}}]", "exclude: leaves no vector of 3"),
        ("[{terrain: maze}]", "exclude: leaves no vector of 3"),
        ("[my_file.py:unsure]", "my_file.py:unsure: must return True or False, found 'perhaps'"),
        ("[my_file.py:raises]", "my_file.py:raises raised KeyError"),
    ],
)
def test_wrong_exclusions_are_refused(tmp_path: Path, written: str, told: str) -> None:
    sentence = after_head(tmp_path, f"exclude: {written}\n")
    assert sentence.startswith(", line 5: ")
    assert told in sentence


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stop: 3", "stop: input should be a valid dictionary"),
        ("stop: {explord: 0.9}", "stop: unknown stop condition 'explord'; did you mean 'explored'?"),
        ("stop: {explored: 2}", "stop: explored: share: input should be less than or equal to 1, found 2"),
        ("stop: {explored: {of: base}}", "stop: explored: of: base: the mission has no base station; give it one"),
        ("stop: {explored: {shre: 1}}", "stop: explored: unknown field 'shre'; did you mean 'share'?"),
        ("measurements: {serie: {every: 1}}", "measurements: unknown measurement 'serie'; did you mean 'series'?"),
        ("measurements: {contacts: {every: 1}}", "measurements: contacts: kept at the end, as contacts: {when: end}"),
        ("measurements: {series: {evry: 1}}", "measurements: series: unknown field 'evry'; did you mean 'every'?"),
        ("metrics: [tim_s]", "metrics: unknown metric 'tim_s'; did you mean 'time_s'?"),
        ("metrics: [time_s, time_s]", "metrics: time_s is named twice"),
        (
            "metrics: ['sent_mb:channel=wify']",
            "metrics: sent_mb:channel=wify: unknown channel 'wify'; did you mean 'wifi'? allowed: wifi",
        ),
        ("metrics: ['received_mb:channel=lora']", "metrics: received_mb:channel=lora: unknown channel 'lora'; allowed"),
        ("metrics: time_s", "metrics: input should be a valid list"),
    ],
)
def test_wrong_stops_measurements_and_metrics_are_refused(tmp_path: Path, line: str, told: str) -> None:
    assert after_head(tmp_path, line + "\n").startswith(f", line 5: {told}")


def test_a_metric_over_a_channel_that_some_missions_have_is_right(tmp_path: Path) -> None:
    base = "  base: [none, {radios: [{name: wifi}, {name: lora}]}]\n"
    design = load_design(write(tmp_path, f"{HEAD}{base}metrics: ['sent_mb:channel=lora']\n"))
    assert design.metrics == ("sent_mb:channel=lora",)


def test_the_line_of_a_stop_condition_is_its_own(tmp_path: Path) -> None:
    sentence = after_head(tmp_path, "stop:\n  time: 500\n  explored:\n    share: 3\n")
    assert sentence.startswith(", line 7: stop: explored: share")


def test_the_line_of_a_second_of_its_kind_is_its_own(tmp_path: Path) -> None:
    sentence = after_head(tmp_path, "stop:\n  explored: 0.5\n  time: 500\n  explored:share=0.6: true\n")
    assert sentence == ", line 8: stop: explored: is given twice"
    write(tmp_path, FUNCTIONS, "your_file.py")
    lines = [f"  {name}: {{every: 2}}\n" for name in ("my_file.py:good", "resources", "your_file.py:good")]
    sentence = after_head(tmp_path, "".join(["measurements:\n", *lines]))
    assert sentence.startswith(
        f", line 8: measurements: {tmp_path}/your_file.py:good: {tmp_path}/my_file.py:good fills"
    )
    lines[2] = "  ./my_file.py:good: {every: 2}\n"
    sentence = after_head(tmp_path, "".join(["measurements:\n", *lines]))
    assert sentence == ", line 8: measurements: ./my_file.py:good: is given twice"


def test_a_misspelt_trigger_is_named_with_its_line_and_field(tmp_path: Path) -> None:
    sentence = after_head(tmp_path, "measurements:\n  series: {every: 2}\n  my_file.py:good: {when: colision}\n")
    told = f", line 7: measurements: {tmp_path}/my_file.py:good: when: unknown trigger 'colision'; did you mean 'coll"
    assert sentence.startswith(told)


def test_an_unknown_design_is_answered_with_the_nearest() -> None:
    with pytest.raises(ExpeditionError, match="unknown design 'yan2016'; did you mean 'yan2017'"):
        load_design("yan2016")
    with pytest.raises(ExpeditionError, match=r"nowhere\.yaml: no such file"):
        load_design("nowhere.yaml")
