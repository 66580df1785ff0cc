"""How Sphinx builds these pages: offline, from Markdown pages and the package's docstrings."""

from __future__ import annotations

import os
from importlib.metadata import version as installed_version
from typing import Any

from pydantic import BaseModel
from sphinx.application import Sphinx

# Uncompiled kernels are plain functions, which autodoc can show with their signatures.
os.environ["NUMBA_DISABLE_JIT"] = "1"

project = "expedition"
author = "The expedition developers"
copyright = author
version = release = installed_version("expedition")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 3

# Docstrings write code between single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    "imported-members": True,
    "exclude-members": "model_config",
}
autodoc_typehints_format = "short"
add_module_names = False

html_theme = "pydata_sphinx_theme"
html_title = f"expedition {release}"
html_show_copyright = False
html_show_sourcelink = False
html_theme_options = {
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
}


def name_and_default(name: str, model: type[BaseModel]) -> str:
    field = model.model_fields[name]
    return name if field.is_required() else f"{name}={field.get_default(call_default_factory=True)!r}"


def short_signature(app: Sphinx, what: str, name: str, thing: Any, *given: Any) -> tuple[str, None] | None:
    """A model's signature as names and defaults; the fields below it say the types and limits."""
    if what != "class" or not issubclass(thing, BaseModel):
        return None
    fields = [name_and_default(field, thing) for field in thing.model_fields]
    return f"({', '.join(['*', *fields] if fields else [])})", None


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", short_signature)
