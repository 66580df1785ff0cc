"""What all tests share."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# On a build machine the same examples each time, so that a failure there is one of the change at hand;
# elsewhere new ones in every run, to find what nobody thought of.
settings.register_profile("build", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("build")

# A shell starts jobs in the background with Ctrl-C ignored, and so would be whoever is started by them.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
