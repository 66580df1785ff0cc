"""Records how all robots are: one message for the whole fleet, and what ROS has for the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from expedition.kernels import kernel
from expedition.log.cdr import encode, heading_to_quaternion
from expedition.log.form import Form, put
from expedition.log.moment import WORLD, Moment
from expedition.measure.states import states_of

if TYPE_CHECKING:
    from expedition.controller import Controller
    from expedition.fleet import RobotModel
    from expedition.log.file import Lane

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

FAILURES = ("robot", "sensors", "radio", "drive", "battery")
_COVARIANCE = (0, 1, 5, 6, 7, 11, 30, 31, 35)
"""Where x, y and heading stand in ROS's covariance of six numbers."""


class FleetRecorder:
    """The message `expedition_msgs/Fleet`."""

    def __init__(self, channel: int, moment: Moment) -> None:
        controller = moment.controller
        kinds = fleet_arrays(controller.robots, controller.nodes, len(controller.world.truth.people))
        self._form = Form()
        empty = {name: np.zeros(length) for name, (_, length) in kinds.items()}
        self._form.add(channel, "expedition_msgs/Fleet", {"header": {"frame_id": WORLD}, **empty})
        self._form.finish()
        places = self._form.places()
        self._slots = np.array([places.get(name, 0) for name in ("seen_by_any", *kinds)], dtype=np.int64)
        self._capacity = controller.energy.capacity
        self._has_batteries = np.isfinite(self._capacity)

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record how robots are now."""
        controller, sample = moment.controller, moment.sample
        truth, covariance = controller.world.truth, moment.covariance()
        data = self._form.begin(moment.nanoseconds)
        batteries = np.full(controller.robots, np.nan)
        if self._has_batteries.any():
            batteries[self._has_batteries] = (controller.energy.left / self._capacity)[self._has_batteries]
        fill(
            data, self._slots, np.array([sample.union, sample.at_base, sample.connected]), truth.poses,
            moment.believed(), covariance, moment.goals(), sample.explored, moment.monitor.travelled, batteries,
            truth.people, sample.sent, sample.received, states_of(controller), failures_of(controller),
            controller.network.links,
        )  # fmt: skip
        self._form.hand_in(data, lane, moment.nanoseconds)


@kernel
def fill(
    data: NDArray[np.uint8],
    slots: Integers,
    shares: Floats,
    poses: Floats,
    believed: Floats,
    covariance: Floats,
    goals: Floats,
    explored: Floats,
    travelled: Floats,
    batteries: Floats,
    people: Floats,
    sent: Integers,
    received: Integers,
    states: NDArray[np.uint8],
    failed: NDArray[np.uint8],
    links: NDArray[np.bool_],
) -> None:
    """Put everything at its slot: the shares, and then arrays in the order of `fleet_arrays`.

    All in one kernel, since calls would take longer than the work.
    """
    robots = len(poses)
    small, large = np.empty(1, np.float32), np.empty(1, np.int64)
    for k in range(3):
        small[0] = shares[k]
        _put(data, slots[0] + 4 * k, small.view(np.uint8))
    for robot in range(robots):
        for k in range(3):
            small[0] = poses[robot, k]
            _put(data, slots[1] + 12 * robot + 4 * k, small.view(np.uint8))
            small[0] = believed[robot, k]
            _put(data, slots[2] + 12 * robot + 4 * k, small.view(np.uint8))
            small[0] = covariance[robot, k // 2, (k + 1) // 2]
            _put(data, slots[3] + 12 * robot + 4 * k, small.view(np.uint8))
        for k in range(2):
            small[0] = goals[robot, k]
            _put(data, slots[4] + 8 * robot + 4 * k, small.view(np.uint8))
        small[0] = explored[robot]
        _put(data, slots[5] + 4 * robot, small.view(np.uint8))
        small[0] = travelled[robot]
        _put(data, slots[6] + 4 * robot, small.view(np.uint8))
        small[0] = batteries[robot]
        _put(data, slots[7] + 4 * robot, small.view(np.uint8))
        large[0] = sent[robot]
        _put(data, slots[8] + 8 * robot, large.view(np.uint8))
        large[0] = received[robot]
        _put(data, slots[9] + 8 * robot, large.view(np.uint8))
        data[slots[11] + robot] = states[robot]
        data[slots[12] + robot] = failed[robot]
    for person in range(len(people)):
        for k in range(2):
            small[0] = people[person, k]
            _put(data, slots[10] + 8 * person + 4 * k, small.view(np.uint8))
    nodes = len(links)
    for k in range(nodes * nodes):
        if links[k // nodes, k % nodes]:
            data[slots[13] + k // 8] |= 128 >> (k % 8)


@kernel
def _put(data: NDArray[np.uint8], at: int, number: NDArray[np.uint8]) -> None:
    for k in range(len(number)):
        data[at + k] = number[k]


def fleet_arrays(robots: int, nodes: int, people: int) -> dict[str, tuple[str, int]]:
    """The arrays of a message `Fleet` in their order: what each is of, and how long it is."""
    return {
        "poses": ("<f4", 3 * robots), "believed": ("<f4", 3 * robots), "covariance": ("<f4", 3 * robots),
        "goals": ("<f4", 2 * robots), "explored": ("<f4", robots), "travelled": ("<f4", robots),
        "batteries": ("<f4", robots), "sent": ("<u8", robots), "received": ("<u8", robots),
        "people": ("<f4", 2 * people), "states": ("u1", robots), "failed": ("u1", robots),
        "links": ("u1", math.ceil(nodes * nodes / 8)),
    }  # fmt: skip


def failures_of(controller: Controller) -> NDArray[np.uint8]:
    """(robots,): bits in the order of `FAILURES`."""
    faults = controller.faults
    broken = np.zeros(controller.robots, dtype=np.uint8)
    if not (faults.is_possible or faults.flat.any()):
        return broken
    if faults.is_possible:
        for bit, (failed, by_robot) in enumerate(
            [(faults.down, None), (faults.blind, faults.down), (faults.mute, faults.down), (faults.stuck, faults.down)]
        ):
            only = failed & ~faults.flat if by_robot is None else failed & ~by_robot
            broken |= only.astype(np.uint8) << np.uint8(bit)
    return broken | (faults.flat.astype(np.uint8) << np.uint8(4))


class TransformRecorder:
    """`/tf`: where each robot is, and where it believes to be."""

    def __init__(self, channel: int, names: tuple[str, ...]) -> None:
        self._form = Form()
        frames = [f"{name}/{frame}" for frame in ("base_link", "truth") for name in names]
        transforms = [{"header": {"frame_id": WORLD}, "child_frame_id": frame} for frame in frames]
        self._form.add(channel, "tf2_msgs/TFMessage", {"transforms": transforms})
        self._form.finish()
        at = [f"transforms.{k}.transform" for k in range(len(frames))]
        self._places = self._form.slots(f"{one}.translation.x" for one in at)
        self._turns = self._form.slots(f"{one}.rotation.z" for one in at)

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record where robots are now."""
        poses = np.concatenate([moment.believed(), moment.controller.world.truth.poses])
        data = self._form.begin(moment.nanoseconds)
        put(data, self._places, poses[:, :2])
        put(data, self._turns, turns_of(poses[:, 2]))
        self._form.hand_in(data, lane, moment.nanoseconds)


class OdometryRecorder:
    """`/robot_i/odometry`: where each robot believes to be and how sure it is, and how it drives."""

    def __init__(self, channels: list[int], names: tuple[str, ...]) -> None:
        self._form = Form()
        for channel, name in zip(channels, names, strict=True):
            values = {"header": {"frame_id": WORLD}, "child_frame_id": f"{name}/base_link"}
            self._form.add(channel, "nav_msgs/Odometry", values)
        self._form.finish()
        self._places = self._form.slots(["pose.pose.position.x"])
        self._turns = self._form.slots(["pose.pose.orientation.z"])
        first = self._form.slots(["pose.covariance"])
        self._covariance = (first[:, None] + 8 * np.array(_COVARIANCE)).ravel()
        self._speeds = self._form.slots(["twist.twist.linear.x"])
        self._turning = self._form.slots(["twist.twist.angular.z"])

    def take(self, moment: Moment, lane: Lane) -> None:
        """Record what robots believe now."""
        poses, commands = moment.believed(), moment.controller.follower.commands
        data = self._form.begin(moment.nanoseconds)
        put(data, self._places, poses[:, :2])
        put(data, self._turns, turns_of(poses[:, 2]))
        put(data, self._covariance, moment.covariance().reshape(-1, 1))
        put(data, self._speeds, commands[:, :2])
        put(data, self._turning, commands[:, 2:])
        self._form.hand_in(data, lane, moment.nanoseconds)


def turns_of(headings: NDArray[np.float64]) -> NDArray[np.float64]:
    """(n, 2): the last two numbers of the quaternions of turns around the upright axis; the others are 0."""
    turns = np.empty((len(headings), 2))
    half = 0.5 * headings
    np.sin(half, out=turns[:, 0])
    np.cos(half, out=turns[:, 1])
    return turns


def static_transforms(names: tuple[str, ...], models: tuple[RobotModel, ...]) -> bytes:
    """`/tf_static`: where the lidars are on their robots."""
    transforms = [
        {
            "header": {"frame_id": f"{name}/base_link"},
            "child_frame_id": f"{name}/laser",
            "transform": {
                "translation": {"x": lidar.x, "y": lidar.y, "z": lidar.height},
                "rotation": heading_to_quaternion(lidar.heading),
            },
        }
        for name, model in zip(names, models, strict=True)
        if (lidar := model.lidar) is not None
    ]
    return encode("tf2_msgs/TFMessage", {"transforms": transforms})
