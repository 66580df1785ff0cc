"""Make the pictures of terrains and of the demo for these pages: `python docs/make_images.py`."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image

from expedition.terrain import terrain
from expedition.terrain.picture import save_picture

FOLDER = Path(__file__).parent / "images"
HALF_PAGE, FULL_PAGE = 7.5, 15.0  # centimetres: type has one size on the page, however wide the picture
PICTURES = {
    "loop": ("loop", HALF_PAGE),
    "cross": ("cross", HALF_PAGE),
    "zigzag": ("zigzag", HALF_PAGE),
    "maze": ("maze", HALF_PAGE),
    "cave": ("cave:seed=5", HALF_PAGE),
    "building": ("building:seed=3", HALF_PAGE),
    "perfect-maze": ("perfect-maze:loops=0.1", HALF_PAGE),
    "forest": ("forest:shape=mixed", HALF_PAGE),
    "office": ("office", FULL_PAGE),
    "indoor": ("indoor", FULL_PAGE),
}


def make_pictures() -> None:
    """One small PNG for each terrain."""
    FOLDER.mkdir(exist_ok=True)
    for name, (spec, width_cm) in PICTURES.items():
        path = save_picture(terrain.make(spec), FOLDER / f"terrain-{name}.png", width_cm=width_cm)
        save_small(path, path, 64)


def make_demo() -> None:
    """The pictures that `make demo` writes."""
    script = FOLDER.parent.parent / "examples" / "03_compare_strategies.py"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, str(script), "--out", folder], check=True)
        for name in ("mission", "strategies"):
            save_small(Path(folder) / f"{name}.png", FOLDER / f"demo-{name}.png", 128)


def save_small(source: Path, target: Path, colours: int) -> None:
    """Few colours are enough for a page, and make a small file."""
    with Image.open(source) as picture:
        few = picture.convert("RGB").quantize(colours, dither=Image.Dither.NONE)
    few.save(target, optimize=True)


if __name__ == "__main__":
    make_pictures()
    make_demo()
