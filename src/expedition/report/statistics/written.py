"""Numbers as sentences and tables write them."""

from __future__ import annotations

from collections.abc import Sequence


def sizes_in_words(chosen: Sequence[float], tried: Sequence[float]) -> str:
    """Sizes with runs among those tried drawn together: "2, 8..14"."""
    places = [list(tried).index(size) for size in sorted(chosen)]
    runs: list[list[int]] = []
    for place in places:
        if runs and place == runs[-1][-1] + 1:
            runs[-1].append(place)
        else:
            runs.append([place])
    ends = [
        (", " if len(run) == 2 else "..").join(number(tried[end]) for end in sorted({run[0], run[-1]})) for run in runs
    ]
    return ", ".join(ends)


def percent(share: float, places: int) -> str:
    """A share in per cent, without the sign for it; zero has no minus."""
    text = f"{100 * share:.{places}f}"
    return minus(text) if float(text) else text.removeprefix("-")


def hundredths(value: float) -> str:
    """A number with two decimals; zero has no minus."""
    text = f"{value:.2f}"
    return minus(text) if float(text) else text.removeprefix("-")


def minus(text: str) -> str:
    """A number with a minus sign in place of the hyphen."""
    return text.replace("-", "−")


def probability(p: float | None) -> str:
    """A p value: three digits, or that it is less."""
    if p is None:
        return "not tested"
    if p < 0.001:
        return "p < 0.001"
    if 0.0495 < p < 0.0505:
        return f"p = {p:.4f}"  # so that one sees on which side of 0.05 it is
    return f"p = {p:.3f}" if p < 0.1 else f"p = {min(p, 1.0):.2f}"


def number(value: object) -> str:
    """A parameter's value, whole numbers without a point."""
    return f"{value:g}" if isinstance(value, int | float) else str(value)
