"""One error style: a sentence with the place, what was found, what is allowed, and the nearest valid name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence

from pydantic import ValidationError
from pydantic_core import ErrorDetails


class ExpeditionError(Exception):
    """Something the user can put right. The command line prints it as one sentence and exits with 2."""


def nearest(found: str, allowed: Iterable[str]) -> str | None:
    """The allowed name that looks most like `found`, if any does."""
    matches = difflib.get_close_matches(found, list(allowed), n=1, cutoff=0.6)
    return matches[0] if matches else None


def unknown(kind: str, found: str, allowed: Iterable[str], place: str = "") -> ExpeditionError:
    """The error for a name that is not one of `allowed`."""
    names = sorted(allowed)
    guess = nearest(found, names)
    hint = f"did you mean {guess!r}? " if guess else ""
    where = f"{place}: " if place else ""
    return ExpeditionError(f"{where}unknown {kind} {shorten(found)}; {hint}allowed: {', '.join(names) or 'none'}")


TOLD = "told"
"""The type of a Pydantic error whose sentence says by itself what was found."""
UNKNOWN_FIELD = ("extra_forbidden", "unexpected_keyword_argument")


def complaint(error: ValidationError) -> ErrorDetails:
    """The complaint of a Pydantic validation that tells most: an unknown field is often a required one misspelt."""
    complaints = error.errors(include_url=False)
    return next((one for one in complaints if one["type"] in UNKNOWN_FIELD), complaints[0])


def invalid(error: ValidationError, place: str, data: object = None, fields: Iterable[str] = ()) -> ExpeditionError:
    """A Pydantic validation error as one sentence; `fields` are those allowed where it says one is unknown."""
    first = complaint(error)
    where = written(first["loc"], data)
    spot = f"{place}: {'.'.join(where)}" if where else place
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] in UNKNOWN_FIELD:
        return ExpeditionError(f"{unknown('field', where[-1], fields, place)}{more}")
    if first["type"] == "missing":
        names = [".".join(written(one["loc"], data)) for one in error.errors() if one["type"] == "missing"]
        return ExpeditionError(f"{place}: missing: {', '.join(names)}")
    if first["type"] == "union_tag_not_found":
        return ExpeditionError(f"{spot}: missing: {first['ctx']['discriminator'].strip(chr(39))}{more}")
    if first["type"] == "union_tag_invalid":
        tag, tags = first["ctx"]["discriminator"].strip("'"), first["ctx"]["expected_tags"].split(", ")
        allowed = [name.strip("'") for name in tags]
        return ExpeditionError(f"{unknown(tag, first['ctx']['tag'], allowed, spot)}{more}")
    message = first["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    found = "" if first["type"] == TOLD else f", found {shorten(first['input'])}"
    return ExpeditionError(f"{spot}: {message}{found}{more}")


def written(location: tuple[int | str, ...], data: object) -> list[str]:
    """A place in a model as it stands in the data: without the tags by which Pydantic tells kinds apart."""
    parts, here = [], data
    for depth, part in enumerate(location):
        inside = isinstance(here, Mapping) and part in here
        listed = isinstance(here, Sequence) and isinstance(part, int) and part < len(here)
        if inside or listed:
            here = here[part]  # type: ignore[index]
        elif depth < len(location) - 1 and isinstance(here, Mapping):
            continue
        parts.append(str(part))
    return parts


def shorten(value: object, limit: int = 60) -> str:
    """A value as it may stand in an error message: quoted, on one line, not too long."""
    text = repr(value) if not isinstance(value, str) else repr(value[: 2 * limit])
    return text if len(text) <= limit else text[: limit - 3] + "..."
