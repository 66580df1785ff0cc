"""Colours of films, on light and on dark ground; robots have those of every other plot."""

from __future__ import annotations

from dataclasses import dataclass

from PIL import ImageColor

from expedition.plotstyle import INK, robot_colour

Colour = tuple[int, int, int]


def rgb(colour: str) -> Colour:
    """A colour as three numbers up to 255."""
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def mix(colour: Colour, other: Colour, share: float) -> Colour:
    """A colour with a share of another in it."""
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(colour, other, strict=True))
    return red, green, blue


@dataclass(frozen=True)
class Theme:
    """The colours of all that is no robot."""

    page: Colour
    ink: Colour
    quiet: Colour
    """Of what need not be read at once."""
    rule: Colour
    """Of lines that only divide."""
    unknown: Colour
    free: Colour
    wall: Colour
    frontier: Colour
    link: Colour
    base: Colour
    landmark: Colour
    person: Colour
    tag: Colour
    door: Colour
    rough: Colour
    failed: Colour
    broken: Colour
    """Of the body of a robot that has broken down."""
    lift: float = 0.0
    """How much white is in lines of a robot's colour, to be seen on dark ground."""

    def robot(self, robot: int) -> Colour:
        """The colour of a robot."""
        return rgb(robot_colour(robot))

    def line(self, robot: int) -> Colour:
        """The colour of lines of a robot."""
        return mix(self.robot(robot), (255, 255, 255), self.lift)


LIGHT = Theme(
    page=rgb("#ffffff"), ink=rgb(INK), quiet=rgb("#69717d"), rule=rgb("#d3d8de"), unknown=rgb("#dfe3e8"),
    free=rgb("#ffffff"), wall=rgb(INK), frontier=rgb("#ffc400"), link=rgb("#93a8bf"), base=rgb(INK),
    landmark=rgb("#1a9850"), person=rgb("#7a5195"), tag=rgb("#ffd84d"), door=rgb("#c2571a"), rough=rgb("#f3df7c"),
    failed=rgb("#d6001c"), broken=rgb("#aab0b8"),
)  # fmt: skip
DARK = Theme(
    page=rgb("#101318"), ink=rgb("#eef1f5"), quiet=rgb("#9aa4b1"), rule=rgb("#3a424e"), unknown=rgb("#1b2027"),
    free=rgb("#353e4a"), wall=rgb("#cfd6df"), frontier=rgb("#ffc400"), link=rgb("#6f8fb3"), base=rgb("#eef1f5"),
    landmark=rgb("#4cd98a"), person=rgb("#b995dd"), tag=rgb("#ffd84d"), door=rgb("#e88a4d"), rough=rgb("#6e6334"),
    failed=rgb("#ff4d5e"), broken=rgb("#7c8591"), lift=0.3,
)  # fmt: skip
