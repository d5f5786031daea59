"""Attributes of objects that are plain words and hold no more than a value.

A column may have such a name and be reached as `df.name`.
"""

from __future__ import annotations

from typing import Final

from tabchat.sandbox.guarding.listing import listed

HARMLESS: Final = listed("""
alpha axis bins c calendar char col_count column convention coords density exclude f field fields fill_value holidays
how identity ids include indexer key keep label limit mapping metadata method num o observed offset on order orig r
reset root roots signature sizeof times type types variable variation weekmask coef release
""")
