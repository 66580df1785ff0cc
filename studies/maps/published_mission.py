"""Runs one mission with whichever `expedition` the path has, and prints what came of it as JSON.

It is run by file name in a process of its own, and so may use nothing that only one of two checkouts has.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import expedition
from expedition.terrain import find_terrain


def main() -> None:
    """The mission and the folder of the code are given as JSON."""
    asked = json.loads(sys.argv[1])
    loaded = Path(expedition.__file__).resolve().parent.parent
    if loaded != Path(asked["source"]).resolve():
        sys.exit(f"the code of {loaded} was loaded instead of that of {asked['source']}")
    mission = asked["mission"]
    settings = mission.pop("settings")
    result = expedition.explore(**mission, **settings)
    print(json.dumps({
        "ending": result.ending, "succeeded": result.succeeded, "ground": find_terrain(mission["terrain"]).digest[:16],
        **{name: result.metrics.get(name) for name in asked["metrics"]},
    }))  # fmt: skip


if __name__ == "__main__":
    main()
