"""Attributes that objects of pandas, NumPy and Python have and code may not use.

A column of such a name is reached as `df["name"]` only.
"""

from __future__ import annotations

from typing import Final

from tabchat.sandbox.guarding.listing import listed

RESERVED: Final = listed("""
    base buffer bit_generator ctypes data dump dumps env flags f_back f_builtins f_globals f_locals gi_code gi_frame
    cr_frame ag_frame getfield hist model obj plot resize save setfield setflags sparse strides style tobytes tofile
    to_clipboard to_excel to_feather to_hdf to_iceberg to_orc to_parquet to_pickle to_sql to_stata to_xarray to_xml
    view mro tb_frame
    """)
