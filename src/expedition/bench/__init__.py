"""Running designs: executors, the store of finished missions, and how a run continues where it stopped.

Nothing heavy is imported here, so that `expedition status` answers at once.
"""
