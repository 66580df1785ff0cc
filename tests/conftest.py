"""What all tests share."""

from __future__ import annotations

import os

from hypothesis import settings

# On a build machine the same examples each time, so that a failure there is one of the change at hand;
# elsewhere new ones in every run, to find what nobody thought of.
settings.register_profile("build", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("build")
