"""(results, question, answers): at least one figure or name of each answer is wrong."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, list[str]]] = [
    (
        "months",
        "",
        [
            "Q3 was clearly the strongest quarter, bringing in 244,903.22.",
            "Orders peaked in December at 223, up from 180 in November.",
            "The weakest month, April, brought in only 35,810.30.",
            "Only three months stayed below 50,000: January, April and June.",
            "In March there were 151 orders worth $52.8 million.",
            "In July there were 151 orders worth $52.8K.",
            "Revenue grew every month in the fourth quarter.",
            "December had twice as many orders as November.",
            "The second-best month was November.",
        ],
    ),
    (
        "technology",
        "",
        [
            "Hydro's average cost per project was about $266 million.",
            "Wind (onshore and offshore) cost $56.2 billion in total.",
            "**Hydro** ranks third by capacity with 12.3 GW.",
            "Battery Storage has the highest cost, $3.4 billion.",
            "Hydro cost more than Offshore Wind.",
            "Solar PV has the most projects.",
            "Offshore Wind has the largest capacity.",
        ],
    ),
    (
        "regions_by_year",
        "",
        [
            "South America has been growing: 65,224.60 in 2022, 63,788.44 in 2023, and 52,137.14 in 2024.",
            "Oceania's revenue jumped 44.0% in 2023.",
            "In 2024, Europe outsold North America by 63,773.80.",
            "In 2022, Asia made 111,396.52.",
            "In 2024 Asia was the largest region.",
            "Asia's revenue fell every year.",
            "North America exceeded 250,000 in 2024.",
        ],
    ),
    (
        "category_by_channel",
        "",
        [
            "In stores, Furniture made 231,674.52, followed by Kitchen with 93,878.90.",
            "Garden made the most through partners: 33,465.77.",
            "Office had 509 orders in stores.",
            "Online Garden is the largest combination.",
            "Kitchen made 396,931.21 online.",
        ],
    ),
    (
        "world",
        "",
        [
            "Delhi has the highest error rate, 2.18%.",
            "Lima has the most users.",
            "Oslo and Delhi have 5.46 billion users combined.",
            "Cairo has a balance of €4,310.00.",
            "Quito owes €15,200.75.",
        ],
    ),
    ("yield", "", ["Only ST-05 is below 90%.", "All stations are above 95%.", "ST-08 has the lowest yield."]),
    (
        "change",
        "",
        [
            "Two regions declined.",
            "Oceania fell the most, by 18,369.92.",
            "Europe grew by 18,369.92.",
            "Asia had the biggest increase.",
        ],
    ),
    ("weekdays", "", ["Four of the five weekdays lose on average.", "Thursday is the worst day."]),
    (
        "chile",
        "",
        [
            "Capacity was above 500 MW in seven of the ten years.",
            "From 2023 to 2024 it declined by 365.2 MW.",
            "From 2022 to 2023 it declined to 965.8 MW.",
            "2016 was the weakest year.",
        ],
    ),
    (
        "brands",
        "",
        [
            "Обрій — найдешевший бренд.",
            "Сокіл і Зоря разом мають 2 812 одиниць.",
            "Середня ціна Мавки на 44,1 % вища, ніж в Обрія.",
            "Лелека має більше одиниць, ніж Кобзар.",
        ],
    ),
    (
        "cities",
        "",
        [
            "Казань и Новосибирск близки: 87 424 и 89 775 ₽.",
            "В Перми самая низкая зарплата.",
            "Разница между Москвой и Томском — 64 942 ₽.",
            "В Самаре работают 24 человека.",
            "Больше всего сотрудников в Санкт-Петербурге.",
        ],
    ),
    (
        "region",
        "",
        ["Asia sells almost twice as much as Europe.", "Europe's revenue is more than North America's."],
    ),
    (
        "customers",
        "",
        [
            "Together, the five largest customers bought for 185,885.77.",
            "Maple Group bought more than Willow Supply.",
        ],
    ),
    ("prices_in_all", "", ["The highest close was 14,399.89.", "It fell by 16.4% from start to end."]),
    (
        "failures",
        "",
        [
            "ST-07 had the most failures.",
            "ST-01 had more failures than ST-05.",
            "Half of the failures came from ST-05.",
        ],
    ),
    ("yield", "", ["ST-03 passed 481 of 481 tests."]),
]

MISSED: list[tuple[str, str, list[str]]] = [
    ("customers", "", ["The fifth customer is Maple Group."]),
]
"""Wrong as well; nothing tells so yet."""
