"""Robot models: what is refused, what is derived."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from expedition.errors import ExpeditionError
from expedition.fleet import CarDrive, DifferentialDrive, DiscBody, Lidar, RectangleBody, RobotModel, robot_model


def lidar(**fields):
    return Lidar(**{"beams": 5, "field_of_view": math.pi, "range": 10.0, "rate": 10.0, **fields})


def test_beams_reach_from_edge_to_edge_of_the_field_of_view():
    np.testing.assert_allclose(lidar().angles, np.array([-2, -1, 0, 1, 2]) * math.pi / 4)


@given(st.integers(2, 2000))
def test_full_circle_has_evenly_spaced_beams_and_repeats_none(beams):
    angles = lidar(beams=beams, field_of_view="360 deg").angles
    assert len(angles) == beams
    gaps = np.diff(np.append(angles, angles[0] + math.tau))
    np.testing.assert_allclose(gaps, math.tau / beams)


def test_single_beam_looks_straight_ahead():
    assert lidar(beams=1).angles.tolist() == [0.0]


def test_angles_may_be_written_in_degrees():
    assert lidar(field_of_view="190 deg").field_of_view == math.radians(190)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("beams", 0),
        ("beams", 2.5),
        ("field_of_view", 7.0),
        ("field_of_view", "361 deg"),
        ("field_of_view", "many deg"),
        ("range", 0),
        ("range", math.inf),
        ("range", math.nan),
        ("min_range", 10.0),
        ("rate", -1),
        ("sigma_range", -0.1),
        ("dropout", 1.5),
        ("height", -1),
    ],
)
def test_lidar_refuses_nonsense(field, value):
    with pytest.raises(ValidationError):
        lidar(**{field: value})


def test_rectangle_lies_between_its_two_circles():
    body = RectangleBody(length=0.8, width=0.6, height=0.3, mass=5)
    assert (body.circumradius, body.inscribed_radius, body.footprint) == (0.5, 0.3, (0.4, 0.3))


def test_disc_is_its_own_circle():
    body = DiscBody(radius=0.3, height=0.3, mass=5, altitude=1.0)
    assert (body.circumradius, body.inscribed_radius, body.footprint, body.top) == (0.3, 0.3, (0.3, -1.0), 1.3)


LIMITS = {"max_speed": 1.0, "max_turn_rate": 1.0, "max_acceleration": 1.0, "max_turn_acceleration": 1.0}


def test_robot_reverses_as_fast_as_it_drives_unless_told_otherwise():
    assert DifferentialDrive(**LIMITS).max_reverse_speed == 1.0
    assert DifferentialDrive(**LIMITS, max_reverse_speed=0.0).max_reverse_speed == 0.0


def test_turn_radius_of_a_car_follows_from_wheelbase_and_steering():
    car = CarDrive(**LIMITS, wheelbase=2.0, max_steering_angle="45 deg")
    assert car.min_turn_radius == pytest.approx(2.0)
    assert DifferentialDrive(**LIMITS).min_turn_radius == 0.0


def test_models_are_frozen_and_hashable():
    model = robot_model("pioneer-3dx")
    assert hash(model) == hash(robot_model("pioneer-3dx"))
    with pytest.raises(ValidationError):
        model.bumper = False


def test_radios_need_names_of_their_own():
    with pytest.raises(ExpeditionError) as caught:
        robot_model("pioneer-3dx:radios=[{range: 5}, {name: far}, {range: 7}]")
    assert str(caught.value).endswith(": radios: two radios are named 'wifi'; each needs a name of its own")


def test_every_field_of_a_robot_model_survives_a_round_trip():
    model = robot_model("mrxt")
    assert RobotModel.model_validate(model.model_dump()) == model
    assert RobotModel.model_validate_json(model.model_dump_json()) == model
