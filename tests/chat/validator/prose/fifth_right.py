"""(results, question, right answer, changes): longer everyday answers in the voices of various models."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "v_countries",
        "Which countries bring in the most revenue?",
        "The top five countries by revenue are:\n\n1. **United States** – $370,808.77 (20.1% of the total)\n2. **Germany** – $227,165.52 (12.3%)\n3. **Japan** – $200,890.86 (10.9%)\n4. **France** – $199,379.63 (10.8%)\n5. **Canada** – $144,387.71 (7.8%)\n\nThe first four together make up more than half of all revenue (54.2%), and the gap between Japan and France is tiny: only about $1,500. Would you like me to show the top 10 instead?",
        [
            ("(20.1% of the total)", "(21.0% of the total)"),
            ("(54.2%)", "(45.2%)"),
            ("between Japan and France", "between Germany and France"),
            ("only about $1,500", "only about $2,500"),
            ("only about $1,500", "only about $1,100"),
        ],
    ),
    (
        "v_countries",
        "Where are orders the most valuable on average?",
        "New Zealand has the highest average order value at about **$412**, closely followed by France ($408) and the US ($392). Keep in mind that New Zealand only has 142 orders, the smallest sample of the 12 countries, so I'd treat that number with some caution. At the other end, Argentina averages just $271 per order.",
        [
            ("France ($408)", "France ($418)"),
            ("only has 142 orders", "only has 177 orders"),
            ("12 countries", "11 countries"),
            ("Argentina averages", "India averages"),
        ],
    ),
    (
        "v_countries",
        "US vs Germany",
        "US: 370.8K, 946 orders\nGermany: 227.2K, 636 orders\n\nUS is ahead by 143.6K (+63%). It also has ~310 more orders and a higher average order ($392 vs. $357).",
        [
            ("by 143.6K", "by 134.6K"),
            ("(+63%)", "(+36%)"),
            ("~310 more", "~210 more"),
            ("($392 vs. $357)", "($357 vs. $392)"),
        ],
    ),
    (
        "v_channels",
        "How do the sales channels compare?",
        "### Sales by channel\n\n| Channel | Revenue | Orders | Avg. order | Return rate |\n|---|---:|---:|---:|---:|\n| Online | $878,535 | 2,693 | $326 | 8.3% |\n| Store | $512,637 | 1,609 | $319 | 4.0% |\n| Partner | $450,308 | 698 | $645 | 2.0% |\n\n**Key takeaways**\n\n- Online is the largest channel, with nearly half of total revenue (47.7%).\n- Partner orders are worth twice as much as online or store orders.\n- Online orders are returned about four times as often as partner orders.",
        [
            ("| 698 | $645 | 2.0% |", "| 698 | $645 | 4.0% |"),
            ("nearly half of total revenue (47.7%)", "nearly half of total revenue (44.7%)"),
            ("about four times as often", "about three times as often"),
            ("are worth twice as much", "are worth three times as much"),
        ],
    ),
    (
        "v_channels",
        "Which channel has the worst return rate?",
        "Online, by a wide margin. 8.3% of online orders come back, compared with 4.0% in stores and just 2.0% for partners. That is a difference of 6.3 percentage points between the best and the worst channel. Since online also accounts for 54% of all orders, it would be worth looking into the reasons for these returns first.",
        [
            ("compared with 4.0% in stores", "compared with 2.0% in stores"),
            ("6.3 percentage points", "5.3 percentage points"),
            ("54% of all orders", "64% of all orders"),
        ],
    ),
    (
        "v_months",
        "How did revenue develop over 2024?",
        "Revenue in 2024 came to about **$677K** from 1,810 orders, with a clear upward trend towards the end of the year:\n\n- The strongest month was **December** with $86.6K, followed by October ($83.8K) and November ($74.5K).\n- The weakest was **January** with $35.6K, closely followed by April with $35.8K.\n- The last three months brought in $244.9K, or 36% of the year's revenue.\n\nDecember's revenue was roughly 2.4 times that of January.",
        [
            ("October ($83.8K)", "October ($88.3K)"),
            ("or 36% of", "or 46% of"),
            ("roughly 2.4 times", "roughly 3.4 times"),
            ("The weakest was **January**", "The weakest was **February**"),
        ],
    ),
    (
        "v_months",
        "average monthly revenue 2024?",
        "On average, 2024 brought in ≈ $56.5K per month (about 151 orders). Five of the twelve months were above that average: July, September, October, November and December.",
        [
            ("$56.5K", "$65.5K"),
            ("about 151 orders", "about 161 orders"),
            ("Five of the twelve", "Six of the twelve"),
        ],
    ),
    (
        "v_year_channel",
        "How did each channel grow between 2022 and 2024?",
        "Here's how each channel developed from 2022 to 2024:\n\n* **Online** grew from $246.0K to $332.8K (+35.3%).\n* **Partner** grew the fastest, from $125.0K to $182.9K (+46.3%).\n* **Store** only rose from $157.1K to $161.7K, a gain of less than 3%. In fact, store revenue fell by 16.5% in 2024 after a strong 2023 ($193.8K).\n\nBottom line: partner and online are driving growth, while stores are losing ground.",
        [
            ("(+46.3%)", "(+43.6%)"),
            ("fell by 16.5% in 2024", "fell by 16.5% in 2023"),
            ("fell by 16.5%", "rose by 16.5%"),
            ("from $125.0K to $182.9K", "from $142.4K to $182.9K"),
        ],
    ),
    (
        "v_year_channel",
        "What happened to store sales in 2024?",
        "Store sales dropped to **$161,747.52** in 2024, down **$32,015.70** (−16.5%) from **$193,763.22** the year before. The number of store orders went down as well, from 584 to 527, i.e. 57 fewer. Meanwhile, online gained 11% and partner 28%.",
        [
            ("**$32,015.70**", "**$23,015.70**"),
            ("from 584 to 527", "from 498 to 527"),
            ("57 fewer", "47 fewer"),
            ("partner 28%", "partner 38%"),
        ],
    ),
    (
        "v_discounted v_all_orders",
        "How much business is done with a discount of 20% or more?",
        "504 of the 5,000 orders (about 10%) were sold with a discount of at least 20%. Together they're worth $148,461.54, or roughly 8.1% of total revenue. Their average value of $294.57 is about 20% lower than the overall average of $368.30, so heavily discounted orders tend to be smaller.",
        [
            ("504 of the 5,000", "540 of the 5,000"),
            ("roughly 8.1%", "roughly 9.1%"),
            ("about 20% lower", "about 20% higher"),
            ("about 20% lower", "about 90% lower"),
            ("discount of at least 20%", "discount of at least 25%"),
        ],
    ),
    (
        "v_big_orders",
        "What are our biggest online orders?",
        "The 10 biggest online orders range from $4,899.23 to $10,899.30. Two stand out:\n\n- **Order 100243** (21 February 2022): Birch Stores bought a Corner Sofa order worth **$10,899.30**.\n- **Order 102642** (25 February 2023): Sycamore Supply, also Corner Sofa, **$10,789.26**.\n\nEight of the ten are Corner Sofas; the other two are an Oak Desk order ($6,991.39) and a Walnut Table order ($5,049.12).",
        [
            ("from $4,899.23", "from $4,988.23"),
            ("(25 February 2023)", "(25 February 2022)"),
            ("an Oak Desk order ($6,991.39)", "an Oak Desk order ($6,604.02)"),
            ("Eight of the ten", "Seven of the ten"),
        ],
    ),
    (
        "v_big_orders",
        "show the 10 largest online orders above 3000",
        "Here are the 10 largest online orders with revenue above 3,000. The top one is #100243 from Birch Stores (10,899.30), and the tenth is #102553 from Chestnut Supply (4,899.23). Three of them were placed in February 2022 and two in February 2023. The list only shows the first 10 rows, so there may be more orders that match.",
        [("from Birch Stores", "from Rowan Supply"), ("revenue above 3,000", "revenue above 5,000")],
    ),
    (
        "v_top_customers v_all_orders",
        "Who are our best customers?",
        "Your top 10 customers bring in **$345.4K** in total, which is around 19% of overall revenue. Sequoia Group leads with $46.1K from 106 orders, but Sequoia Supply is right behind ($44.3K) with just 66 orders – that's an average of about $671 per order versus $435.\n\nI'd suggest looking at these two accounts first, and possibly at the next 20 customers after the top 10.",
        [
            ("**$345.4K**", "**$354.4K**"),
            ("with just 66 orders", "with just 78 orders"),
            ("about $671 per order versus $435", "about $435 per order versus $671"),
            ("Sequoia Supply is right behind", "Willow Supply is right behind"),
        ],
    ),
    (
        "v_products",
        "Which products sell the most units?",
        "By units sold, the **Monitor Arm** is #1 (680 units), then the Cutting Board (642) and the Baking Tray (638). Interestingly, none of these make much money: the Baking Tray earned less than $10K in total, whereas the Corner Sofa — only 8th by units (533) — earned almost $359K, 5.6x the revenue of the Monitor Arm.",
        [
            ("Baking Tray (638)", "Baking Tray (606)"),
            ("only 8th by units", "only 6th by units"),
            ("5.6x the revenue", "6.5x the revenue"),
            ("almost $359K", "almost $395K"),
        ],
    ),
    (
        "v_drops_count",
        "How often did the price drop more than 2% in a day?",
        "It happened **41 times**. On those days the average drop was 2.96%, and the worst single-day loss was 6.2%. In other words, drops of more than 2% are rare but not unheard of. I can list all 41 days if that helps, or narrow it down to drops above, say, 3%.",
        [
            ("**41 times**", "**14 times**"),
            ("average drop was 2.96%", "average drop was 2.69%"),
            ("loss was 6.2%", "loss was 6.8%"),
            ("list all 41 days", "list all 40 days"),
        ],
    ),
    (
        "v_stations",
        "Which station has the highest failure rate?",
        "**ST-05** clearly stands out: 7.36% of its 435 tests failed (32 failures), about twice the rate of the next worst station, ST-08 (3.86%). All other stations are below 4%. The lowest failure rate is found at ST-07 with 2.17%.\n\nIf I were you, I'd check ST-05 first: it ran only 11% of the tests but accounts for 23% of all failures (32 of 139).",
        [
            ("(32 failures)", "(23 failures)"),
            ("ST-08 (3.86%)", "ST-06 (3.86%)"),
            ("All other stations are below 4%", "All other stations are below 3%"),
            ("23% of all failures", "32% of all failures"),
        ],
    ),
    (
        "v_stations",
        "Number of tests per station",
        "A total of 4,000 tests were run on 8 stations. ST-04 was the busiest with 691 tests (17.3%), ST-08 the least busy with 389. The average is 500 tests per station.\n\nFull breakdown: ST-04: 691, ST-01: 564, ST-06: 521, ST-02: 505, ST-03: 481, ST-05: 435, ST-07: 414, ST-08: 389.",
        [
            ("(17.3%)", "(13.7%)"),
            ("average is 500 tests", "average is 550 tests"),
            ("ST-03: 481, ST-05: 435", "ST-03: 435, ST-05: 481"),
            ("on 8 stations", "on 9 stations"),
        ],
    ),
    (
        "v_technology",
        "Compare the technologies by capacity and cost",
        "Solar PV has the most installed capacity (24,087 MW, ~30% of the total 81,208 MW), slightly ahead of offshore wind (22,037 MW). However, offshore wind is by far the most expensive overall: about $45.6 billion, i.e. 42% of all spending, compared to $17.8 billion for solar.\n\nPer MW, battery storage is cheapest (≈ $0.64M) and offshore wind the most expensive (≈ $2.07M).",
        [
            ("~30% of the total", "~40% of the total"),
            ("~30% of the total", "~35% of the total"),
            ("$45.6 billion", "$45.6 million"),
            ("(≈ $2.07M)", "(≈ $2.70M)"),
            ("battery storage is cheapest", "hydro is cheapest"),
            ("i.e. 42% of", "i.e. 24% of"),
        ],
    ),
    (
        "v_technology",
        "How big is wind compared with everything else?",
        "Onshore and offshore wind combined reach **39,537.1 MW**, which is 48.7% of all capacity – just under half. They also absorbed about 60% of total cost ($66.2B of $109.7B). By number of projects, wind has 216 of 606.",
        [
            ("**39,537.1 MW**", "**39,357.1 MW**"),
            ("48.7% of all", "47.8% of all"),
            ("$66.2B of $109.7B", "$62.6B of $109.7B"),
            ("216 of 606", "261 of 606"),
        ],
    ),
    (
        "v_solar_countries",
        "Top 5 countries for solar",
        "Egypt is far ahead with 6,301.1 MW of solar, about 2.5 times as much as Portugal in second place (2,534.9 MW). Turkey (2,290.9), Norway (2,177.0) and Vietnam (2,093.0) complete the top 5. The five countries together have about 15.4 GW, and Egypt's share of that is 41%.",
        [
            ("about 2.5 times", "about 3.5 times"),
            ("Turkey (2,290.9)", "Turkey (2,177.0)"),
            ("15.4 GW", "14.5 GW"),
            ("share of that is 41%", "share of that is 31%"),
        ],
    ),
    (
        "v_solar_countries v_technology",
        "What share of solar capacity is in Egypt?",
        "Roughly a quarter: Egypt's 6,301 MW correspond to 26.2% of the 24,087 MW of solar PV worldwide (in this dataset). That comes from 10 of the 136 solar installations, so Egypt's plants must be larger than average.",
        [
            ("26.2% of", "22.6% of"),
            ("10 of the 136", "10 of the 134"),
            ("Roughly a quarter", "Roughly a third"),
        ],
    ),
]
