"""What made a result: the versions of the libraries and a digest of the code that a mission runs through."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import expedition

LIBRARIES = ("numpy", "numba", "scipy", "polars")
WITHOUT_INFLUENCE = ("bench", "cli", "log", "report", "viewer", "design/reference", "picture.py", "plotstyle.py")
"""Parts of the package that no mission runs through: with them changed, its result stays what it is."""


@cache
def versions() -> dict[str, str]:
    """Versions of all that computes, and of the packages that add components to it."""
    return {
        "expedition": expedition.__version__,
        "python": platform.python_version(),
        **{name: importlib.metadata.version(name) for name in LIBRARIES},
        **dict(sorted(plugins())),
    }


def plugins() -> Iterator[tuple[str, str]]:
    """Names and versions of the installed packages that have entry points for components."""
    for package in importlib.metadata.distributions():
        groups = {point.group for point in package.entry_points}
        if any(group.startswith("expedition.") for group in groups) and package.name != "expedition":
            yield package.name, package.version


@cache
def code_digest() -> str:
    """A digest of the package's source as it is now: with another one, a mission may come out differently."""
    return digest_of(Path(expedition.__file__).parent)


def digest_of(package: Path) -> str:
    """A digest of the sources in a folder, names and contents."""
    digest = hashlib.sha256()
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package)
        without = any(name.is_relative_to(part) for part in WITHOUT_INFLUENCE)
        if path.suffix in (".py", ".yaml") and not without:
            content = path.read_bytes()
            digest.update(f"{name.as_posix()} {len(content)}\n".encode())
            digest.update(content)
    return digest.hexdigest()[:32]
