"""Robot models by name, file and one-line spec."""

from __future__ import annotations

import math

import pytest

from expedition.errors import ExpeditionError
from expedition.fleet import names, robot_model


def write(path, text):
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("name", names())
def test_every_preset_loads_under_its_name_and_tells_its_source(name):
    model = robot_model(name)
    assert model.name == name
    assert len(model.source) > 40
    assert model.lidar is not None


def test_pioneer_is_as_in_the_papers():
    model = robot_model("pioneer-3dx")
    assert (model.body.length, model.body.width, model.body.mass) == (0.45, 0.38, 9.0)
    assert (model.drive.max_speed, model.drive.max_turn_rate) == (1.2, 5.24)
    assert (model.lidar.beams, model.lidar.range, model.lidar.rate) == (180, 26.0, 25.0)
    assert model.lidar.field_of_view == math.radians(190)
    assert (model.odometry.rate, model.odometry.noise.sigma_position, model.odometry.noise.sigma_heading) == (
        10.0,
        0.022,
        0.02,
    )
    assert model.radios[0].range == 200.0
    assert (model.computer.cpus, model.computer.ram_gb) == (2, 2.0)


def test_variant_of_2015_differs_in_the_laser_only():
    old, new = robot_model("pioneer-3dx-2015"), robot_model("pioneer-3dx")
    assert (old.lidar.range, old.lidar.field_of_view) == (30.0, math.pi)
    changes = {"lidar": new.lidar, "name": new.name, "source": new.source}
    assert old.model_copy(update=changes) == new


def test_fields_are_set_by_dotted_names():
    model = robot_model("pioneer-3dx:lidar.range=10,drive.max-speed=0.5,radios.wifi.range=7,lidar.field-of-view=90 deg")
    assert (model.lidar.range, model.drive.max_speed, model.drive.max_reverse_speed) == (10.0, 0.5, 0.5)
    assert (model.radios[0].range, model.lidar.field_of_view) == (7.0, math.pi / 2)
    assert model.lidar.beams == 180


def test_sensor_is_taken_away_with_null():
    assert robot_model("pioneer-3dx:lidar=null").lidar is None


def test_body_of_another_shape_keeps_what_all_bodies_have():
    body = robot_model("pioneer-3dx:body.shape=disc,body.radius=0.25").body
    assert (body.circumradius, body.mass) == (0.25, 9.0)


def test_file_may_extend_a_preset_or_a_file_beside_it(tmp_path):
    write(tmp_path / "base.yaml", "extends: pioneer-3dx\nlidar: {range: 12}\n")
    path = write(tmp_path / "mine.yaml", "extends: base.yaml\nname: mine\ndrive: {max_speed: 0.4}\n")
    model = robot_model(path)
    assert (model.name, model.lidar.range, model.lidar.beams, model.drive.max_speed) == ("mine", 12.0, 180, 0.4)
    assert robot_model(str(tmp_path / "base.yaml")).name == "base"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("extends: pioner-3dx\n", "line 1: unknown robot 'pioner-3dx'; did you mean 'pioneer-3dx'"),
        ("extends: [a]\n", "line 1: extends must be the name"),
        ("extends: gone.yaml\n", "gone.yaml: no such file"),
        ("name: x\nextends: self.yaml\n", "line 2: extends 'self.yaml', which in turn extends this file"),
        ("extends: pioneer-3dx\nlidar:\n  rnge: 3\n", "line 3: unknown field 'rnge'; did you mean 'range'"),
        ("extends: pioneer-3dx\nlidar:\n  range: far\n", "line 3: lidar.range: input should be a valid number"),
        ("extends: pioneer-3dx\nbody: {shape: blob}\n", "body: unknown shape 'blob'; allowed: disc, rectangle"),
        ("extends: pioneer-3dx\nradios: {lora: {range: 3}}\n", "unknown name 'lora'"),
        ("- 1\n", "expected the fields of a robot model"),
        ("", "expected the fields of a robot model"),
        ("1: 2\n", "expected the fields of a robot model"),
        ("a: [\n", "not valid YAML"),
        ("name: bare\n", "missing: body"),
    ],
)
def test_bad_file_is_refused_with_its_place(tmp_path, text, message):
    path = write(tmp_path / "self.yaml", text)
    with pytest.raises(ExpeditionError) as refusal:
        robot_model(path)
    assert message in str(refusal.value)
    assert str(tmp_path) in str(refusal.value)


def test_files_that_extend_each_other_are_refused(tmp_path):
    write(tmp_path / "a.yaml", "extends: b.yaml\n")
    write(tmp_path / "b.yaml", "extends: a.yaml\n")
    with pytest.raises(ExpeditionError, match="in turn extends this file"):
        robot_model(str(tmp_path / "a.yaml"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pioneer", "did you mean 'pioneer-3dx'"),
        ("pioneer-3dx:lidar.rnge=3", "unknown field 'rnge'; did you mean 'range'"),
        ("pioneer-3dx:lidar.range=-3", "lidar.range: input should be greater than 0, found -3"),
        ("pioneer-3dx:bumper.x=3", "bumper: input should be a valid boolean"),
        ("pioneer-3dx:radios.wif.range=3", "unknown name 'wif'; did you mean 'wifi'"),
        ("pioneer-3dx:a.a.a.a.a.a.a.a.a.a.a=3", "no field lies as deep"),
        ("pioneer-3dx:lidar", "expected key=value"),
        (7, "expected the name of a robot model"),
    ],
)
def test_bad_name_or_field_is_refused_with_the_nearest_one(text, message):
    with pytest.raises(ExpeditionError) as refusal:
        robot_model(text)
    assert message in str(refusal.value)


def test_robot_model_may_come_from_a_python_function_with_parameters(tmp_path):
    path = write(
        tmp_path / "mine.py",
        "from expedition.fleet import robot_model\n"
        "def big(*, factor: float = 2.0):\n"
        "    base = robot_model('maes')\n"
        "    body = base.body.model_copy(update={'radius': factor * base.body.radius})\n"
        "    return base.model_copy(update={'body': body})\n"
        "def wrong():\n"
        "    return 3\n",
    )
    assert robot_model(f"{path}:big").body.radius == 0.6
    model = robot_model(f"{path}:big:factor=3,lidar.range=5")
    assert model.body.radius == pytest.approx(0.9)
    assert model.lidar.range == 5.0
    with pytest.raises(ExpeditionError, match="must return a RobotModel"):
        robot_model(f"{path}:wrong")
