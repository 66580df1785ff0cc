"""Make the pictures of the page on terrains: `python docs/make_images.py`."""

from __future__ import annotations

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
        with Image.open(path) as picture:
            few_colours = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
        few_colours.save(path, optimize=True)


if __name__ == "__main__":
    make_pictures()
