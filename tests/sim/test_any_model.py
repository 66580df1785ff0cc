"""Whatever robot model is accepted can be simulated: no error, no NaN, never through a wall."""

from __future__ import annotations

import math

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet, RobotModel
from expedition.sim import FlatSimulator
from expedition.terrain import Door, Person, Rectangle
from tests.sim.robots import hall

LIVELY = hall(
    changes=(
        Person(waypoints=((8.0, 8.0),)),
        Door(area=Rectangle(left=4, bottom=4, right=4.5, top=5), mean_open=0.2, mean_closed=0.2),
    )
)

sigmas = st.sampled_from([0.0, 1e-6, 0.1, 10.0])
rates = st.sampled_from([0.01, 1.0, 7.3, 25.0, 60.0])


@st.composite
def models(draw: st.DrawFn) -> RobotModel:
    """Robots from one extreme to the other."""
    height = draw(st.sampled_from([0.01, 0.5, 3.0]))
    common = {"height": height, "mass": 1.0, "altitude": draw(st.sampled_from([0.0, 0.3, 1.99, 5.0]))}
    body = draw(
        st.one_of(
            st.builds(lambda r: {"shape": "disc", "radius": r}, st.sampled_from([0.001, 0.2, 0.9])),
            st.builds(
                lambda length, width: {"shape": "rectangle", "length": length, "width": width},
                st.sampled_from([0.001, 0.5, 1.2]),
                st.sampled_from([0.001, 0.5, 1.2]),
            ),
        )
    )
    drive = {
        "kind": draw(st.sampled_from(["differential", "holonomic", "car"])),
        "max_speed": draw(st.sampled_from([0.001, 1.0, 300.0])),
        "max_reverse_speed": draw(st.sampled_from([0.0, 1.0])),
        "max_turn_rate": draw(st.sampled_from([0.001, 2.0, 100.0])),
        "max_acceleration": draw(st.sampled_from([0.001, 1.0, 1000.0])),
        "max_turn_acceleration": draw(st.sampled_from([0.001, 1.0, 1000.0])),
    }
    if drive["kind"] == "car":
        drive |= {"wheelbase": draw(st.sampled_from([0.01, 0.5])), "max_steering_angle": draw(st.floats(0.01, 1.5))}
    lidar = {
        "beams": draw(st.sampled_from([1, 2, 3, 181])),
        "field_of_view": draw(st.sampled_from([0.01, 1.0, math.tau])),
        "range": draw(st.sampled_from([0.1, 5.0, 1000.0])),
        "rate": draw(rates),
        "sigma_range": draw(sigmas),
        "dropout": draw(st.sampled_from([0.0, 0.5, 1.0])),
        "height": draw(st.sampled_from([0.0, height])),
        "x": draw(st.sampled_from([0.0, -3.0, 3.0])),
        "heading": draw(st.floats(-3.0, 3.0)),
    }
    seeing = {"range": draw(st.sampled_from([0.1, 50.0])), "rate": draw(rates), "sigma_bearing": draw(sigmas)}
    alphas = {f"alpha{k}": draw(st.sampled_from([0.0, 0.04, 100.0])) for k in range(1, 5)}
    return RobotModel.model_validate(
        {
            "name": "any",
            "body": body | common,
            "drive": drive,
            "lidar": lidar,
            "odometry": {"rate": draw(rates), "noise": {"kind": "motion"} | alphas},
            "robot_detector": seeing,
            "landmark_camera": seeing,
        }
    )


@settings(max_examples=120, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(models(), min_size=1, max_size=4), st.integers(0, 2**32 - 1))
def test_any_model_that_is_accepted_can_be_simulated(robots: list[RobotModel], seed: int) -> None:
    try:
        fleet = Fleet.of(robots, None, LIVELY, placement="spread", seed=seed)
        simulator = FlatSimulator()
        observations = simulator.reset(LIVELY, fleet, seed)
    except ExpeditionError as refused:
        # Too large for the hall, or on the spot where the person stands.
        if any(reason in str(refused) for reason in ("too many", "no place", "would stand in")):
            return
        raise
    rng = np.random.default_rng(seed)
    for _ in range(5):
        for scans in observations.scans():
            seen = scans.ranges[~np.isnan(scans.ranges)]
            assert (seen >= 0).all()
            assert (seen[np.isfinite(seen)] <= scans.lidar.range * (1 + 1e-6)).all()
        assert np.isfinite(observations.odometry().increments).all()
        assert np.isfinite(observations.detections().ranges).all()
        assert np.isfinite(observations.sightings().bearings).all()
        observations = simulator.advance(rng.uniform(-400, 400, (len(fleet), 3)), 0.2)
        poses = simulator.truth().poses
        assert np.isfinite(poses).all()
        for (x, y, heading), model in zip(poses, fleet.models, strict=True):
            # Above the walls of 2 m, the ground ends where the grid does.
            room = model.body.inscribed_radius - (0.1 if model.body.altitude >= 2 else 0.0)
            assert room - 1e-6 <= x <= 10 - room + 1e-6
            assert room - 1e-6 <= y <= 10 - room + 1e-6
            assert abs(heading) <= math.pi + 1e-9
