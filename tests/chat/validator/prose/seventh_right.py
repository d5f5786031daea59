"""(results, question, right answer, changes): more long answers, about results of the earlier prose as well."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "quarters",
        "How did quarterly revenue develop in 2024?",
        "Revenue went up and down in 2024. After a solid first quarter (139.6K), Q2 slipped to 131.1K (−6.1%), before Q3 recovered to 161.8K. The fourth quarter then jumped by 51% to 244.9K, which makes it the best quarter on record.\n\nFor the full year that adds up to 677.4K.",
        [("(−6.1%)", "(−1.6%)"), ("by 51% to 244.9K", "by 61% to 244.9K")],
    ),
    (
        "fails",
        "Which tests should we look at first?",
        "I'd start with **RF Power**: 4.69% of its 640 runs failed, i.e. 30 failures. That's 2 percentage points more than Boot Time (2.70%), the most reliable step.",
        [("30 failures", "40 failures"), ("2 percentage points", "3 percentage points")],
    ),
    (
        "stock",
        "Що в нас на складі?",
        "На складі 7 657 одиниць у всіх категоріях. Найбільше смартфонів (1 600), моніторів (1 305) і ноутбуків (1 241) — ці три категорії дають 54 % усього запасу. Найменше принтерів: 581.",
        [("54 % усього", "45 % усього"), ("моніторів (1 305)", "моніторів (1 241)")],
    ),
    (
        "nations",
        "Which six countries matter most?",
        "The six biggest markets are the United States ($370.8K), Germany ($227.2K), Japan ($200.9K), France ($199.4K), Canada ($144.4K) and India ($144.3K). Combined they bring in about $1.29 million, of which the US contributes almost 29%.",
        [("about $1.29 million", "about $1.92 million"), ("almost 29%", "almost 39%")],
    ),
    (
        "categories",
        "Is furniture really that important?",
        "Absolutely! Furniture earns $860.8K, nearly half of the total ($1.84M) and 2.5x as much as Office, the runner-up. In terms of orders, however, it's only fourth with 789, behind Kitchen (1,038), Office (917) and Garden (829).",
        [("2.5x as much", "3.5x as much"), ("it's only fourth", "it's only third")],
    ),
    (
        "py_frame",
        "which channel has the highest basket?",
        "Partner, at $645.14 per order. That's $318.91 more than online and almost exactly double the store average ($318.61).",
        [("$318.91 more", "$381.91 more"), ("almost exactly double", "almost exactly triple")],
    ),
    (
        "v_channels",
        "Який канал найвигідніший?",
        "За середнім чеком — partner: 645 проти 326 в online і 319 у store. Крім того, там найменше повернень (2 %). Але за загальним доходом попереду online — 878,5 тис., це на 71 % більше, ніж у store.",
        [("на 71 % більше", "на 61 % більше"), ("326 в online і 319 у store", "319 в online і 326 у store")],
    ),
    (
        "v_city",
        "Сколько человек работает за пределами двух столиц?",
        "За пределами Москвы и Санкт-Петербурга работают 262 человека, то есть 52,4 % сотрудников. Крупнейший из остальных городов — Казань (74), за ней следуют Новосибирск (59) и Екатеринбург (45).",
        [("262 человека", "226 человек"), ("52,4 %", "54,2 %")],
    ),
    (
        "v_months",
        "Were there any months with more than 200 orders?",
        "Yes, just one: December, with 223 orders. November came close with exactly 200. All other months stayed at 180 or below, and the lowest count was 104 in February.",
        [("December, with 223", "December, with 232"), ("at 180 or below", "at 150 or below")],
    ),
    (
        "v_products",
        "top 3 by units",
        "1. Monitor Arm — 680\n2. Cutting Board — 642 (38 fewer)\n3. Baking Tray — 638\n\nThese three products account for 1,960 units.",
        [("(38 fewer)", "(83 fewer)"), ("1,960 units", "1,690 units")],
    ),
]
