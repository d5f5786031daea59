"""(results, question, answers): at least one figure or name of each answer is wrong."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, list[str]]] = [
    (
        "regions_by_year",
        "How did the regions develop?",
        [
            "Asia grew from **86,190.70** in 2022 to **147,635.04** in 2024, a gain of 61.3%.",
            "Europe kept growing: revenue rose 9.4% in 2024 to 177,215.38.",
            "- **Asia**: 86.2K → 111.4K → 177.2K\n- **Europe**: 170.3K → 195.6K → 147.6K",
            "In 2022 North America led with 170,319.61.",
            "North America made 203,969.13 in 2024.",
            "North America added about 47,000 in 2024 compared to 2023.",
            "In 2023 Europe had the highest revenue of all regions.",
            "| Region | 2022 | 2023 | 2024 |\n|---|---:|---:|---:|\n| Asia | 86,190.70 | 147,635.04 | 111,396.52 |",
        ],
    ),
    (
        "category_by_channel",
        "Split by category and channel",
        [
            "Online Furniture is the largest combination at 396,931.21 (416 orders), about 31.6% of all revenue.",
            "Across all channels, Furniture brought in 850,767.05.",
            "Stores sold 232,161.32 of Furniture.",
            "For Kitchen, the online channel made 87,249.26 from 150 orders.",
            "The partner channel made 87,249.26 with Kitchen.",
            "Textiles earned the least online: 67,196.65.",
            "The online channel as a whole generated 778,535.07.",
        ],
    ),
    (
        "months",
        "How did 2024 go by month?",
        [
            "November was the best month of 2024 with 74,470.82.",
            "December was the best month of 2024 (**86,640.28**), and February the weakest.",
            "Revenue was 83,792.12 in September.",
            "The fourth quarter makes up 46.2% of the year.",
            "Revenue jumped 11.1% in November.",
            "Nine of the twelve months exceeded 50,000.",
            "February had the fewest orders, just 118.",
            "January had the fewest orders.",
            "On average, about 66.5K came in per month.",
            "December's revenue was roughly 3.4 times January's.",
            "In December 2023 revenue reached 86,640.28.",
            "Revenue climbed from 58,250.81 in September to 38,792.12 in October.",
            "All months exceeded 40,000.",
        ],
    ),
    (
        "technology",
        "Compare technologies",
        [
            "Solar PV leads in installed capacity with 24,087.3 GW.",
            "Offshore Wind is by far the most expensive: $45.6 million.",
            "Onshore and Offshore Wind together account for 58.7% of capacity.",
            "Hydro is the smallest technology by capacity.",
            "Offshore Wind has more projects (138) than Onshore Wind (78).",
            "Solar PV is the most expensive technology.",
            "Offshore Wind cost more than three times as much as Onshore Wind.",
            "1. Solar PV: 24,087.3\n2. Offshore Wind: 17,499.8\n3. Onshore Wind: 22,037.3",
            "There are 606 installations across six technologies.",
            "Geothermal added 5,271.9 MW.",
        ],
    ),
    (
        "chile",
        "Chile by year?",
        [
            "Chile's best year was 2024, with 965.8 MW installed.",
            "In 2024 it rose by 27.5% to 700.6 MW.",
            "Capacity nearly doubled from 260.9 MW in 2022 to 965.8 MW in 2023.",
            "Over the ten years, Chile installed 5,461.1 MW.",
            "Peru's best year was 2023, with 965.8 MW installed.",
        ],
    ),
    (
        "countries",
        "Which countries spent the most?",
        [
            "Turkey spent the most, $19.4 million.",
            "Turkey spent the most, followed by Vietnam ($13.8 billion) and Portugal ($13.2 billion).",
            "Here are the top 5 countries by cost:\n\n1. Turkey – 19,412.69\n2. Portugal – 13,832.68\n3. Spain – 13,154.80",
            "Norway's bill is about 2.5 times Turkey's.",
        ],
    ),
    (
        "weekdays",
        "Which weekday is best?",
        [
            "Fridays are the best (+0.11% on average) and Wednesdays the worst.",
            "Tuesdays gain 0.10% on average.",
            "On average the index rises 0.7% on Mondays.",
            "Mondays are the best day with 0.07%.",
        ],
    ),
    (
        "prices_in_all",
        "Summarise prices",
        [
            "The close ranged from 14,899.89 to 18,287.83.",
            "It started at 15,900.61 and ended at 16,981.95.",
            "It started at 16,981.95 and ended at 15,900.61, a gain of 6.4%.",
            "Average daily volume was about 3.5 billion.",
        ],
    ),
    (
        "price_months",
        "Monthly prices in 2024?",
        [
            "June closed at 14,797.42, the lowest monthly close of the year.",
            "August rebounded 17.7% to 16,534.21.",
            "Volume peaked in October at 84.8 million.",
        ],
    ),
    (
        "discounts",
        "How common are discounts?",
        [
            "Nearly half of the orders (2,485, or 59.7%) had no discount at all.",
            "149 orders got the maximum discount of 30%.",
            "795 orders have no discount recorded.",
        ],
    ),
    (
        "operators",
        "Who has the most failures?",
        [
            "Hugo has the highest failure rate of all operators.",
            "Farid failed 4.5% of the tests and Bogdan 4.7%.",
            "The 53 tests without an operator failed 4.9% of the time.",
            "Igor failed 2.9% of his tests.",
        ],
    ),
    (
        "failures",
        "Failures by station?",
        [
            "ST-05 had the most failures, 32 of 239.",
            "ST-02 recorded only 9 failures, the fewest of all stations.",
            "ST-04 had the most failures.",
            "ST-05 had 32 failures (33%).",
        ],
    ),
    (
        "customers",
        "Top customers?",
        [
            "Sequoia Supply is the top customer with 46,128.39.",
            "The top customer, Sequoia Group, is 2,848.10 ahead of Sequoia Supply.",
            "Maple Group ranks third with 35,549.11.",
        ],
    ),
    (
        "yield",
        "Yield by station?",
        [
            "ST-05 has the best yield, 97.8%.",
            "The gap between the best and the worst station is 5.2%.",
            "ST-07 passed 414 of 405 tests.",
            "The 95% interval for ST-05 runs from 89.8% to 97.8%.",
        ],
    ),
    (
        "pareto",
        "Where does the money go?",
        [
            "Offshore Wind alone accounts for 61.9% of cost.",
            "Hydro alone accounts for 41.6% of cost.",
            "Two technologies make up 80.7% of the cost.",
        ],
    ),
    (
        "change",
        "Why did revenue change?",
        [
            "Asia contributed the most to the growth.",
            "Europe pushed revenue up by 18,369.92.",
            "Revenue fell by 41,519.13 in all.",
            "South America contributed +11,651.30.",
        ],
    ),
    (
        "steps",
        "Describe the measurements",
        [
            "Board Temperature averages 44.16 with a standard deviation of 0.69.",
            "RF Power has the most outliers.",
            "Leakage's minimum is 0.85.",
        ],
    ),
    (
        "world",
        "Balances?",
        [
            "Oslo has the highest balance.",
            "Oslo's balance is €125,400.50.",
            "Cairo's error rate is 0.09%.",
            "Oslo has about 3.48 million users.",
            "Three cities have a negative balance.",
            "Paris has 981 million users.",
        ],
    ),
    (
        "told_edit",
        "Delete the rows of cancelled orders",
        ["Done: I removed 312 rows.", "The table now has 5,000 rows instead of 4,698.", "I added 302 rows."],
    ),
]
