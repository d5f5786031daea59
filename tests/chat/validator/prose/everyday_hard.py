"""(results, question, right answer, changes): looser or longer sentences than most."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "nations",
        "Which country has the highest average order?",
        "France has the highest average order value at 407.73, ahead of the United States (391.98); India has the lowest, 326.54.",
        [("407.73", "417.73"), ("(391.98)", "(357.18)"), ("India has the lowest", "Japan has the lowest")],
    ),
    (
        "years categories",
        "How much of revenue is Furniture?",
        "Furniture accounts for $860,767.05 of the $1,841,479.99 earned from 2022 to 2024, or 46.7%.",
        [("46.7%", "42.7%"), ("$1,841,479.99", "$1,814,479.99")],
    ),
    (
        "years",
        "Why did revenue grow?",
        "Growth came from volume rather than price: orders rose 24.1% between 2022 and 2024, while revenue per unit barely moved (88.68 in 2022, 89.77 in 2024).",
        [("24.1%", "21.4%"), ("88.68", "86.88"), ("89.77", "98.77")],
    ),
    (
        "stock",
        "Порівняй смартфони й монітори",
        "Смартфонів на 295 більше, ніж моніторів (1 600 проти 1 305), тобто перевага становить 22,6 %.",
        [("295", "259"), ("22,6 %", "26,2 %"), ("більше, ніж моніторів", "менше, ніж моніторів")],
    ),
]

DOUBTED: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "quarters",
        "How did quarterly revenue develop?",
        "Revenue peaked in **Q4 2024** at **244,903.22**, up 11.7% from Q4 2023 (219,316.82). The weakest quarter was Q3 2022 with 119,653.26. Every year, the fourth quarter was the strongest one.",
        [
            ("11.7%", "17.7%"),
            ("up 11.7%", "down 11.7%"),
            ("219,316.82", "156,030.43"),
            ("Q3 2022 with", "Q2 2022 with"),
            ("the fourth quarter was", "the second quarter was"),
            ("peaked in **Q4 2024**", "peaked in **Q4 2023**"),
        ],
    ),
    (
        "years",
        "How have sales developed over the years?",
        "Sales have grown every year:\n\n- **2022:** $528,187 (5,956 units)\n- **2023:** $635,887 (7,271 units)\n- **2024:** $677,406 (7,546 units)\n\nThat's a total increase of about **28%** in revenue and **26.7%** in units since 2022. Growth slowed in 2024, though: revenue rose by only 6.5% compared with 20.4% the year before.",
        [
            ("**26.7%**", "**36.7%**"),
            ("(7,271 units)", "(7,546 units)"),
            ("Growth slowed", "Growth accelerated"),
            ("only 6.5%", "only 8.5%"),
            ("**2023:** $635,887", "**2023:** $653,887"),
            ("about **28%**", "about **38%**"),
            ("have grown every year", "have fallen every year"),
        ],
    ),
    (
        "costly",
        "Які товари найдорожчі?",
        "Три найдорожчі товари:\n\n1. Ноутбук Зоря Студент 18 — 82 114,94 грн\n2. Ноутбук Обрій Лайт 62 — 71 448,71 грн\n3. Ноутбук Зоря Студент 86 — 58 593,72 грн\n\nПерший дорожчий за другий на 10 666,23 грн.",
        [
            ("10 666,23", "10 966,23"),
            ("2. Ноутбук Обрій Лайт 62 — 71 448,71", "2. Ноутбук Обрій Лайт 62 — 58 593,72"),
            ("58 593,72", "58 539,72"),
        ],
    ),
    (
        "quarters",
        "Is there a seasonal pattern?",
        "Yes, sales are clearly seasonal: the fourth quarter alone makes up about a third of all revenue (620,250.47 of 1,841,479.99). In each of the three years, Q4 beat Q3 by at least 30%.",
        [
            ("about a third", "about half"),
            ("620,250.47", "602,250.47"),
            ("by at least 30%", "by at least 50%"),
        ],
    ),
    (
        "quarters",
        "How did the first half of 2024 go?",
        "The first half of 2024 brought in 270,704.33 (Q1: 139,625.97, Q2: 131,078.36), and the second half 406,701.90, roughly 50% more.",
        [
            ("270,704.33", "277,704.33"),
            ("406,701.90", "416,701.90"),
            ("roughly 50% more", "roughly 70% more"),
            ("first half of 2024 brought", "first half of 2023 brought"),
        ],
    ),
    (
        "categories",
        "How concentrated is revenue?",
        "Revenue is very concentrated. Furniture alone brings in more than the four smallest categories combined (860,767.05 vs. 635,411.75), and 6.6 times as much as Garden, which comes last.",
        [
            ("635,411.75", "653,411.75"),
            ("6.6 times", "4.6 times"),
            ("Garden, which comes last", "Lighting, which comes last"),
        ],
    ),
    (
        "office_2024 years",
        "What share of 2024 revenue comes from Office?",
        "Office made up 19.5% of revenue in 2024 (132,406.99 out of 677,406.23).",
        [("19.5%", "15.9%"), ("677,406.23", "635,887.10")],
    ),
    (
        "py_wide",
        "Which regions are shrinking?",
        "Three regions shrank in 2024: Europe (-9.4%), Oceania (-2.8%) and South America (-18.3%). Asia and North America kept growing, by 32.5% and 18.2% respectively.",
        [
            ("Three regions", "Two regions"),
            ("Oceania (-2.8%)", "Oceania (-8.2%)"),
            ("32.5% and 18.2% respectively", "18.2% and 32.5% respectively"),
            ("kept growing", "kept shrinking"),
        ],
    ),
    (
        "built",
        "Which years were above average?",
        "Six of the ten years were above the average of 8,120.8 MW: 2016, 2019, 2020, 2021, 2022 and 2024.",
        [("Six of", "Seven of"), ("2020, 2021", "2018, 2021"), ("8,120.8", "8,210.8")],
    ),
    (
        "fails",
        "How much worse is RF Power?",
        "RF Power's failure rate is about 1.7 times that of Boot Time, a difference of 2.0 percentage points; in absolute terms, 30 of its 640 tests failed.",
        [
            ("1.7 times", "1.3 times"),
            ("2.0 percentage points", "3.0 percentage points"),
            ("30 of its", "40 of its"),
        ],
    ),
    (
        "py_named",
        "How skewed is order value?",
        "A typical order is worth about $145, yet the average is $368 because of a few big ones: 5% of orders exceed $1,391. Roughly a quarter of all orders (1,251) lie above the mean.",
        [("about $145", "about $245"), ("exceed $1,391", "exceed $1,931"), ("(1,251)", "(1,351)")],
    ),
    (
        "jobs",
        "Насколько руководители получают больше?",
        "Руководители получают на 128 083 ₽ больше стажёров и на 60 % больше инженеров, хотя их всего 50 — каждый десятый сотрудник.",
        [("128 083", "182 083"), ("на 60 % больше", "на 40 % больше"), ("всего 50", "всего 62")],
    ),
]
"""Right as well; the evidence of a figure in each is not found, so it is marked."""

MISSED: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "nations",
        "Revenue by country",
        "The **United States** leads with **$370,809** from 946 orders, 63.2% more than Germany in second place.\n\n- United States: $370.8K\n- Germany: $227.2K\n- Japan: $200.9K\n- France: $199.4K\n- Canada: $144.4K\n- India: $144.3K\n\nCanada and India are almost level.",
        [("Canada and India", "Canada and Germany")],
    ),
    (
        "quarters",
        "How did 2024 compare with 2023?",
        "Comparing each quarter of 2024 with the same quarter of 2023:\n\n| Quarter | 2023 | 2024 | Change |\n|---|---:|---:|---:|\n| Q1 | 132.7K | 139.6K | +5.2% |\n| Q2 | 138.5K | 131.1K | −5.4% |\n| Q3 | 145.4K | 161.8K | +11.3% |\n| Q4 | 219.3K | 244.9K | +11.7% |\n\nOnly Q2 fell below the previous year.",
        [("Only Q2 fell", "Only Q3 fell")],
    ),
    (
        "stock",
        "Скільки товарів на складі за категоріями?",
        "Найбільше на складі **смартфонів — 1 600 шт.**, що становить 20,9 % від загальної кількості (7 657).\n\n| Категорія | Кількість | Найвища ціна |\n|---|---:|---:|\n| Смартфони | 1 600 | 37 362,89 |\n| Монітори | 1 305 | 15 360,78 |\n| Ноутбуки | 1 241 | 82 114,94 |\n\nНайдорожчий товар — у категорії «Ноутбуки».",
        [("у категорії «Ноутбуки»", "у категорії «Смартфони»")],
    ),
]
"""Changes that make an answer wrong; nothing tells so yet."""

CLAIMS: list[tuple[str, str, list[str]]] = [
    (
        "categories",
        "",
        [
            "Garden earns more than Textiles.",
            "Kitchen is the second-largest category by revenue.",
            "Office has fewer orders than Lighting.",
        ],
    ),
    (
        "years",
        "",
        [
            "Revenue declined in 2024.",
            "2023 was the strongest year so far.",
            "Units sold fell from 2022 to 2023.",
        ],
    ),
    ("quarters", "", ["Revenue has grown in every quarter of 2024."]),
    ("fails", "", ["Leakage has the highest failure rate.", "Boot Time fails more often than RF Power."]),
    ("py_frame", "", ["Stores have the highest average order.", "The partner channel has the most orders."]),
    ("py_wide", "", ["South America grew in 2024.", "Oceania overtook South America in 2022."]),
    ("jobs", "", ["Стажёры зарабатывают больше специалистов.", "Руководителей меньше, чем стажёров."]),
    ("stock", "", ["Найбільше на складі моніторів.", "Навушників більше, ніж ноутбуків."]),
    ("closes", "", ["2024 had the highest average close."]),
]
"""Wrong without a figure."""

UNTOLD: list[tuple[str, str, list[str]]] = [
    ("quarters", "", ["The third quarter of 2023 was better than the fourth."])
]
"""Wrong without a figure; nothing tells so yet."""
