"""(results, question, right answer, changes): each change of a piece makes the answer wrong."""

from __future__ import annotations

ANSWERS: list[tuple[str, str, str, list[tuple[str, str]]]] = [
    (
        "products",
        "Top 5 products by revenue",
        "**Corner Sofa** is the clear bestseller with **$358.9K** in revenue, 2.8 times as much as the runner-up.\n\n| # | Product | Revenue | Units |\n|---|---|---:|---:|\n| 1 | Corner Sofa | $358,927.92 | 533 |\n| 2 | Walnut Table | $127,854.10 | 320 |\n| 3 | Oak Desk | $107,376.18 | 343 |\n| 4 | Rocking Chair | $94,237.83 | 513 |\n| 5 | Label Printer | $74,365.63 | 516 |\n\nTogether, the five products account for $762.8K.",
        [
            ("2.8 times", "3.8 times"),
            ("$107,376.18 | 343", "$107,376.18 | 320"),
            ("$94,237.83", "$94,732.83"),
            ("$762.8K", "$782.8K"),
            ("$358.9K", "$358.9M"),
            ("**Corner Sofa** is", "**Walnut Table** is"),
        ],
    ),
    (
        "products",
        "Which products sell best?",
        "Here are the top products by revenue:\n\n1. **Corner Sofa** – 358,927.92 (533 units)\n2. **Walnut Table** – 127,854.10 (320 units)\n3. **Oak Desk** – 107,376.18 (343 units)\n\nCorner Sofa sold the most units as well, while Walnut Table sold the fewest of the five.",
        [
            ("(320 units)", "(343 units)"),
            ("Walnut Table sold the fewest", "Oak Desk sold the fewest"),
            ("2. **Walnut Table** – 127,854.10", "2. **Rocking Chair** – 127,854.10"),
        ],
    ),
    (
        "nations",
        "Revenue by country",
        "The **United States** leads with **$370,809** from 946 orders, 63.2% more than Germany in second place.\n\n- United States: $370.8K\n- Germany: $227.2K\n- Japan: $200.9K\n- France: $199.4K\n- Canada: $144.4K\n- India: $144.3K\n\nCanada and India are almost level.",
        [
            ("63.2% more", "36.2% more"),
            ("946 orders", "964 orders"),
            ("- Japan: $200.9K\n- France: $199.4K", "- Japan: $199.4K\n- France: $200.9K"),
            ("than Germany in second", "than Japan in second"),
            ("- France", "- Spain"),
        ],
    ),
    (
        "quarters",
        "How did 2024 compare with 2023?",
        "Comparing each quarter of 2024 with the same quarter of 2023:\n\n| Quarter | 2023 | 2024 | Change |\n|---|---:|---:|---:|\n| Q1 | 132.7K | 139.6K | +5.2% |\n| Q2 | 138.5K | 131.1K | −5.4% |\n| Q3 | 145.4K | 161.8K | +11.3% |\n| Q4 | 219.3K | 244.9K | +11.7% |\n\nOnly Q2 fell below the previous year.",
        [
            ("| −5.4% |", "| +5.4% |"),
            ("+11.3%", "+13.1%"),
            ("| 131.1K |", "| 138.1K |"),
            ("| 132.7K | 139.6K |", "| 139.6K | 132.7K |"),
        ],
    ),
    (
        "years",
        "How many orders did we have per year?",
        "There were **1,810 orders** in 2024, 79 more than in 2023 (1,731) and 351 more than in 2022 (1,459).",
        [
            ("79 more", "97 more"),
            ("1,810 orders** in 2024", "1,810 orders** in 2023"),
            ("351 more", "351 fewer"),
        ],
    ),
    (
        "categories",
        "Revenue share by category",
        "**Furniture** dominates with 46.7% of revenue ($860.8K), followed by **Office** with 18.8% ($345.3K). The remaining four categories are much closer together:\n\n- Kitchen: 10.0%\n- Lighting: 9.4%\n- Textiles: 8.0%\n- Garden: 7.0%\n\nFurniture and Office together make up nearly two thirds of total revenue.",
        [
            ("46.7%", "56.7%"),
            ("18.8% ($345.3K)", "15.8% ($345.3K)"),
            ("- Lighting: 9.4%", "- Lighting: 8.0%"),
            ("remaining four", "remaining five"),
            ("Furniture and Office together", "Furniture and Garden together"),
            ("nearly two thirds", "nearly three quarters"),
        ],
    ),
    (
        "categories",
        "Which category brings in the most?",
        "Furniture brings in the most: $860,767.05 from just 789 orders, i.e. about $1,091 per order. Kitchen has the most orders (1,038), but each is worth only about $178.",
        [
            ("$1,091 per order", "$1,191 per order"),
            ("Kitchen has the most orders (1,038)", "Office has the most orders (1,038)"),
            ("only about $178", "only about $278"),
            ("789 orders", "829 orders"),
        ],
    ),
    (
        "returns",
        "Which category has the highest return rate?",
        "**Garden** has the highest return rate at **7.6%**, while **Furniture** has the lowest (5.07%). The rest lie between 5.6% and 6.4%.",
        [
            ("**Garden** has", "**Lighting** has"),
            ("(5.07%)", "(5.57%)"),
            ("at **7.6%**", "at **76%**"),
            ("5.6% and 6.4%", "5.6% and 6.9%"),
        ],
    ),
    (
        "returns",
        "Return rates",
        "| Category | Return rate | Orders |\n|:--|--:|--:|\n| Garden | 7.60% | 829 |\n| Lighting | 6.38% | 721 |\n| Kitchen | 5.97% | 1,038 |\n| Textiles | 5.67% | 706 |\n| Office | 5.56% | 917 |\n| Furniture | 5.07% | 789 |\n\nThe spread between the best and the worst category is 2.5 percentage points.",
        [
            ("2.5 percentage points", "3.5 percentage points"),
            ("| 6.38% | 721 |", "| 6.38% | 712 |"),
            ("| Textiles | 5.67% |", "| Textiles | 5.97% |"),
        ],
    ),
    (
        "office_2023 office_2024",
        "How did Office do in 2024 compared with 2023?",
        "Office revenue rose from **$121,255.94** in 2023 to **$132,406.99** in 2024, an increase of **$11,151.05 (9.2%)**.",
        [
            ("(9.2%)", "(8.4%)"),
            ("$11,151.05", "$11,511.05"),
            ("rose from", "fell from"),
            (
                "**$121,255.94** in 2023 to **$132,406.99** in 2024",
                "**$121,255.94** in 2024 to **$132,406.99** in 2023",
            ),
            ("Office revenue", "Kitchen revenue"),
        ],
    ),
    (
        "office_2024",
        "What was the revenue of Office in 2024?",
        "The Office category generated **132,406.99** in revenue in 2024.",
        [("132,406.99", "123,406.99"), ("in 2024", "in 2023"), ("Office", "Garden")],
    ),
    (
        "big_online",
        "How many online orders are above 500?",
        "**442** online orders have a revenue above 500.",
        [("**442**", "**424**"), ("above 500", "above 600"), ("online", "store")],
    ),
    (
        "mean_order",
        "Average order value?",
        "The average order value is **$368.30**.",
        [("$368.30", "$386.30"), ("average order value", "median order value"), ("$368.30", "$368.30K")],
    ),
    (
        "top_rows",
        "Largest garden orders",
        "The largest garden order by quantity is #104537 from 27 October 2023: 26 Solar Lanterns worth 662.90. Next come order 101670 (24 units, 728.00) and order 104859 (22 units, 724.88).",
        [
            ("26 Solar Lanterns", "28 Solar Lanterns"),
            ("27 October 2023", "27 October 2022"),
            ("101670 (24 units, 728.00)", "101670 (24 units, 724.88)"),
            ("order 104859", "order 104895"),
            ("Solar Lanterns", "Garden Hoses"),
        ],
    ),
    (
        "closes",
        "How did the price do each year?",
        "The average close was highest in 2023 (16,714.66), about 2.4% above 2022 (16,315.61). In 2024 it slipped back to 16,316.59.\n\n- Highest high: 18,324.29 (2023)\n- Lowest low: 14,343.37 (2022)",
        [
            ("2.4% above 2022", "4.2% above 2022"),
            ("18,324.29 (2023)", "18,324.29 (2024)"),
            ("14,343.37 (2022)", "14,433.37 (2022)"),
            ("slipped back", "rose further"),
            ("16,316.59", "16,516.59"),
        ],
    ),
    (
        "built",
        "Capacity by year",
        "Installed capacity peaked in 2021 at **10,857.7 MW** and was lowest in 2015 (2,920.8 MW). After a drop of 30.8% in 2023, it recovered to 10,002 MW in 2024 (+41.6%). On average, about 8,121 MW were added per year.",
        [
            ("peaked in 2021", "peaked in 2022"),
            ("30.8% in 2023", "38.0% in 2023"),
            ("30.8% in 2023", "30.8% in 2022"),
            ("+41.6%", "+46.1%"),
            ("8,121 MW", "8,921 MW"),
            ("**10,857.7 MW**", "**10,857.7 GW**"),
        ],
    ),
    (
        "fails",
        "Which test fails most?",
        "**RF Power** fails most often: 4.69% of 640 tests. **Boot Time** is the most reliable with a failure rate of only 2.70%. All other steps lie between 3.1% and 3.7%.",
        [
            ("4.69% of 640", "4.69% of 673"),
            ("**Boot Time** is", "**Leakage** is"),
            ("3.1% and 3.7%", "3.3% and 3.7%"),
            ("4.69%", "6.49%"),
        ],
    ),
]
