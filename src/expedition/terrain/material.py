"""What walls are made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args


@dataclass(frozen=True)
class Material:
    """A wall material: what a metre of it takes from a 2.4 GHz signal, and its colour in pictures."""

    name: str
    attenuation_db_per_m: float
    colour: str


MaterialName = Literal["concrete", "brick", "wood", "glass", "plaster", "metal", "rock", "rubble", "foliage"]

# Concrete, wood and brick as in MAES, whose cell is 1 m. The others are round figures from the ranges of
# ITU-R P.2040-3 (building materials at 2.4 GHz) and P.833-10 (vegetation).
MATERIALS: tuple[Material, ...] = (
    Material("concrete", 15.0, "#3a3f47"),
    Material("brick", 5.5, "#9c4a36"),
    Material("wood", 6.7, "#a9793f"),
    Material("glass", 3.0, "#7fb6c9"),
    Material("plaster", 2.5, "#8b8f96"),
    Material("metal", 100.0, "#5b6f86"),
    Material("rock", 20.0, "#57504a"),
    Material("rubble", 8.0, "#776b5d"),
    Material("foliage", 1.0, "#4f7a4a"),
)
assert tuple(material.name for material in MATERIALS) == get_args(MaterialName)


def material_index(name: str) -> int:
    """The number that stands for a material in a terrain's material layer."""
    return get_args(MaterialName).index(name)
