"""Sphinx: the pages in docs/, and the reference from the docstrings of the installed package."""

import os

# The stubs hold the types, the compiled modules the docstrings: autodoc would read only the stubs.
os.environ.setdefault("SPHINX_AUTODOC_IGNORE_NATIVE_MODULE_TYPE_STUBS", "1")

from importlib.metadata import version as installed_version

project = "zerosum"
author = "The zerosum developers"
copyright = "The zerosum developers"
version = release = installed_version("zerosum")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["_build"]
myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_default_options = {"members": True, "inherited-members": False}
autodoc_typehints = "signature"
suppress_warnings = ["misc.highlighting_failure"]
html_theme = "furo"
html_title = f"zerosum {release}"
napoleon_use_ivar = True
