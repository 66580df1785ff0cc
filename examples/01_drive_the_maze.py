"""Drive a small fleet through the maze by lidar alone, and draw where it went and what it saw.

    python examples/01_drive_the_maze.py --robots 8 --seconds 400 --out demo

Each robot heads for the widest opening ahead of it. There is no map and no plan: that is what strategies are for.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
from matplotlib.colors import to_rgba
from numpy.typing import NDArray
from PIL import Image, ImageDraw
from rich.console import Console
from rich.progress import track

from expedition.errors import ExpeditionError
from expedition.fleet import Fleet
from expedition.plotstyle import new_figure, robot_colour, save, tidy
from expedition.sim import FlatSimulator, Scans
from expedition.terrain import Terrain, find_terrain
from expedition.terrain.picture import draw

PERIOD = 0.1
NEAR, FAR = 0.9, 10.0  # metres: turn on the spot before a wall this near; openings beyond FAR are all alike
HALF_WIDTH = 0.45  # metres to keep free on both sides of the way


def steer(scans: Scans, side: NDArray[np.float64]) -> NDArray[np.float64]:
    """Velocity commands for robots that head for the widest opening, those with side 1 rather left, -1 right."""
    angles = scans.lidar.angles
    ranges = np.minimum(np.nan_to_num(scans.ranges, nan=0.0, posinf=FAR), FAR)
    # How far a robot could go in each direction before something comes within half its width of the way.
    directions = np.linspace(-1.6, 1.6, 33)
    off = angles - directions[:, None]
    ahead, aside = np.cos(off) * ranges[:, None], np.abs(np.sin(off)) * ranges[:, None]
    way = np.where((aside < HALF_WIDTH) & (ahead > 0), ahead, FAR).min(axis=2)
    liking = way - 1.0 * np.abs(directions) + 0.4 * side[:, None] * directions
    goal = directions[liking.argmax(axis=1)]
    straight = way[:, len(directions) // 2]
    forward = np.where(straight < NEAR, 0.0, np.minimum(1.2, 0.6 * straight) * np.maximum(np.cos(goal), 0.0))
    turn = np.where(straight < NEAR, 1.5 * side, np.clip(2.0 * goal, -1.5, 1.5))
    return np.column_stack([forward, np.zeros_like(forward), turn])


def mark_seen(seen: NDArray[np.int16], terrain: Terrain, scans: Scans, poses: NDArray[np.float64]) -> None:
    """Mark the cells inside each scan as seen by its robot, unless another saw them before."""
    for robot, ranges in zip(scans.robots, scans.ranges, strict=True):
        x, y, heading = poses[robot]
        reach = np.where(np.isfinite(ranges), ranges, scans.lidar.range)
        angle = heading + scans.lidar.angles
        columns = (np.append(x + reach * np.cos(angle), x) - terrain.origin[0]) / terrain.resolution
        rows = (np.append(y + reach * np.sin(angle), y) - terrain.origin[1]) / terrain.resolution
        scanned = Image.new("1", seen.shape[::-1])
        ImageDraw.Draw(scanned).polygon(list(zip(columns.tolist(), rows.tolist(), strict=True)), fill=1)
        seen[np.asarray(scanned) & (seen < 0)] = robot


def picture(path: Path, terrain: Terrain, seen: NDArray[np.int16], ways: NDArray[np.float64], title: str) -> None:
    """The terrain, the way of each robot, and in its colour what it saw first."""
    figure = new_figure(16, 16)
    axes = figure.add_subplot()
    draw(terrain, axes)
    colours = [robot_colour(robot) for robot in range(ways.shape[1])]
    shades = np.array([to_rgba(colour, 0.22) for colour in colours] + [(0.0, 0.0, 0.0, 0.0)])
    # Cells that nobody saw hold -1 and so take the last shade, which is none.
    axes.imshow(shades[np.where(terrain.occupied, -1, seen)], origin="lower", extent=terrain.extent)
    for way, colour in zip(ways.transpose(1, 0, 2), colours, strict=True):
        axes.plot(way[:, 0], way[:, 1], color=colour, linewidth=0.7, alpha=0.8)
        axes.plot(*way[-1, :2], marker="o", markersize=4, color=colour, markeredgecolor="white", zorder=5)
    axes.set_title(title)
    tidy(axes)
    save(figure, path)


def main() -> None:
    """Run the mission and write its picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--terrain", default="maze", help="a terrain's name or file (default: maze)")
    parser.add_argument("--placement", default="line", help="where robots start (default: line, as in the papers)")
    parser.add_argument("--robots", type=int, default=8, help="how many robots (default: 8)")
    parser.add_argument("--seconds", type=float, default=400.0, help="how long, in simulated time (default: 400)")
    parser.add_argument("--seed", type=int, default=1, help="for the sensors' noise (default: 1)")
    parser.add_argument("--out", type=Path, default=Path("demo"), help="folder for the picture (default: demo)")
    options = parser.parse_args()

    console = Console()
    terrain = find_terrain(options.terrain)
    fleet = Fleet.of("pioneer-3dx:lidar.rate=10", options.robots, terrain, options.placement, options.seed)
    side = np.where(np.arange(len(fleet)) % 2 == 0, 1.0, -1.0)
    simulator = FlatSimulator()
    observations = simulator.reset(terrain, fleet, options.seed)
    seen = np.full(terrain.shape, -1, dtype=np.int16)
    ways, contacts = [fleet.poses], 0
    for period in track(
        range(round(options.seconds / PERIOD)), f"{len(fleet)} robots, {terrain.name}", console=console
    ):
        scans = observations.scans(latest=True)[0]
        if period % 3 == 0:
            mark_seen(seen, terrain, scans, simulator.truth().poses)
        observations = simulator.advance(steer(scans, side), PERIOD)
        truth = simulator.truth()
        ways.append(truth.poses)
        contacts += len(truth.contacts)

    reachable = terrain.reachable([(x, y) for x, y, _ in fleet.poses], fleet.models[0].body.inscribed_radius)
    share = np.count_nonzero((seen >= 0) & reachable) / np.count_nonzero(reachable)
    steps = np.diff(np.array(ways)[:, :, :2], axis=0)
    distance = float(np.hypot(steps[..., 0], steps[..., 1]).sum())
    options.out.mkdir(parents=True, exist_ok=True)
    target = options.out / f"{terrain.name}.png"
    title = f"{len(fleet)} robots, {options.seconds:g} s: {share:.1%} of the reachable area seen"
    picture(target, terrain, seen, np.array(ways), title)
    console.print(f"{title}; {distance / 1000:.2f} km driven; contacts: {contacts}", highlight=False)
    console.print(f"wrote {target}", highlight=False)


if __name__ == "__main__":
    try:
        main()
    except ExpeditionError as error:
        sys.exit(f"error: {error}")
