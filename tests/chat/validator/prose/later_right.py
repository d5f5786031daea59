"""(results, question, answers): every figure and name of each answer is right."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, list[str]]] = [
    (
        "regions_by_year",
        "How did the regions develop?",
        [
            "Asia grew the fastest: from **86,190.70** in 2022 to **147,635.04** in 2024, a gain of 71.3%.",
            "Europe was the only large region to shrink in 2024: revenue fell 9.4% to 177,215.38.",
            "- **Asia**: 86.2K → 111.4K → 147.6K\n- **Europe**: 170.3K → 195.6K → 177.2K",
            "In 2022 Europe led with 170,319.61, just ahead of North America (166,756.19). By 2023 North America had taken the lead with 203,969.13.",
            "North America added about 37,000 in 2024 compared to 2023.",
            "| Region | 2022 | 2023 | 2024 |\n|---|---:|---:|---:|\n| Asia | 86,190.70 | 111,396.52 | 147,635.04 |\n| Oceania | 39,695.56 | 61,147.71 | 59,429.49 |",
        ],
    ),
    (
        "category_by_channel",
        "Split by category and channel",
        [
            "Online Furniture is the largest combination at 396,931.21 (416 orders), about 21.6% of all revenue.",
            "Across all channels, Furniture brought in 860,767.05 – just under half of the total.",
            "Stores sold 231,674.52 of Furniture, slightly less than the partner channel (232,161.32).",
            "Garden earned the least in every channel: 58,286.92 online, 37,809.03 in stores and 33,465.77 through partners.",
            "For Kitchen, the online channel made 87,249.26 from 556 orders, whereas partners had only 150 orders.",
            "The online channel as a whole generated 878,535.07.",
        ],
    ),
    (
        "months",
        "How did 2024 go by month?",
        [
            "December was the best month of 2024 (**86,640.28**), and January the weakest (**35,614.38**).",
            "Revenue jumped 43.8% in October, then slipped 11.1% in November before recovering to 86.6K in December.",
            "Eight of the twelve months exceeded 50,000.",
            "February had the fewest orders, just 104, and December more than twice as many: 223.",
            "On average, about 56.5K came in per month.",
            "December's revenue was roughly 2.4 times January's.",
        ],
    ),
    (
        "technology",
        "Compare technologies",
        [
            "Solar PV leads in installed capacity with 24,087.3 MW (about 24.1 GW), but Offshore Wind is by far the most expensive: $45.6 billion.",
            "Onshore and Offshore Wind together account for 48.7% of capacity.",
            "Battery Storage is the smallest technology by capacity (5,271.9 MW) and by cost ($3.37 billion).",
            "Offshore Wind cost more than twice as much as Onshore Wind, although it has only 78 projects versus 138.",
            "1. Solar PV: 24,087.3\n2. Offshore Wind: 22,037.3\n3. Onshore Wind: 17,499.8\n\nThe other two technologies together add 17,583.9.",
            "There are 606 installations across five technologies.",
        ],
    ),
    (
        "chile",
        "Chile by year?",
        [
            "Chile's best year was 2023, with 965.8 MW installed; the weakest was 2015 (73.7 MW).",
            "In 2024 it dropped by 27.5% to 700.6 MW.",
            "Capacity nearly quadrupled from 260.9 MW in 2022 to 965.8 MW in 2023.",
        ],
    ),
    (
        "countries",
        "Which countries spent the most?",
        [
            "Turkey spent the most, $19.4 billion, followed by Portugal ($13.8 billion) and Vietnam ($13.2 billion).",
            "Here are the top 5 countries by cost:\n\n1. Turkey – 19,412.69\n2. Portugal – 13,832.68\n3. Vietnam – 13,154.80\n4. Egypt – 11,072.62\n5. Norway – 7,823.93",
            "Turkey's bill is about 2.5 times Norway's.",
        ],
    ),
    (
        "weekdays",
        "Which weekday is best?",
        [
            "Fridays are the best (+0.11% on average) and Tuesdays the worst (-0.10%).",
            "Only Mondays and Fridays show gains on average.",
            "On average the index rises 0.07% on Mondays, but falls 0.10% on Tuesdays.",
        ],
    ),
    (
        "prices_in_all",
        "Summarise prices",
        [
            "The close ranged from 14,399.89 to 18,287.83.",
            "It started at 16,981.95 and ended at 15,900.61, a loss of 6.4%.",
            "Average daily volume was about 3.5 million.",
        ],
    ),
    (
        "price_months",
        "Monthly prices in 2024?",
        [
            "July closed at 14,797.42, the lowest monthly close of the year, and August rebounded 11.7% to 16,534.21.",
            "Volume peaked in August at 84.8 million.",
        ],
    ),
    (
        "discounts",
        "How common are discounts?",
        [
            "Only 54 orders got the maximum discount of 30%.",
        ],
    ),
    (
        "operators",
        "Who has the most failures?",
        [
            "Among named operators, Amara has the highest failure rate at 4.87%, and Hugo the lowest at 1.85%.",
            "The 53 tests without an operator failed 9.4% of the time.",
            "Farid (4.7%) and Bogdan (4.5%) are close behind.",
        ],
    ),
    (
        "failures",
        "Failures by station?",
        [
            "ST-05 had the most failures, 32 of 139 (23%).",
            "ST-07 recorded only 9 failures, the fewest of all stations.",
            "Four stations had at least 19 failures: ST-05, ST-04, ST-01 and ST-06.",
        ],
    ),
    (
        "customers",
        "Top customers?",
        [
            "Our five biggest customers are Sequoia Group (46,128.39), Sequoia Supply (44,280.29), Willow Supply (38,294.27), Maple Group (35,549.11) and Olive Trading (31,633.71).",
            "The top customer, Sequoia Group, is 1,848.10 ahead of Sequoia Supply.",
        ],
    ),
    (
        "yield",
        "Yield by station?",
        [
            "ST-07 has the best yield, 97.8% (405 of 414 tests passed), and ST-05 the worst, 92.6%.",
            "The gap between the best and the worst station is 5.2 percentage points.",
            "The 95% interval for ST-05 runs from 89.8% to 94.7%.",
        ],
    ),
    (
        "pareto",
        "Where does the money go?",
        [
            "Offshore Wind alone accounts for 41.6% of cost; together with Hydro it reaches 61.9%.",
            "Three technologies make up 80.7% of the cost.",
            "Battery Storage contributes a mere 3.1%.",
        ],
    ),
    (
        "change",
        "Why did revenue change?",
        [
            "North America contributed the most to the growth: +37,020.05, or 89.2% of the net change.",
            "Europe pulled revenue down by 18,369.92.",
            "Revenue rose by 41,519.13 in all, with Asia adding 36,238.52.",
        ],
    ),
    (
        "steps",
        "Describe the measurements",
        [
            "Board Temperature averages 44.16 with a standard deviation of 9.54.",
            "Leakage is the only step with a negative minimum, -0.85.",
            "RF Power has just 2 outliers, Board Temperature 11.",
        ],
    ),
    (
        "world",
        "Balances?",
        [
            "Oslo is in the red by €125,400.50, while Delhi has the highest balance, €240,150.00.",
            "Cairo's error rate is the lowest: 0.009%.",
            "Oslo has about 3.48 billion users, far more than Delhi's 981 million.",
            "Two cities have a negative balance: Oslo and Cairo.",
        ],
    ),
    (
        "told_edit",
        "Delete the rows of cancelled orders",
        [
            "Done: I removed 302 rows, so the table now has 4,698 rows instead of 5,000.",
            "302 of the 5,000 rows were deleted.",
        ],
    ),
    ("chile", "Chile by year?", ["Over the ten years, Chile installed 4,461.1 MW."]),
]

DOUBTED: list[tuple[str, str, list[str]]] = [
    (
        "months",
        "How did 2024 go by month?",
        [
            "The fourth quarter alone – October (83,792.12), November (74,470.82) and December (86,640.28) – makes up 36.2% of the year."
        ],
    ),
    (
        "discounts",
        "How common are discounts?",
        [
            "Nearly half of the orders (2,485, or 49.7%) had no discount at all.",
            "149 orders have no discount recorded.",
        ],
    ),
]
"""Right as well; their evidence is not found, so they are marked."""
