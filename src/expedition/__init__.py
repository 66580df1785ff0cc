"""expedition: a testbed for multi-robot exploration.

Names are imported from where they live when they are first asked for, so that `import expedition` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from expedition.exploring import explore
    from expedition.mission import Result
    from expedition.robot import Robot
    from expedition.strategies import centralised, strategy

__version__ = "0.1.0"

__all__ = ["Result", "Robot", "centralised", "explore", "strategy"]

_HOMES = {
    "explore": "expedition.exploring",
    "Result": "expedition.mission",
    "Robot": "expedition.robot",
    "centralised": "expedition.strategies",
    "strategy": "expedition.strategies",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
