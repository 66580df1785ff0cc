"""Terrain files: ROS map_server maps, plain images, MRESim's text maps and Moving AI's octile maps.

The map_server YAML is the one complete format: what a ROS map cannot say stands in it under `expedition:`, which ROS
does not read. All other formats keep the occupancy only.
"""

from expedition.terrain.files.files import FORMATS, Format, Saved, format_of, load, save

__all__ = ["FORMATS", "Format", "Saved", "format_of", "load", "save"]
