"""Measuring missions: the monitor, measurements, stop conditions and metrics."""
