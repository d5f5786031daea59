"""Hooks of MkDocs: the pages at the top of the checkout stand on the site, too, and their links lead to its pages."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from mkdocs.structure.files import File

if TYPE_CHECKING:
    from mkdocs.config.defaults import MkDocsConfig
    from mkdocs.structure.files import Files
    from mkdocs.structure.pages import Page

ROOT = Path(__file__).parent.parent
TOP = {
    "README.md": "index.md",
    "SECURITY.md": "security.md",
    "ARCHITECTURE.md": "architecture.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "LICENSE",
}
"""Files at the top, and where they stand on the site."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the files at the top."""
    for name, place in TOP.items():
        files.append(File.generated(config, place, abs_src_path=str(ROOT / name)))
    return files


def on_page_markdown(markdown: str, page: Page, **_: object) -> str:
    """Lead links between the checkout's top and its docs to the places on the site."""
    if page.file.src_uri in TOP.values():
        markdown = re.sub(r'(\]\(|srcset="|src=")docs/', r"\1", markdown)
        outward = ""
    else:
        outward = "../" * page.file.src_uri.count("/")
    for name, place in TOP.items():
        markdown = re.sub(rf"\]\((?:\.\./)*{re.escape(name)}(?=[)#])", f"]({outward}{place}", markdown)
    return markdown
