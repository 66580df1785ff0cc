"""What users write: models with named, checked fields, and one-line specs such as `cave:seed=7,size=75`.

The same two forms serve the command line, YAML files and Python calls, and complain in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar, get_args

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from expedition.errors import ExpeditionError, complaint, invalid, shorten, written

MAX_YAML_BYTES = 4_000_000
MAX_YAML_NODES = 200_000
MAX_YAML_DEPTH = 100


class Spec(BaseModel):
    """A frozen model that refuses unknown fields, infinities and NaN."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        coerce_numbers_to_str=True,
        use_attribute_docstrings=True,
    )


Model = TypeVar("Model", bound=BaseModel)


def validate(model: type[Model], data: object, place: str, lines: Mapping[str, int] | None = None) -> Model:
    """`data` as a `model`, or one sentence that names the place, the field and, in a file, the line."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        location = complaint(error)["loc"]
        line = line_of(written(location, data), lines or {})
        where = f"{place}, line {line}" if line else place
        raise invalid(error, where, data, _fields_at(model, location[:-1])) from None


def parse_spec(text: str) -> tuple[str, dict[str, Any]]:
    """Split `name:key=value,key=value` into its name and parameters; values are YAML scalars or [lists]."""
    name, _, rest = text.partition(":")
    parameters: dict[str, Any] = {}
    for part in _split_outside_brackets(rest):
        key, equals, value = part.partition("=")
        if not equals or not key.strip():
            raise ExpeditionError(f"{shorten(text)}: expected key=value, found {shorten(part)}")
        parameters[key.strip().replace("-", "_")] = parse_value(value, place=f"{shorten(text)}: {key.strip()}")
    return name.strip(), parameters


def parse_value(text: str, place: str) -> Any:
    """A value as written on the command line, read as YAML."""
    try:
        return _read(text, place)[0]
    except (yaml.YAMLError, RecursionError, ValueError, OverflowError):
        raise ExpeditionError(f"{place}: cannot read the value {shorten(text)}") from None


def load_yaml(path: Path) -> tuple[Any, dict[str, int]]:
    """The content of a YAML file, and the line on which each field stands, keyed `a.b.0.c`."""
    return read_yaml(read_text(path, MAX_YAML_BYTES), str(path))


def read_yaml(text: str, place: str) -> tuple[Any, dict[str, int]]:
    """The content of a YAML text and its lines, as of a file; `place` is for errors."""
    try:
        return _read(text, place)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise ExpeditionError(f"{place}{line}: not valid YAML: {error.problem or error.context}") from None
    except (yaml.YAMLError, ValueError, OverflowError) as error:
        raise ExpeditionError(f"{place}: not valid YAML: {shorten(str(error))}") from None
    except RecursionError:
        raise ExpeditionError(f"{place}: not valid YAML: nested too deeply") from None


def read_bytes(path: Path, limit: int) -> bytes:
    """The bytes of a file that is not larger than `limit`."""
    try:
        if not path.is_file():
            raise ExpeditionError(f"{path}: no such file" if not path.exists() else f"{path}: not a file")
        size = path.stat().st_size
        if size > limit:
            raise ExpeditionError(f"{path}: {size:,} bytes is too large; the limit is {limit:,}")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ExpeditionError(f"{shorten(str(path))}: cannot be read: {reason}") from None


def read_text(path: Path, limit: int) -> str:
    """The UTF-8 text of a file that is not larger than `limit` bytes."""
    try:
        return read_bytes(path, limit).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ExpeditionError(f"{path}: not a text file: byte {error.start} is not UTF-8") from None


def _split_outside_brackets(text: str) -> Iterator[str]:
    depth, start = 0, 0
    for position, character in enumerate(text):
        depth += (character in "[{(") - (character in "]})")
        if character == "," and depth == 0:
            yield text[start:position]
            start = position + 1
    if text[start:].strip():
        yield text[start:]


def _read(text: str, place: str) -> tuple[Any, dict[str, int]]:
    loader = _CountingLoader(text)
    try:
        root = loader.get_single_node()
        # Aliases that would unfold to millions of entries are refused here, before they do.
        lines = {".".join(where): node.start_mark.line + 1 for where, node in _walk(root, place)}
        return None if root is None else loader.construct_document(root), lines
    finally:
        loader.dispose()


class _CountingLoader(yaml.SafeLoader):
    """Stops at the limit while composing: a node takes a kilobyte, so a small file could fill the memory."""

    nodes = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.nodes += 1
        if self.nodes > MAX_YAML_NODES:
            raise yaml.YAMLError(f"more than {MAX_YAML_NODES:,} entries")
        return super().compose_node(parent, index)


def _walk(root: yaml.Node | None, place: str) -> Iterator[tuple[tuple[str, ...], yaml.Node]]:
    """Every node with its path. Aliases count each time, so a file that unfolds to millions is refused."""
    stack: list[tuple[tuple[str, ...], yaml.Node]] = [((), root)] if root is not None else []
    for _ in range(MAX_YAML_NODES):
        if not stack:
            return
        where, node = stack.pop()
        if len(where) > MAX_YAML_DEPTH:  # An alias to what it stands in never ends.
            raise ExpeditionError(f"{place}: nested more than {MAX_YAML_DEPTH} deep")
        yield where, node
        if isinstance(node, yaml.MappingNode):
            for key, value in node.value:
                if not isinstance(key, yaml.ScalarNode):
                    raise ExpeditionError(f"{place}, line {key.start_mark.line + 1}: a key must be a plain name")
                stack.append(((*where, key.value), value))
        elif isinstance(node, yaml.SequenceNode):
            stack.extend(((*where, str(index)), item) for index, item in enumerate(node.value))
    raise ExpeditionError(f"{place}: more than {MAX_YAML_NODES:,} entries")


def line_of(parts: Sequence[str], lines: Mapping[str, int]) -> int | None:
    """The line of a field, or of the nearest thing around it that stands in the file."""
    for length in range(len(parts), 0, -1):
        if line := lines.get(".".join(parts[:length])):
            return line
    return None


def _fields_at(model: type[BaseModel], location: tuple[int | str, ...]) -> list[str]:
    """The field names allowed at a place inside `model`, through lists, options and unions."""
    candidates: list[type[BaseModel]] = [model]
    for part in location:
        following: list[type[BaseModel]] = []
        for candidate in candidates:
            if part in candidate.model_fields:
                following.extend(_models_in(candidate.model_fields[str(part)].annotation))
            else:
                following.append(candidate)
        tagged = [c for c in following if _has_tag(c, str(part))]
        candidates = tagged or following
    return sorted({name for candidate in candidates for name in candidate.model_fields})


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [found for argument in get_args(annotation) for found in _models_in(argument)]


def _has_tag(model: type[BaseModel], tag: str) -> bool:
    return any(tag in get_args(field.annotation) for field in model.model_fields.values())
