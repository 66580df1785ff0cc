"""The command line as a user types it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import yaml
from matplotlib.colors import to_rgb
from PIL import Image

from expedition.fleet import robot_model
from expedition.fleet.clearance import narrowest_opening
from expedition.plotstyle import robot_colour
from expedition.terrain import Start, Terrain, find_terrain, load, save

ROOT = Path(__file__).parent.parent


def expedition(*words: str, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    """Run the command line as a user would."""
    return subprocess.run(
        [sys.executable, "-m", "expedition", *words], cwd=folder, capture_output=True, text=True, timeout=120
    )


def test_list_names_every_terrain_and_robot() -> None:
    terrains, robots = expedition("terrain", "list"), expedition("robot", "list")
    assert terrains.returncode == robots.returncode == 0
    for name in ("maze", "zigzag", "cave", "building", "office", "floorplan", "forest", "indoor", "perfect-maze"):
        assert name in terrains.stdout
    for name in ("pioneer-3dx", "turtlebot3-burger", "quadrotor", "maes", "mrxt", "mresim"):
        assert name in robots.stdout


def test_show_tells_the_free_and_the_reachable_area_to_the_cell() -> None:
    shown = expedition("terrain", "show", "loop", "--start=-38,38", "--radius", "0.1")
    assert "2,240.16 m², 224,016 cells" in shown.stdout
    assert "2,240.16 m², 100.00% of the free area" in shown.stdout
    assert "█" in shown.stdout


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_show_writes_a_picture(tmp_path: Path, suffix: str) -> None:
    shown = expedition("terrain", "show", "maze", "--out", f"maze.{suffix}", folder=tmp_path)
    assert shown.returncode == 0
    written = (tmp_path / f"maze.{suffix}").read_bytes()
    assert len(written) > 1000
    if suffix == "png":
        with Image.open(tmp_path / "maze.png") as picture:
            assert min(picture.size) > 500


def test_show_tells_of_marked_starts_and_draws_them(tmp_path: Path) -> None:
    room = find_terrain("cross")
    save(room, tmp_path / "plain.yaml")
    save(replace(room, starts=(Start(1.0, 0.0), Start(-1.0, 0.0, 1.5))), tmp_path / "marked.yaml")
    plain = expedition("terrain", "show", "plain.yaml", "--out", "plain.png", folder=tmp_path)
    marked = expedition("terrain", "show", "marked.yaml", "--out", "marked.png", folder=tmp_path)
    assert "starts" not in plain.stdout
    assert "starts     2 marked" in marked.stdout
    with Image.open(tmp_path / "plain.png") as one, Image.open(tmp_path / "marked.png") as other:
        colours = [{colour for _, colour in image.convert("RGB").getcolors(1 << 20)} for image in (one, other)]
    assert tuple(round(255 * part) for part in to_rgb(robot_colour(1))) in colours[1] - colours[0]


def test_make_writes_the_terrain_that_its_parameters_name(tmp_path: Path) -> None:
    made = expedition("terrain", "make", "cave", "--seed", "7", "--size=30", "--out", "c.yaml", folder=tmp_path)
    assert made.returncode == 0, made.stderr
    again = expedition("terrain", "make", "cave:seed=7,size=30", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert load(tmp_path / "c.yaml") == load(tmp_path / "cave.yaml")


def test_parameters_may_stand_anywhere_and_in_show_as_well(tmp_path: Path) -> None:
    for words in (["--seed", "3", "cave"], ["cave", "--seed=3"], ["--out", "x.yaml", "cave:seed=3"]):
        made = expedition("terrain", "make", *words, "--size", "40x30", "--no-smooth-edges", "--force", folder=tmp_path)
        assert made.returncode == 0, made.stderr
    assert load(tmp_path / "x.yaml") == load(tmp_path / "cave.yaml")
    assert load(tmp_path / "x.yaml").shape == (300, 400)
    shown = expedition("terrain", "show", "cave", "--seed", "3", "--size", "40,30", "--smooth-edges=false")
    assert load(tmp_path / "x.yaml").digest[:16] in shown.stdout


def test_files_that_are_there_are_kept_unless_forced(tmp_path: Path) -> None:
    (tmp_path / "maze.pgm").write_text("mine")
    refused = expedition("terrain", "make", "maze", folder=tmp_path)
    assert refused.returncode == 2
    assert "maze.pgm: there already" in refused.stderr
    assert (tmp_path / "maze.pgm").read_text() == "mine"
    forced = expedition("terrain", "make", "maze", "--force", folder=tmp_path)
    assert forced.stdout.split() == ["wrote", "maze.pgm,", "maze.yaml"]


def test_a_terminal_without_utf8_gets_a_sketch_too() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "expedition", "terrain", "show", "loop"],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stderr
    assert "####" in run.stdout


def test_convert_says_what_a_format_does_not_keep(tmp_path: Path) -> None:
    converted = expedition("terrain", "convert", "office:size=[30, 20]", "office.png", folder=tmp_path)
    assert converted.returncode == 0, converted.stderr
    assert "not kept by this format" in converted.stdout
    assert "materials" in converted.stdout


def hall(folder: Path) -> None:
    """A map of 4 x 3 m that is open on its right side: 30 of the 136 cells at its edge."""
    shades = np.full((30, 40), 255, dtype=np.uint8)
    shades[:, 0] = shades[0, :-1] = shades[-1, :-1] = 0
    Image.fromarray(shades).save(folder / "hall.png")


def test_what_importing_a_map_changed_is_told_once_on_the_error_stream(tmp_path: Path) -> None:
    hall(tmp_path)
    shown = expedition("terrain", "show", "hall.png", folder=tmp_path)
    assert shown.returncode == 0
    assert shown.stderr.count("warning: hall: closed 30 open cells") == shown.stderr.count("\n") == 1
    assert "closed" not in shown.stdout
    converted = expedition("terrain", "convert", "hall.png", "hall.yaml", folder=tmp_path)
    assert converted.stderr == shown.stderr
    again = expedition("terrain", "show", "hall.yaml", folder=tmp_path)
    assert again.stderr == ""
    for words in ("hall.png:edges=open", "cross:resolution=0.2"):
        assert expedition("terrain", "show", words, folder=tmp_path).stderr == ""
    by_option = expedition("terrain", "show", "hall.png", "--edges", "open", "--clean=5", folder=tmp_path)
    assert by_option.stderr == "warning: hall: removed 1 piece of wall no larger than 5 m, 106 cells\n"


def test_explore_tells_what_importing_a_map_changed_and_keeps_json_and_quiet_clean(tmp_path: Path) -> None:
    hall(tmp_path)
    words = ("explore", "--terrain", "hall.png", "-n", "1", "--placement", "spread", "--time-limit", "1")
    told = expedition(*words, "--json", folder=tmp_path)
    assert told.stderr.count("warning: hall: closed ") == 1
    json.loads(told.stdout)
    quiet = expedition(*words, "--json", "--quiet", folder=tmp_path)
    assert quiet.stderr == ""
    json.loads(quiet.stdout)


def test_help_of_a_terrain_lists_its_parameters() -> None:
    helped = expedition("terrain", "make", "cave", "--help")
    assert helped.returncode == 0
    assert "--smoothing-runs" in helped.stdout


def closet(folder: Path) -> None:
    """A map of a room of 4 x 10 m and one of 15 x 10 m with a wall between them, and a door of 0.4 m to a third."""
    occupied = np.ones((240, 800), dtype=np.bool_)
    for left, right in ((20, 100), (280, 580), (600, 780)):
        occupied[20:220, left:right] = False
    occupied[100:108, 580:600] = False
    save(Terrain.from_occupied("closet", occupied, 0.05), folder / "closet.yaml")


def test_show_tells_what_robots_reach_with_their_maps_where_it_is_most_and_from_a_start(tmp_path: Path) -> None:
    closet(tmp_path)
    shown = expedition("terrain", "show", "closet.yaml", folder=tmp_path)
    assert (
        "reachable  pioneer-3dx, in its largest area: 150 m², 53.5% of the free area, "
        "through openings of 0.70 m and more; maps with cells of 0.2 m\n"
    ) in shown.stdout
    words = ("--robot", "turtlebot3-burger", "--robot=maes")
    shown = expedition("terrain", "show", "closet.yaml", *words, folder=tmp_path)
    assert "turtlebot3-burger, in its largest area: 240 m², 85.7% of the free area, through openings of 0.35 m" in (
        shown.stdout
    )
    assert "maps with cells of 0.1 m (0.2 m would reach 53.5%)" in shown.stdout
    assert "maes, in its largest area: 150 m²" in shown.stdout
    assert "pioneer" not in shown.stdout
    shown = expedition("terrain", "show", "closet.yaml", "--start", "3,6", folder=tmp_path)
    assert "pioneer-3dx, from (3, 6): 40 m², 14.2% of the free area" in shown.stdout


def test_explore_says_what_the_fleet_reaches_and_warns_if_that_is_little(tmp_path: Path) -> None:
    closet(tmp_path)
    words = ("explore", "--terrain", "closet.yaml", "-n", "2", "--time-limit", "5")
    told = expedition(*words, folder=tmp_path)
    placed, reached = told.stderr.splitlines()[:2]
    assert placed.startswith("placement: line has no room for 2 robots in terrain 'closet': placed together in its ")
    assert reached == (
        "2 robots can reach 53.5% of 280 m² of free ground, "
        "through openings of 0.70 m and more; maps with cells of 0.2 m"
    )
    assert "warning" not in told.stderr
    assert "(53.5% of the free ground)" in told.stdout.splitlines()[1]
    shut = expedition(*words, "--placement", "grouped:centre=[3,6]", folder=tmp_path)
    assert (
        "warning: closet: the fleet starts in a closed area of 40 m² of 280 m², and cannot get to the largest one, of "
        "150 m²: use placement auto or grouped, or start elsewhere\n"
    ) in shut.stderr
    assert shut.stdout.splitlines()[1].startswith("explored what it could reach, 14.2% of the free ground: after ")
    assert expedition(*words, "--quiet", folder=tmp_path).stderr == ""


def test_a_design_shows_where_fleets_are_put_and_which_reach_little(tmp_path: Path) -> None:
    closet(tmp_path)
    design = "parameters: {terrain: closet.yaml, robots: [1, 2], strategy: nearest-frontier%s}\n"
    (tmp_path / "open.yaml").write_text(f"name: open\n{design % ''}")
    (tmp_path / "shut.yaml").write_text(
        f"name: shut\n{design % ', placement: grouped, placement.centre: {values: [[3, 6]]}'}"
    )
    for command in ("show", "check"):
        told = expedition("design", command, "open.yaml", folder=tmp_path)
        assert told.returncode == 0, told.stderr
        assert told.stderr.count("warning: closet.yaml, 2 robots: line has no room for 2 robots") == 1
        assert told.stderr.count("\n") == 1
        told = expedition("design", command, "shut.yaml", folder=tmp_path)
        assert told.stderr.startswith("warning: closet.yaml, 2 robots: the fleet starts in a closed area of 40 m²")
        assert told.stderr.count("\n") == 1
    assert expedition("design", "show", "quick").stderr == ""


def test_a_shown_robot_tells_the_openings_that_it_passes_without_being_another() -> None:
    shown = expedition("robot", "show", "pioneer-3dx").stdout
    lines = [line.split() for line in shown.splitlines() if line.startswith("#   ")]
    body = robot_model("pioneer-3dx").body
    assert lines == [["#", f"{size:g}", "m", f"{narrowest_opening(body, size):.2f}", "m"] for size in (0.05, 0.1, 0.2)]
    assert yaml.safe_load(shown)["name"] == "pioneer-3dx"


def test_a_shown_robot_can_be_used_as_a_file(tmp_path: Path) -> None:
    shown = expedition("robot", "show", "pioneer-3dx:lidar.range=10")
    (tmp_path / "mine.yaml").write_text(shown.stdout)
    again = expedition("robot", "show", "mine.yaml", folder=tmp_path)
    assert again.stdout == shown.stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["terrain", "show", "maz"], "unknown terrain 'maz'; did you mean 'maze'?"),
        (["terrain", "show", "maze:resoluton=1"], "unknown field 'resoluton'; did you mean 'resolution'?"),
        (["terrain", "show", "nowhere.pgm"], "nowhere.pgm: no such file"),
        (["terrain", "show", "maze", "--out", "maze.doc"], "unknown picture format '.doc'"),
        (["terrain", "show", "maze", "--out", "/nowhere/maze.png"], "cannot be written"),
        (["terrain", "show", "maze", "--start", "here"], "expected x,y in metres"),
        (["terrain", "show", "maze", "--start", "500,0"], "pioneer-3dx cannot stand at (500, 0)"),
        (["terrain", "show", "maze", "--radius", "0.5"], "--radius: needs a --start"),
        (["terrain", "show", "maze", "--start=-38,38", "--radius", "5"], "cannot stand at (-38, 38)"),
        (["terrain", "make", "cave", "--sed", "7"], "unknown field 'sed'; did you mean 'seed'?"),
        (["terrain", "make", "cave", "--seed"], "--seed: a value is missing"),
        (["terrain", "make", "cave", "7"], "expected --parameter value"),
        (["terrain", "make", "cave", "--size", "1"], "size"),
        (["terrain", "convert", "maze", "maze.xyz"], "unknown file suffix '.xyz'"),
        (["robot", "show", "pionier-3dx"], "did you mean 'pioneer-3dx'"),
        (["robot", "show", "pioneer-3dx:lidar.beems=3"], "did you mean 'beams'"),
    ],
)
def test_a_mistake_ends_with_one_sentence_and_exit_code_2(words: list[str], sentence: str, tmp_path: Path) -> None:
    run = expedition(*words, folder=tmp_path)
    assert run.returncode == 2
    assert sentence in run.stderr
    assert run.stderr.startswith("error: ")
    assert run.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_debug_shows_the_traceback() -> None:
    for words in (["--debug", "terrain", "show", "maz"], ["terrain", "show", "maz", "--debug"]):
        run = expedition(*words)
        assert run.returncode == 2
        assert "Traceback" in run.stderr


def test_the_demo_drives_and_draws(tmp_path: Path) -> None:
    script = ROOT / "examples" / "01_drive_the_maze.py"
    run = subprocess.run(
        [sys.executable, str(script), "--seconds", "20", "--robots", "3", "--out", "out"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == 0, run.stderr
    assert "of the reachable area seen" in run.stdout
    with Image.open(tmp_path / "out" / "maze.png") as picture:
        assert min(picture.size) > 500


def test_the_benchmarks_run() -> None:
    """That they run, and that all casters agree; how fast is for `make bench` to say."""
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks", "rays"], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stderr
    rows = [line.split("│") for line in run.stdout.splitlines() if line.startswith("│")]
    assert rows
    assert {row[4].strip() for row in rows} == {"0"}
