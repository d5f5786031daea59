"""(results, question, right answer, changes): long answers that are still judged wrongly."""

from __future__ import annotations

DOUBTED: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "v_months",
        "Was the second half of 2024 better than the first?",
        "Yes. The second half of 2024 generated **$406,702**, which is 50% more than the first half ($270,704). In absolute terms, that's an increase of around $136,000. The best month of the first half was March ($52.8K); six months later, September reached $58.3K.",
        [
            ("**$406,702**", "**$460,702**"),
            ("which is 50% more", "which is 50% less"),
            ("around $136,000", "around $163,000"),
            ("was March ($52.8K)", "was May ($52.8K)"),
        ],
    ),
    (
        "v_close_years",
        "How did the price perform each year?",
        "| Year | First close | Last close | Change |\n|---|---|---|---|\n| 2022 | 16,981.95 | 16,350.04 | -3.7% |\n| 2023 | 16,313.14 | 17,687.88 | +8.4% |\n| 2024 | 17,827.37 | 15,900.61 | -10.8% |\n\nSo 2023 was the only positive year. Over the whole period the price went from 16,981.95 down to 15,900.61, a loss of 6.4%. Note that 2024 has only 236 trading days in the data, against 260 in each of the other two years.",
        [
            ("| +8.4% |", "| +4.8% |"),
            ("a loss of 6.4%", "a loss of 4.6%"),
            ("2023 was the only positive year", "2022 was the only positive year"),
            ("against 260", "against 250"),
        ],
    ),
    (
        "v_drops",
        "On which days did the price fall by more than 2.5%?",
        "There were **25 days** on which the close fell by more than 2.5%. The five worst:\n\n1. 4 June 2024: −6.20%\n2. 28 February 2024: −4.87%\n3. 11 January 2023: −4.62%\n4. 4 November 2022: −4.34%\n5. 17 May 2024: −4.25%\n\nThree of these five fell in 2024. The most recent one in the list is 12 September 2024 (−3.5%).",
        [
            ("**25 days**", "**23 days**"),
            ("2. 28 February 2024: −4.87%", "2. 28 February 2024: −4.78%"),
            ("Three of these five", "Four of these five"),
            ("12 September 2024 (−3.5%)", "12 September 2024 (−3.1%)"),
        ],
    ),
    (
        "v_hired",
        "Сколько человек нанимают в среднем за год?",
        "В среднем ≈38 человек в год (500 сотрудников за 13 лет, с 2012 по 2024). Но с 2021 года ежегодно нанимали более 50 человек, а до 2020 года — не больше 41.",
        [("≈38 человек", "≈48 человек"), ("за 13 лет", "за 12 лет"), ("не больше 41", "не больше 31")],
    ),
    (
        "v_channels",
        "Де найбільше повернень?",
        "Найбільше повернень у каналі online — 8,3 %. У магазинах (store) повертають приблизно кожне двадцять п'яте замовлення (4,0 %), а в partner — лише 2,0 %. Отже, онлайн-замовлення повертають учетверо частіше, ніж партнерські. Варто перевірити, які саме товари повертають.",
        [("учетверо частіше", "удвічі частіше"), ("(4,0 %)", "(4,9 %)")],
    ),
    (
        "v_months",
        "Як розвивався дохід у другому півріччі 2024?",
        "У другому півріччі 2024 року дохід становив 406,7 тис. — на 50 % більше, ніж у першому (270,7 тис.). Найбільше приніс грудень (86,6 тис.), найменше — серпень (43,8 тис.). На IV квартал припало 60 % доходу півріччя: 244,9 тис.",
        [
            ("найменше — серпень (43,8 тис.)", "найменше — липень (43,8 тис.)"),
            ("припало 60 %", "припало 50 %"),
        ],
    ),
    (
        "v_hired",
        "Сколько людей наняли за последние три года?",
        "За последние три года (2022–2024) приняли 177 человек — это 35,4 % от всех 500. При этом найм растёт: 52 → 61 → 64. Но до рекорда 2021 года (66) пока не хватает двух человек.",
        [("177 человек", "171 человек"), ("52 → 61 → 64", "52 → 64 → 61")],
    ),
    (
        "v_technology",
        "Какая технология самая дорогая?",
        "Дороже всего обходится Offshore Wind: 45,6 млрд долларов, или 41,6 % всех затрат. Это вдвое больше, чем у Hydro (22,3 млрд), хотя проектов у неё всего 78 — меньше, чем у остальных. Самая дешёвая в сумме — Battery Storage (3,4 млрд).",
        [("41,6 %", "46,1 %"), ("всего 78", "всего 87")],
    ),
    (
        "built",
        "Show the development of capacity",
        "- 2015 was the weakest year (2,920.8 MW).\n- The peak came in 2021 with 10,857.7 MW, almost four times as much.\n- Since then additions have fluctuated: 2024 ended at 10,002.0 MW, about 8% below the peak.\n\nAcross all ten years, 81,208.3 MW were installed.",
        [("about 8% below the peak", "about 18% below the peak"), ("81,208.3 MW", "82,108.3 MW")],
    ),
    (
        "jobs",
        "Какие должности самые высокооплачиваемые?",
        "На первом месте руководители: в среднем 176 302 ₽. Дальше с большим отрывом идут инженеры (110 364 ₽) и аналитики (104 927 ₽). Разница между первым и вторым местом — почти 66 тыс. ₽. Стажёры получают меньше всех, 48 219 ₽.",
        [("почти 66 тыс.", "почти 56 тыс."), ("инженеры (110 364 ₽)", "инженеры (104 927 ₽)")],
    ),
]
"""Right; the evidence of a figure in each is not found, so it is marked."""

MISSED: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "v_channels",
        "Which channel has the worst return rate?",
        "Online, by a wide margin. 8.3% of online orders come back, compared with 4.0% in stores and just 2.0% for partners. That is a difference of 6.3 percentage points between the best and the worst channel. Since online also accounts for 54% of all orders, it would be worth looking into the reasons for these returns first.",
        [("Online, by a wide margin", "Partner, by a wide margin")],
    ),
    (
        "v_months",
        "average monthly revenue 2024?",
        "On average, 2024 brought in ≈ $56.5K per month (about 151 orders). Five of the twelve months were above that average: July, September, October, November and December.",
        [("July, September", "August, September")],
    ),
    (
        "v_big_orders",
        "show the 10 largest online orders above 3000",
        "Here are the 10 largest online orders with revenue above 3,000. The top one is #100243 from Birch Stores (10,899.30), and the tenth is #102553 from Chestnut Supply (4,899.23). Three of them were placed in February 2022 and two in February 2023. The list only shows the first 10 rows, so there may be more orders that match.",
        [("the tenth is #102553", "the tenth is #102642")],
    ),
    (
        "v_discounted v_all_orders",
        "Яка частка замовлень зі знижкою 20 % і більше?",
        "Приблизно кожне десяте замовлення (504 із 5 000, або 10,1 %). У грошах частка менша — 8,1 % від 1,84 млн. Середній чек таких замовлень — 294,57 проти 368,30 загалом.",
        [("294,57 проти 368,30", "368,30 проти 294,57")],
    ),
]
"""Changes that make an answer wrong; nothing tells so yet."""
