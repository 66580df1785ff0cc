"""One error style: a sentence with the place, what was found, what is allowed, and the nearest valid name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from pydantic import ValidationError
from pydantic_core import ErrorDetails


class ExpeditionError(Exception):
    """Something the user can put right. The command line prints it as one sentence and exits with 2."""


def nearest(found: str, allowed: Iterable[str]) -> str | None:
    """The allowed name that looks most like `found`, if any does."""
    matches = difflib.get_close_matches(found, list(allowed), n=1, cutoff=0.5)
    return matches[0] if matches else None


def unknown(kind: str, found: str, allowed: Iterable[str], place: str = "") -> ExpeditionError:
    """The error for a name that is not one of `allowed`."""
    names = sorted(allowed)
    guess = nearest(found, names)
    hint = f"did you mean {guess!r}? " if guess else ""
    where = f"{place}: " if place else ""
    return ExpeditionError(f"{where}unknown {kind} {shorten(found)}; {hint}allowed: {', '.join(names) or 'none'}")


UNKNOWN_FIELD = ("extra_forbidden", "unexpected_keyword_argument")


def complaint(error: ValidationError) -> ErrorDetails:
    """The complaint of a Pydantic validation that tells most: an unknown field is often a required one misspelt."""
    complaints = error.errors(include_url=False)
    return next((one for one in complaints if one["type"] in UNKNOWN_FIELD), complaints[0])


def invalid(error: ValidationError, place: str, fields: Iterable[str] = ()) -> ExpeditionError:
    """A Pydantic validation error as one sentence."""
    first = complaint(error)
    field = ".".join(str(part) for part in first["loc"])
    more = f" (and {error.error_count() - 1} more)" if error.error_count() > 1 else ""
    if first["type"] in UNKNOWN_FIELD:
        wrong = str(first["loc"][-1])
        return ExpeditionError(f"{unknown('field', wrong, fields, place)}{more}")
    where = f"{place}: {field}" if field else place
    if first["type"] == "union_tag_invalid":
        tag, tags = first["ctx"]["discriminator"].strip("'"), first["ctx"]["expected_tags"].split(", ")
        allowed = [name.strip("'") for name in tags]
        return ExpeditionError(f"{unknown(tag, first['ctx']['tag'], allowed, where)}{more}")
    message = first["msg"].removeprefix("Value error, ")
    message = message[:1].lower() + message[1:]
    found = "" if first["type"] == "missing" else f", found {shorten(first['input'])}"
    return ExpeditionError(f"{where}: {message}{found}{more}")


def shorten(value: object, limit: int = 60) -> str:
    """A value as it may stand in an error message: quoted, on one line, not too long."""
    text = repr(value) if not isinstance(value, str) else repr(value[: 2 * limit])
    return text if len(text) <= limit else text[: limit - 3] + "..."
