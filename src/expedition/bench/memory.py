"""Memory of a process that runs one mission after the other."""

from __future__ import annotations

import gc

_settled = False


def free_memory() -> None:
    """Free what the last mission held. Call it between missions.

    A mission's objects refer to each other in circles, which Python would free only now and then; maps of large fleets
    take up a gigabyte until then. What is there after the first mission, above all libraries, stays for good and is
    not looked at again, so that this takes a fraction of a millisecond.
    """
    global _settled
    gc.collect()
    if not _settled:
        gc.freeze()
        _settled = True
