"""Make the pictures and the parameter tables of the page on terrains: `python docs/make_terrain_images.py`.

The tables come from the parameters that the terrains declare, so that the page says what the program accepts.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

from PIL import Image

from expedition.registry import Component
from expedition.terrain import Terrain, building, cave, forest, indoor, office, perfect_maze, published, terrain
from expedition.terrain.picture import save_picture

HERE = Path(__file__).parent
MODULES = (building, cave, forest, indoor, office, perfect_maze, published)
PICTURES = {
    "loop": "loop",
    "cross": "cross",
    "zigzag": "zigzag",
    "maze": "maze",
    "cave": "cave:seed=5",
    "building": "building:seed=3",
    "perfect-maze": "perfect-maze:loops=0.1",
    "office": "office",
    "forest": "forest:shape=mixed",
    "indoor": "indoor",
}


def make_pictures() -> None:
    """One small PNG for each terrain."""
    folder = HERE / "images"
    folder.mkdir(exist_ok=True)
    for name, spec in PICTURES.items():
        path = save_picture(terrain.make(spec), folder / f"terrain-{name}.png", width_cm=7.5)
        with Image.open(path) as picture:
            few_colours = picture.convert("RGB").quantize(64, dither=Image.Dither.NONE)
        few_colours.save(path, optimize=True)


def parameter_tables() -> str:
    """A heading, a sentence and a table for each terrain."""
    return "\n".join(_section(terrain.find(name)) for name in PICTURES)


def _section(component: Component[Terrain]) -> str:
    lines = [f"### {component.name}", "", component.summary, "", "| parameter | default | allowed | meaning |"]
    lines.append("|---|---|---|---|")
    for name, field in component.parameters.model_fields.items():
        allowed = "above 0 to 10000" if name == "size" else _allowed(field.annotation, field.metadata)
        lines.append(f"| `{name}` | {_written(field.default)} | {allowed} | {field.description} |")
    return "\n".join(lines) + "\n"


def _written(value: Any) -> str:
    """A value as one writes it on the command line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return f"[{', '.join(map(_written, value))}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _allowed(annotation: Any, limits: list[Any]) -> str:
    words = {"ge": "from", "gt": "above", "le": "to", "lt": "below"}
    found = [
        f"{word} {value if abs(value) < 1e6 else f'{value:.3g}'}"
        for limit in limits
        for key, word in words.items()
        if (value := getattr(limit, key, None)) is not None
    ]
    if found:
        return " ".join(found)
    if annotation is bool:
        return "true, false"
    choices = [choice for part in (annotation, *get_args(annotation)) for choice in get_args(part)]
    texts = list(dict.fromkeys(choice for choice in choices if isinstance(choice, str)))
    return ", ".join(texts)


if __name__ == "__main__":
    make_pictures()
    (HERE / "terrain-parameters.inc").write_text(parameter_tables(), encoding="utf-8")
