"""Writes MP4 files with H.264 as every browser and every program for slides plays them."""

from __future__ import annotations

from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from PIL import Image

from expedition.errors import ExpeditionError

QUALITY = "18"
"""The encoder's "crf": lower is better and larger; at 18 thin lines stay sharp."""
BT709 = 1
"""The colours of HD, as H.264 numbers them."""


class Mp4Writer:
    """Takes pictures one by one; use it as a context. One thread and no dates: the same pictures, the same bytes."""

    def __init__(self, path: Path, size: tuple[int, int], fps: float) -> None:
        self._av = av = _library()
        # `faststart` puts the index first, so that a page plays the film while it loads.
        flags = {"movflags": "+faststart", "fflags": "+bitexact"}
        self._file = av.open(str(path), "w", format="mp4", options=flags)
        options = {"crf": QUALITY, "preset": "medium", "threads": "1"}
        self._stream = stream = self._file.add_stream("libx264", rate=_fraction(fps), options=options)
        stream.width, stream.height = size
        stream.pix_fmt = "yuv420p"
        context = stream.codec_context
        context.thread_count = 1
        context.colorspace = context.color_primaries = context.color_trc = BT709
        context.color_range = 1  # as on television, which is what players expect

    def add(self, image: Image.Image) -> None:
        """Add a picture."""
        frame = self._av.VideoFrame.from_ndarray(np.asarray(image), format="rgb24")
        frame = frame.reformat(format="yuv420p", dst_colorspace="ITU709")
        self._file.mux(self._stream.encode(frame))

    def __enter__(self) -> Mp4Writer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            self._file.mux(self._stream.encode(None))
            self._file.close()
        else:
            with suppress(OSError, self._av.FFmpegError):
                self._file.close()


def _fraction(fps: float) -> Fraction:
    return Fraction(fps).limit_denominator(1001)


def _library() -> Any:
    try:
        import av
    except ImportError as error:
        raise ExpeditionError(
            'films as .mp4 need PyAV, which is not installed: `pip install "expedition[view]"`; .gif works without'
        ) from error
    return av
