"""What all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# On a build machine the same examples each time, so that a failure there is one of the change at hand;
# elsewhere new ones in every run, to find what nobody thought of. No example has a time limit: the first may have to
# wait for a kernel to be compiled.
settings.register_profile("anywhere", deadline=None)
settings.register_profile("build", settings.get_profile("anywhere"), derandomize=True)
settings.load_profile("build" if os.environ.get("CI") else "anywhere")

# A shell starts jobs in the background with Ctrl-C ignored, and so would be whoever is started by them.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
