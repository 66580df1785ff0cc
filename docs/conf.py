"""How Sphinx builds these pages: offline, from Markdown pages and the package's docstrings."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import MISSING, fields, is_dataclass
from importlib.metadata import version as installed_version
from pathlib import Path
from typing import Any

from docutils import nodes
from pydantic import BaseModel
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.pycode import ModuleAnalyzer

sys.path.insert(0, str(Path(__file__).parent))

# Uncompiled kernels are plain functions, which autodoc can show with their signatures.
os.environ["NUMBA_DISABLE_JIT"] = "1"

from make_tables import allowed

project = "expedition"
author = "The expedition developers"
copyright = author
version = release = installed_version("expedition")

extensions = ["myst_parser", "sphinx.ext.autodoc"]
exclude_patterns = ["_build"]

myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3

# Docstrings write code between single backticks, as Markdown does.
default_role = "code"
autodoc_member_order = "bysource"
autodoc_default_options = {
    "members": True,
    "undoc-members": True,
    "inherited-members": "BaseModel,BaseException,tuple",
    "exclude-members": "model_config",
}
autodoc_typehints_format = "short"
toc_object_entries_show_parents = "hide"

html_theme = "pydata_sphinx_theme"
html_title = f"expedition {release}"
html_show_copyright = False
html_show_sourcelink = False
html_static_path = ["_static"]
html_css_files = ["pages.css"]
html_sidebars = {"**": []}
html_theme_options = {
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": [],
    "footer_end": [],
}

# Types as people write them.
ALIASES = {"Floats": "NDArray[float64]", "Poses": "NDArray[float64]", "Integers": "NDArray[int64]"}
SHORT_TYPES = {
    r"ndarray\[tuple\[Any, \.\.\.\], dtype\[(\w+)\]\]": r"NDArray[\1]",
    r"Annotated\[([^,\[\]]+), FieldInfo\([^()]*\)\]": r"\1",
    r"Literal\['concrete'[^\]]*\]": "MaterialName",
}


def short_signature(app: Sphinx, what: str, name: str, thing: Any, *given: Any) -> tuple[str, None] | None:
    """The signature of a thing made of fields as names and defaults; what is below it says the types."""
    if what != "class":
        return None
    if issubclass(thing, BaseModel):
        defaults = {name: ... if field.is_required() else field.default for name, field in thing.model_fields.items()}
        return f"({', '.join(['*', *map(_given, defaults.items())] if defaults else [])})", None
    if is_dataclass(thing):
        defaults = {field.name: ... if field.default is MISSING else field.default for field in fields(thing)}
        for field in fields(thing):
            if field.default_factory is not MISSING:
                defaults[field.name] = field.default_factory()
        return f"({', '.join(map(_given, defaults.items()))})", None
    return ("", None) if getattr(thing, "_is_protocol", False) else None


def _given(parameter: tuple[str, Any]) -> str:
    name, default = parameter
    return name if default is ... else f"{name}={default!s}" if hasattr(default, "dtype") else f"{name}={default!r}"


def list_fields(app: Sphinx, what: str, name: str, thing: Any, options: Any, lines: list[str]) -> None:
    """The fields of a model or dataclass below its docstring; those of models in the words of the pages' tables."""
    if what != "class":
        return
    if issubclass(thing, BaseModel):
        lines.append("")
        for field_name, field in thing.model_fields.items():
            limits = f" ({allowed(field)})" if allowed(field) not in ("", "fields", "true, false") else ""
            lines.append(f":param {field_name}: {(field.description or '').strip()}{limits}")
    elif is_dataclass(thing):
        analyzer = ModuleAnalyzer.for_module(thing.__module__)
        texts = analyzer.find_attr_docs()
        lines.append("")
        for field in fields(thing):
            text = " ".join(texts.get((thing.__qualname__, field.name), ()))
            hint = re.sub(r"\w+", lambda word: ALIASES.get(word[0], word[0]), str(field.type).replace("np.", ""))
            lines += [f":param {field.name}: {text}", f":type {field.name}: {hint}"]


def skip_fields(app: Sphinx, what: str, name: str, thing: Any, skip: bool, options: Any) -> bool | None:
    """Fields are listed with their class; methods and properties stand below it."""
    return True if what == "class" and not callable(thing) and not hasattr(type(thing), "__get__") else None


def shorten_types(app: Sphinx, domain: str, kind: str, content: nodes.Element) -> None:
    """Type hints that autodoc has spelt out, in short."""
    for part in (addnodes.desc_annotation, addnodes.desc_parameter, addnodes.desc_returns):
        for node in list(content.parent.findall(part)):
            long = short = node.astext().removeprefix(" -> ")
            for pattern, replacement in SHORT_TYPES.items():
                short = re.sub(pattern, replacement, short)
            if short != long:
                node.children = []
                node += nodes.Text(short)


def setup(app: Sphinx) -> None:
    app.connect("autodoc-process-signature", short_signature)
    app.connect("autodoc-process-docstring", list_fields)
    app.connect("autodoc-skip-member", skip_fields)
    app.connect("object-description-transform", shorten_types)
