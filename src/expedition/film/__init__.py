"""Films of recorded missions, without a browser: `film` writes MP4 or GIF, `still` one moment as PNG."""

from expedition.film.layers import DEFAULT, LAYERS
from expedition.film.making import Film, film, still

__all__ = ["DEFAULT", "LAYERS", "Film", "film", "still"]
