"""(results, question, answers): every figure and name of each answer is right."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, list[str]]] = [
    (
        "months",
        "",
        [
            "Orders peaked in December at 223, up from 200 in November.",
            "The weakest month, January, brought in only 35,614.38 – less than half of December's 86,640.28.",
            "Half-year comparison: April stood at 35.8K, October at 83.8K.",
            "Only four months stayed below 50,000: January, April, June and August.",
            "In March there were 151 orders worth $52.8K, and in July also 151 orders, worth $59.7K.",
        ],
    ),
    (
        "technology",
        "",
        [
            "Hydro's average cost per project was about $166 million.",
            "**Hydro** ranks fourth by capacity with 12.3 GW.",
            "Battery Storage has the lowest cost, $3.4 billion – roughly 3% of the total.",
        ],
    ),
    (
        "regions_by_year",
        "",
        [
            "South America has been shrinking: 65,224.60 in 2022, 63,788.44 in 2023, and 52,137.14 in 2024.",
            "Oceania's revenue jumped 54.0% in 2023 and dipped 2.8% in 2024.",
            "In 2024, North America outsold Europe by 63,773.80.",
        ],
    ),
    (
        "category_by_channel",
        "",
        [
            "In stores, Furniture made 231,674.52, followed by Office with 93,878.90.",
            "Garden made the least through partners: 33,465.77.",
            "Office customers prefer online: 509 orders versus 276 in stores and 132 via partners.",
        ],
    ),
    (
        "world",
        "",
        [
            "Delhi has the highest error rate, 0.218%.",
            "Lima has the fewest users: 129,004.",
            "Oslo and Delhi have 4.46 billion users combined.",
        ],
    ),
    ("yield", "", ["Only ST-05 is below 95%.", "ST-03 passed 470 of 481 tests, i.e. 97.7%."]),
    (
        "change",
        "",
        [
            "Three regions declined: Oceania, South America and Europe.",
            "Europe lost 18,369.92, South America 11,651.30 and Oceania 1,718.22.",
        ],
    ),
    ("weekdays", "", ["Three of the five weekdays lose on average."]),
    (
        "chile",
        "",
        ["Capacity was above 500 MW in five of the ten years.", "From 2023 to 2024 it declined by 265.2 MW."],
    ),
    (
        "brands",
        "",
        ["Сокіл і Зоря разом мають 2 712 одиниць.", "Середня ціна Мавки на 44,1 % нижча, ніж в Обрія."],
    ),
    (
        "cities",
        "",
        [
            "Казань и Новосибирск близки: 89 775 и 87 424 ₽.",
            "В Самаре средняя зарплата ровно 87 000 ₽.",
            "Разница между Москвой и Томском — 54 942 ₽.",
        ],
    ),
    (
        "region",
        "",
        [
            "Europe's revenue is a bit less than North America's: 543K vs 612K.",
            "Asia sells almost twice as much as South America.",
        ],
    ),
    ("yield", "", ["All stations except ST-05 are above 96%."]),
    ("customers", "", ["Together, the five largest customers bought for 195,885.77."]),
    ("brands", "", ["Обрій — найдорожчий, але за кількістю лише четвертий (1 249)."]),
]

DOUBTED: list[tuple[str, str, list[str]]] = [
    ("months", "", ["Q4 was clearly the strongest quarter, bringing in 244,903.22."]),
    ("technology", "", ["Wind (onshore and offshore) cost $66.2 billion in total."]),
    ("regions_by_year", "", ["Asia overtook nobody, but it came within 29,580.34 of Europe in 2024."]),
]
"""Right as well; their evidence is not found, so they are marked."""
