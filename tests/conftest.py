"""Property tests draw the same examples each time, and none fails for the time that it took."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("the same each time", derandomize=True, deadline=None, database=None)
settings.load_profile("the same each time")
