"""What users write is read, or refused in one sentence that helps."""

from __future__ import annotations

from pathlib import Path

import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import RobotModel
from expedition.spec import Spec, load_yaml, parse_spec, validate


class Inner(Spec):
    speed: float


class Outer(Spec):
    name: str
    inner: Inner
    parts: tuple[Inner, ...] = ()


def test_a_spec_is_a_name_and_parameters() -> None:
    assert parse_spec("cave") == ("cave", {})
    assert parse_spec("cave:seed=7,size=[75, 50],smooth-edges=true") == (
        "cave",
        {"seed": 7, "size": [75, 50], "smooth_edges": True},
    )


@pytest.mark.parametrize("text", ["cave:seed", "cave:=7", "cave:seed=[", "cave:seed=7,,", "cave:seed=&a [*a]"])
def test_a_broken_spec_is_refused_in_one_sentence(text: str) -> None:
    with pytest.raises(ExpeditionError) as refused:
        parse_spec(text)
    assert "\n" not in str(refused.value)


def test_a_wrong_field_names_itself_its_line_and_the_nearest_right_one(tmp_path: Path) -> None:
    path = tmp_path / "robot.yaml"
    path.write_text("name: a\ninner:\n  speed: 1\nparts:\n  - speed: 1\n  - sped: 2\n")
    data, lines = load_yaml(path)
    with pytest.raises(ExpeditionError) as refused:
        validate(Outer, data, str(path), lines)
    sentence = str(refused.value)
    assert "line 6" in sentence
    assert "'sped'" in sentence
    assert "did you mean 'speed'?" in sentence


def test_a_wrong_value_is_shown_with_its_place() -> None:
    with pytest.raises(ExpeditionError, match=r"^here: inner\.speed: .*found 'fast'$"):
        validate(Outer, {"name": "a", "inner": {"speed": "fast"}}, "here")
    with pytest.raises(ExpeditionError, match=r"^here: inner\.speed: .*finite"):
        validate(Outer, {"name": "a", "inner": {"speed": float("nan")}}, "here")
    with pytest.raises(ExpeditionError, match=r"^here: missing: name, inner$"):
        validate(Outer, {}, "here")


def test_a_kind_does_not_show_in_the_place_of_an_error() -> None:
    body = {"shape": "disc", "radius": 0.2, "height": 0.5, "mass": 5}
    drive = {"kind": "differential", "max_speed": 1, "max_turn_rate": 1}
    with pytest.raises(ExpeditionError, match=r"^r: missing: drive\.max_acceleration, drive\.max_turn_acceleration$"):
        validate(RobotModel, {"name": "r", "body": body, "drive": drive}, "r")
    with pytest.raises(ExpeditionError, match=r"^r: body: missing: shape"):
        validate(RobotModel, {"name": "r", "body": {"radius": 1}, "drive": drive}, "r")
    with pytest.raises(ExpeditionError, match=r"^r: body: unknown shape 'disk'; did you mean 'disc'"):
        validate(RobotModel, {"name": "r", "body": {**body, "shape": "disk"}, "drive": drive}, "r")
    with pytest.raises(ExpeditionError, match=r"^r: body\.radius: .* found -1"):
        validate(RobotModel, {"name": "r", "body": {**body, "radius": -1}, "drive": drive}, "r")


@pytest.mark.parametrize(
    "content",
    [b"a: [", b"\xff\xfe", b"a: *b", b"{" * 5000, b"&a [*a]", b"? [1, 2]\n: 3", b"a: !!python/object:os.system x"],
)
def test_bad_yaml_is_refused_in_one_sentence_with_the_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "bad.yaml"
    path.write_bytes(content)
    with pytest.raises(ExpeditionError) as refused:
        load_yaml(path)
    assert str(path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_yaml_that_unfolds_to_millions_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "laughs.yaml"
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{k}: &a{k} [{', '.join([f'*a{k - 1}'] * 10)}]" for k in range(1, 9)]
    path.write_text("\n".join(lines))
    with pytest.raises(ExpeditionError, match="more than"):
        load_yaml(path)
