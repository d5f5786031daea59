"""(results, question, right answer, changes) about what code gave and what edits did."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "py_median",
        "Median order revenue?",
        "The median order revenue is **$145.24**, meaning half of the orders are below that amount.",
        [("$145.24", "$154.24"), ("median order", "average order")],
    ),
    (
        "py_share",
        "What share of orders has 5 or more units?",
        "About **32.4%** of all orders contain five or more units.",
        [("32.4%", "34.2%")],
    ),
    (
        "py_named",
        "Describe the distribution of order revenue",
        "Order revenue is heavily skewed:\n\n- Mean: **368.30**\n- Median: **145.24**\n- 95th percentile: **1,391.49**\n\nThe mean is about 2.5 times the median, and only 1,251 orders are above the mean.",
        [
            ("Mean: **368.30**", "Mean: **145.24**"),
            ("2.5 times", "3.5 times"),
            ("1,251 orders", "1,521 orders"),
            ("1,391.49", "1,931.49"),
        ],
    ),
    (
        "py_frame",
        "Compare the channels",
        "Online is the biggest channel with 2,693 orders and $878.5K in revenue (47.7% of the total). Partners place far fewer orders (698), but their average order of $645.14 is about twice that of the other channels.",
        [
            ("2,693 orders", "2,963 orders"),
            ("47.7%", "44.7%"),
            ("(698)", "(1,609)"),
            ("about twice", "about four times"),
            ("Online is the biggest", "Store is the biggest"),
        ],
    ),
    (
        "py_wide",
        "Revenue by region and year",
        "| Region | 2022 | 2023 | 2024 |\n|---|---:|---:|---:|\n| Asia | 86,190.70 | 111,396.52 | 147,635.04 |\n| Europe | 170,319.61 | 195,585.30 | 177,215.38 |\n| North America | 166,756.19 | 203,969.13 | 240,989.18 |\n\nAsia grew by 71.3% from 2022 to 2024, while Europe lost 9.4% in 2024.",
        [
            ("71.3%", "73.1%"),
            ("Europe lost 9.4%", "Europe gained 9.4%"),
            ("| 203,969.13 | 240,989.18 |", "| 240,989.18 | 203,969.13 |"),
            ("| Europe | 170,319.61 |", "| Europe | 166,756.19 |"),
            ("9.4% in 2024", "9.4% in 2023"),
        ],
    ),
    (
        "py_series",
        "Yearly growth?",
        "Revenue grew by **20.4%** in 2023 and by **6.5%** in 2024.",
        [
            ("**6.5%** in 2024", "**6.5%** in 2022"),
            ("**20.4%** in 2023", "**24.0%** in 2023"),
            ("grew", "shrank"),
        ],
    ),
    (
        "edit_rows",
        "Delete all returned orders",
        "Done – I removed **302** returned orders. The table now has **4,698** rows instead of 5,000.",
        [("**302**", "**312**"), ("**4,698**", "**4,968**"), ("5,000", "5,500"), ("removed", "added")],
    ),
    (
        "edit_cells",
        "Fill the missing capacities with the median",
        "I filled 12 missing values in `capacity_mw` with the column's median. The table still has 606 rows.",
        [("12 missing", "21 missing"), ("606 rows", "660 rows")],
    ),
]
