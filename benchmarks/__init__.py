"""Speed, measured: `python -m benchmarks` (or `make bench`) prints every figure that the documentation claims."""
