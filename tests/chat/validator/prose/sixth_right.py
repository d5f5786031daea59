"""(results, question, right answer, changes): a second set of long everyday answers, in three languages."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "v_countries",
        "How concentrated is our revenue geographically?",
        "Pretty concentrated. The US alone accounts for a fifth of revenue (20.1%), and together with Germany, Japan and France it makes up 54%. The remaining eight countries share the other 46%; the smallest two, New Zealand and Argentina, contribute less than 6% combined.",
        [("20.1%", "21.0%"), ("less than 6% combined", "less than 4% combined")],
    ),
    (
        "v_countries",
        "Compare Canada and India",
        "Canada and India are practically tied on revenue:\n\n| | Canada | India |\n|---|---:|---:|\n| Revenue | $144,387.71 | $144,331.40 |\n| Orders | 386 | 442 |\n| Avg. order value | $374.06 | $326.54 |\n\nIndia needs 56 more orders to reach the same revenue, because its average order is about $48 smaller.",
        [("| Orders | 386 | 442 |", "| Orders | 442 | 386 |"), ("56 more orders", "65 more orders")],
    ),
    (
        "v_countries",
        "Which countries have fewer than 200 orders?",
        "Only two countries have fewer than 200 orders: **Argentina** (177) and **New Zealand** (142). Interestingly, New Zealand's average order of $411.72 is the highest of all, while Argentina's ($271.45) is the lowest – a gap of around $140.",
        [("Only two", "Only three"), ("gap of around $140", "gap of around $120")],
    ),
    (
        "v_channels",
        "Is the partner channel worth it?",
        "I'd say yes. Partner orders make up just 14% of orders but 24.5% of revenue, since the average partner order ($645.14) is about 98% higher than an online one ($326.23). On top of that, partners have the lowest return rate, 2.0%, which is less than a quarter of online's 8.3%.\n\nOne caveat: 698 orders is a much smaller base than online's 2,693.",
        [("24.5% of revenue", "27.8% of revenue"), ("about 98% higher", "about 88% higher")],
    ),
    (
        "v_channels",
        "orders by channel",
        "Online: 2,693 (54%)\nStore: 1,609 (32%)\nPartner: 698 (14%)\n\nTotal: 5,000",
        [("Store: 1,609 (32%)", "Store: 1,609 (36%)"), ("Total: 5,000", "Total: 5,500")],
    ),
    (
        "v_months",
        "Describe the monthly trend in 2024",
        "Sales started slowly in 2024: January brought in only $35.6K, and after a better February and March (both above $51K) April dropped back to $35.8K, a decline of 32%. From May to July revenue moved between $44.2K and $59.7K. The fourth quarter was by far the best, with October, November and December all above $74K; they add up to $244.9K.",
        [
            ("a decline of 32%", "a decline of 23%"),
            ("between $44.2K and $59.7K", "between $44.2K and $69.7K"),
        ],
    ),
    (
        "v_months",
        "Best and worst month by number of orders?",
        "December had the most orders (223) and February the fewest (104), so less than half as many. November was second with 200. On average there were about 151 orders a month, 1,810 in total.",
        [
            ("February the fewest (104)", "January the fewest (104)"),
            ("November was second with 200", "October was second with 200"),
        ],
    ),
    (
        "v_year_channel",
        "Which channel contributed most to growth in 2024?",
        "In 2024, **partner** contributed the most: its revenue rose by **$40,497** (+28.4%), from $142,394 to $182,891. **Online** added another **$33,037** (+11.0%), while **store** lost **$32,016** (−16.5%). Net of the store decline, total revenue still grew by about $41.5K.",
        [("**$40,497**", "**$44,097**"), ("about $41.5K", "about $45.1K")],
    ),
    (
        "v_year_channel",
        "How has the share of online changed?",
        "Online's share of revenue went from 46.6% in 2022 to 47.1% in 2023 and 49.1% in 2024, so it's slowly approaching half of the business. In absolute numbers, online orders climbed from 748 to 1,033 over the same period, an increase of 38%.",
        [("49.1% in 2024", "41.9% in 2024"), ("an increase of 38%", "an increase of 28%")],
    ),
    (
        "v_top_customers v_all_orders",
        "How dependent are we on our top customers?",
        "Not very. The largest customer, Sequoia Group ($46,128), accounts for 2.5% of total revenue of $1.84M, and the top 3 together for 7%. Even the ten largest customers combined reach just under 19%. That said, Sequoia Group and Sequoia Supply might belong together; combined they'd be at $90.4K, i.e. 4.9%.",
        [("for 2.5% of", "for 3.5% of"), ("at $90.4K, i.e. 4.9%", "at $94.0K, i.e. 4.9%")],
    ),
    (
        "v_products",
        "Which products have high volume but low revenue?",
        "Two products stand out:\n\n- **Baking Tray**: 638 units, but only $9,788.57 (≈ $15 per unit)\n- **Kitchen Apron**: 548 units for $12,122.79 (≈ $22 per unit)\n\nFor comparison, the Corner Sofa earns about $673 per unit with 533 units sold.",
        [("(≈ $15 per unit)", "(≈ $25 per unit)"), ("about $673 per unit", "about $637 per unit")],
    ),
    (
        "v_close_years",
        "Was 2024 a good year for the price?",
        "No, it was the weakest of the three years. The price opened 2024 at 17,827.37 and closed it at 15,900.61, i.e. down about 10.8% or 1,927 points. By comparison, 2022 lost 3.7% and 2023 gained 8.4%. Average daily volume also slipped slightly, from 3.54 million in 2023 to 3.50 million.",
        [("2023 gained 8.4%", "2023 lost 8.4%"), ("or 1,927 points", "or 1,297 points")],
    ),
    (
        "v_drops",
        "biggest daily losses",
        "| Date | Close | Change |\n|---|---:|---:|\n| 2024-06-04 | 15,399.82 | -6.20% |\n| 2024-02-28 | 16,450.38 | -4.87% |\n| 2023-01-11 | 15,567.12 | -4.62% |\n\nThe loss on 4 June 2024 was 1.3 percentage points bigger than the second largest one. In total, 25 days lost more than 2.5%, and 11 of them were in 2022.",
        [
            ("1.3 percentage points", "1.8 percentage points"),
            ("11 of them were in 2022", "12 of them were in 2022"),
        ],
    ),
    (
        "v_stations",
        "Are the failure rates similar across stations?",
        "Mostly, yes – with one exception. Seven of the eight stations have failure rates between 2.2% and 3.9%. ST-05 is the outlier at 7.4%, roughly 3.4 times the rate of the best station (ST-07). Overall, 139 of 4,000 tests failed, which corresponds to about 3.5%.",
        [("Seven of the eight", "Six of the eight"), ("roughly 3.4 times", "roughly 2.4 times")],
    ),
    (
        "v_technology",
        "Which technology is the most cost-effective?",
        "Measured by cost per MW:\n\n1. Battery storage: ~$0.64M\n2. Solar PV: ~$0.74M\n3. Onshore wind: ~$1.18M\n4. Hydro: ~$1.81M\n5. Offshore wind: ~$2.07M\n\nSo batteries are cheapest, closely followed by solar. Offshore wind costs 2.8 times as much per MW as solar.",
        [("3. Onshore wind: ~$1.18M", "3. Onshore wind: ~$1.81M"), ("costs 2.8 times", "costs 3.8 times")],
    ),
    (
        "v_technology",
        "Summarise the installations",
        "There are 606 installations with a total capacity of about 81.2 GW and a total cost of $109.7 billion. Onshore wind has the most projects (138), just ahead of solar (136) and hydro (134). Offshore wind, with only 78 projects, still delivers 27% of the capacity.",
        [("81.2 GW", "82.1 GW"), ("delivers 27% of the capacity", "delivers 37% of the capacity")],
    ),
    (
        "v_solar_countries",
        "Which countries lead in solar?",
        "Egypt leads by a huge margin: 6,301 MW from 10 installations. Second is Portugal with 2,535 MW, so Egypt has almost 3,800 MW more. Turkey, Norway and Vietnam follow, all between 2,000 and 2,300 MW.",
        [("almost 3,800 MW more", "almost 4,800 MW more"), ("Second is Portugal", "Second is Turkey")],
    ),
    (
        "years v_year_channel",
        "Give me a quick summary of the business",
        "**Quick summary**\n\n- Revenue grew from $528K in 2022 to $677K in 2024 (+28%).\n- Orders increased by 24%, from 1,459 to 1,810.\n- The largest channel is online with $332.8K in 2024, about half of that year's revenue.\n- Store revenue declined to $161.7K in 2024, after $193.8K the year before.\n\nNext steps: I could break this down by the top 10 products or look at 2025 once the data is available.",
        [
            ("Orders increased by 24%", "Orders increased by 42%"),
            ("after $193.8K the year before", "after $193.8K two years before"),
        ],
    ),
    (
        "v_goods",
        "Порівняй Зорю та Сокіл",
        "У «Зорі» 72 позиції, у «Сокола» — 68, тобто різниця лише 4. Зате на складі «Сокола» трохи більше: 1 365 одиниць проти 1 347. Середня ціна «Зорі» — 15 333 грн, що на 31 % вище, ніж у «Сокола» (11 736 грн).",
        [("на 31 % вище", "на 13 % вище"), ("1 365 одиниць проти 1 347", "1 347 одиниць проти 1 365")],
    ),
    (
        "v_goods",
        "Скільки в нас брендів і товарів?",
        "Усього 7 брендів і 400 товарів. Три найбільші бренди — Зоря, Сокіл і Верба — мають разом 207 позицій, тобто трохи більше половини (51,8 %). Середня ціна коливається від 10 149 грн (Мавка) до 18 163 грн (Обрій).",
        [("207 позицій", "217 позицій"), ("7 брендів", "8 брендів")],
    ),
    (
        "v_close_years",
        "Якою була ціна на кінець кожного року?",
        "- 2022: 16 350,04\n- 2023: 17 687,88\n- 2024: 15 900,61\n\nНайвищою ціна була наприкінці 2023 року. Відтоді вона впала на 1 787,27, тобто приблизно на 10 %.",
        [("1 787,27", "1 878,27"), ("наприкінці 2023 року", "наприкінці 2022 року")],
    ),
    (
        "v_discounted v_all_orders",
        "Яка частка замовлень зі знижкою 20 % і більше?",
        "Приблизно кожне десяте замовлення (504 із 5 000, або 10,1 %). У грошах частка менша — 8,1 % від 1,84 млн. Середній чек таких замовлень — 294,57 проти 368,30 загалом.",
        [("10,1 %", "11,0 %")],
    ),
    (
        "v_city",
        "Сравни Москву и Петербург",
        "В Москве работает на 28 человек больше, чем в Санкт-Петербурге (133 против 105). Средняя зарплата там тоже выше: 131 442 ₽ против 104 144 ₽, разница — около 27 300 ₽, или 26 %. Максимальная зарплата в Москве — 375 тыс. ₽, в Петербурге — 236 тыс. ₽.",
        [("на 28 человек", "на 38 человек"), ("в Петербурге — 236 тыс.", "в Петербурге — 263 тыс.")],
    ),
    (
        "v_city",
        "В каких городах зарплата ниже 90 тысяч?",
        "В пяти городах из восьми средняя зарплата ниже 90 тыс. ₽: Казань (89,8 тыс.), Новосибирск (87,4 тыс.), Самара (87,0 тыс.), Пермь (79,4 тыс.) и Томск (76,5 тыс.). Выше — только Москва, Санкт-Петербург и Екатеринбург.",
        [("В пяти городах", "В четырёх городах"), ("Самара (87,0 тыс.)", "Самара (78,0 тыс.)")],
    ),
    (
        "v_high_pay",
        "У кого самая высокая зарплата?",
        "Самая высокая зарплата у Гусева Фёдора Викторовича — 375 000 ₽. На втором месте Хохлова Дарья Олеговна, она получает всего на 4 500 ₽ меньше. Замыкает пятёрку Яшина Мария Максимовна с 276 000 ₽.",
        [("на 4 500 ₽ меньше", "на 5 400 ₽ меньше"), ("На втором месте Хохлова", "На втором месте Дроздов")],
    ),
    (
        "v_year_channel",
        "Как изменились продажи по каналам в 2024 году?",
        "По сравнению с 2023 годом:\n\n- online: +11,0 % (299,7 тыс. → 332,8 тыс.)\n- partner: +28,4 % (142,4 тыс. → 182,9 тыс.)\n- store: −16,5 % (193,8 тыс. → 161,7 тыс.)\n\nБыстрее всего вырос partner, а магазины потеряли около 32 тыс.",
        [("partner: +28,4 %", "partner: +24,8 %"), ("потеряли около 32 тыс.", "потеряли около 23 тыс.")],
    ),
]
