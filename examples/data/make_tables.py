"""Write the development tables next to this script.

Standard library only.  Every table has its own fixed seed, so running the
script again writes byte-identical files:

    python make_tables.py

The numbers are invented.  Nothing here describes a real company, product,
market or person.
"""

import csv
import datetime as dt
import io
import json
import math
import random
from pathlib import Path

HERE = Path(__file__).resolve().parent


def write_rows(name, header, rows, delimiter=",", encoding="utf-8", quoting=csv.QUOTE_MINIMAL):
    buf = io.StringIO()
    w = csv.writer(buf, delimiter=delimiter, lineterminator="\n", quoting=quoting)
    w.writerow(header)
    w.writerows(rows)
    (HERE / name).write_bytes(buf.getvalue().encode(encoding))
    return len(rows)


def pick(rng, pairs):
    """Weighted choice from [(value, weight), ...]."""
    total = sum(w for _, w in pairs)
    x = rng.random() * total
    for value, w in pairs:
        x -= w
        if x < 0:
            return value
    return pairs[-1][0]


# ---------------------------------------------------------------- sales.csv

REGIONS = {
    "North America": [("United States", 20), ("Canada", 8), ("Mexico", 5)],
    "South America": [("Brazil", 8), ("Argentina", 4)],
    "Europe": [("Germany", 13), ("France", 10), ("Poland", 7)],
    "Asia": [("Japan", 11), ("India", 9)],
    "Oceania": [("Australia", 7), ("New Zealand", 3)],
}

PRODUCTS = {
    "Furniture": [
        ("Oak Desk", 320),
        ("Pine Bookshelf", 145),
        ("Walnut Table", 410),
        ("Folding Chair", 38),
        ("Bar Stool", 72),
        ("Corner Sofa", 690),
        ("Bed Frame", 365),
        ("Coat Rack", 44),
        ("TV Stand", 158),
        ("Rocking Chair", 189),
    ],
    "Lighting": [
        ("Desk Lamp", 36),
        ("Floor Lamp", 84),
        ("Ceiling Light", 112),
        ("LED Strip", 19),
        ("Wall Sconce", 47),
        ("String Lights", 23),
        ("Table Lantern", 31),
        ("Spotlight", 58),
        ("Night Light", 14),
        ("Pendant Lamp", 126),
    ],
    "Kitchen": [
        ("Chef Knife", 64),
        ("Cutting Board", 27),
        ("Cast Iron Pan", 52),
        ("Electric Kettle", 46),
        ("Coffee Grinder", 78),
        ("Mixing Bowl", 18),
        ("Spice Rack", 29),
        ("Baking Tray", 16),
        ("Salad Spinner", 24),
        ("Stock Pot", 69),
    ],
    "Garden": [
        ("Garden Hose", 34),
        ("Pruning Shears", 28),
        ("Watering Can", 21),
        ("Plant Pot", 12),
        ("Lawn Chair", 55),
        ("Leaf Rake", 26),
        ("Bird Feeder", 22),
        ("Wheelbarrow", 118),
        ("Solar Lantern", 33),
        ("Compost Bin", 87),
    ],
    "Office": [
        ("Stapler", 13),
        ("Notebook Set", 11),
        ("Whiteboard", 92),
        ("Paper Shredder", 134),
        ("Monitor Arm", 99),
        ("Desk Organizer", 25),
        ("Label Printer", 149),
        ("Filing Cabinet", 210),
        ("Ink Cartridge", 41),
        ("Office Chair", 245),
    ],
    "Textiles": [
        ("Wool Blanket", 76),
        ("Cotton Sheet", 42),
        ("Linen Curtain", 57),
        ("Bath Towel", 17),
        ("Throw Pillow", 20),
        ("Table Runner", 15),
        ("Door Mat", 18.5),
        ("Area Rug", 230),
        ("Kitchen Apron", 22.5),
        ("Quilt Cover", 88),
    ],
}

CATEGORY_WEIGHTS = [
    ("Furniture", 17),
    ("Lighting", 15),
    ("Kitchen", 21),
    ("Garden", 14),
    ("Office", 19),
    ("Textiles", 14),
]

TREES = [
    "Alder",
    "Aspen",
    "Birch",
    "Cedar",
    "Chestnut",
    "Cypress",
    "Elm",
    "Fir",
    "Hawthorn",
    "Hazel",
    "Hickory",
    "Holly",
    "Juniper",
    "Larch",
    "Laurel",
    "Linden",
    "Maple",
    "Myrtle",
    "Olive",
    "Poplar",
    "Redwood",
    "Rowan",
    "Sequoia",
    "Spruce",
    "Sycamore",
    "Willow",
    "Yarrow",
    "Yew",
]
FIRMS = ["Trading", "Group", "Stores", "Supply", "Partners"]

MONTH_WEIGHT = [0.80, 0.78, 0.92, 0.97, 1.03, 1.02, 0.90, 0.88, 1.00, 1.08, 1.33, 1.44]


def sales():
    rng = random.Random(20241)
    days = []
    start, end = dt.date(2022, 1, 1), dt.date(2024, 12, 31)
    n = (end - start).days + 1
    for i in range(n):
        d = start + dt.timedelta(days=i)
        growth = 1 + 0.34 * i / n
        weekday = [1.05, 1.0, 1.02, 1.08, 1.22, 0.86, 0.70][d.weekday()]
        days.append((d, MONTH_WEIGHT[d.month - 1] * growth * weekday))
    dates = sorted(pick(rng, days) for _ in range(4996))
    dates = sorted(dates + [start, start, end, end])
    places = [(region, country, w) for region, cs in REGIONS.items() for country, w in cs]
    place_pairs = [((r, c), w) for r, c, w in places]
    customers = [(f"{t} {f}", 1 + 6 * rng.random() ** 2) for t in TREES for f in FIRMS]
    popularity = {c: [(p, 0.4 + rng.random()) for p in ps] for c, ps in PRODUCTS.items()}
    rows = []
    order_id = 100000
    for d in dates:
        order_id += rng.choice([1, 1, 1, 2, 3])
        region, country = pick(rng, place_pairs)
        weights = CATEGORY_WEIGHTS
        if d.month in (4, 5, 6):
            weights = [(c, w * (1.7 if c == "Garden" else 1)) for c, w in weights]
        category = pick(rng, weights)
        product, base = pick(rng, popularity[category])
        channel = pick(rng, [("online", 52 + (d.year - 2022) * 6), ("store", 33), ("partner", 15)])
        quantity = min(24, 1 + int(rng.expovariate(0.32)))
        if channel == "partner":
            quantity = min(40, quantity * 2)
        price = round(base * (0.93 + 0.14 * rng.random()) * (1 + 0.03 * (d.year - 2022)), 2)
        discount = pick(rng, [(0.0, 52), (0.05, 16), (0.1, 14), (0.15, 8), (0.2, 6), (0.25, 2.5), (0.3, 1.5)])
        revenue = round(quantity * price * (1 - discount), 2)
        returned = rng.random() < {"online": 0.082, "store": 0.041, "partner": 0.025}[channel]
        shown = "" if rng.random() < 0.03 else f"{discount:g}"
        rows.append(
            [
                order_id,
                d.isoformat(),
                region,
                country,
                category,
                product,
                pick(rng, customers),
                channel,
                quantity,
                f"{price:.2f}",
                shown,
                f"{revenue:.2f}",
                "true" if returned else "false",
            ]
        )
    header = [
        "order_id",
        "order_date",
        "region",
        "country",
        "category",
        "product",
        "customer",
        "channel",
        "quantity",
        "unit_price",
        "discount",
        "revenue",
        "returned",
    ]
    return write_rows("sales.csv", header, rows)


# --------------------------------------------------- prices.csv, prices.jsonl


def prices():
    rng = random.Random(756)
    rows = []
    d = dt.date(2022, 1, 3)
    close = 17000.0
    while len(rows) < 756:
        if d.weekday() < 5:
            pull = 0.012 * math.log(17000.0 / close)
            gap = rng.gauss(0, 0.0042) + pull
            shock = rng.gauss(0.0002, 0.0098)
            if rng.random() < 0.035:
                shock += rng.choice([-1, -1, 1]) * (0.018 + 0.022 * rng.random())
            o = round(close * (1 + gap), 2)
            c = round(o * (1 + shock), 2)
            h = round(max(o, c) * (1 + abs(rng.gauss(0, 0.0035))), 2)
            lo = round(min(o, c) * (1 - abs(rng.gauss(0, 0.0035))), 2)
            volume = int(3_100_000 * math.exp(rng.gauss(0, 0.22)) * (1 + 14 * abs(shock)))
            rows.append([d.isoformat(), o, h, lo, c, volume])
            close = c
        d += dt.timedelta(days=1)
    header = ["date", "open", "high", "low", "close", "volume"]
    text = [[r[0]] + [f"{x:.2f}" for x in r[1:5]] + [r[5]] for r in rows]
    lines = [json.dumps(dict(zip(header, r))) for r in rows]
    (HERE / "prices.jsonl").write_bytes(("\n".join(lines) + "\n").encode("utf-8"))
    return write_rows("prices.csv", header, text)


# ------------------------------------------------------------- stations.csv

STEPS = [  # name, unit, low, high, centre, spread
    ("Input Current", "mA", 180.0, 260.0, 221.0, 15.5),
    ("Output Voltage", "V", 4.85, 5.15, 5.004, 0.062),
    ("Leakage", "uA", None, 12.0, 6.1, 2.5),
    ("Boot Time", "s", None, 4.5, 3.05, 0.62),
    ("RF Power", "dBm", 13.0, 17.0, 15.1, 0.83),
    ("Board Temperature", "C", 20.0, 65.0, 44.0, 8.6),
]
DIGITS = {"mA": 1, "V": 3, "uA": 2, "s": 2, "dBm": 2, "C": 1}


def stations():
    rng = random.Random(4000)
    parts = [
        ("PN-1001", 30),
        ("PN-1002", 22),
        ("PN-1003", 18),
        ("PN-2001", 14),
        ("PN-2002", 10),
        ("PN-3000", 6),
    ]
    operators = ["Amara", "Bogdan", "Chiara", "Dmytro", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas"]
    names = [f"ST-{i:02d}" for i in range(1, 9)]
    rows = []
    when = dt.datetime(2024, 1, 8, 6, 0, 0)
    serial = 40000
    while len(rows) < 4000:
        serial += 1
        part = pick(rng, parts)
        st = pick(rng, [(s, w) for s, w in zip(names, [14, 13, 12, 15, 11, 13, 9, 8])])
        op = operators[(int(st[-2:]) * 3 + when.timetuple().tm_yday // 7) % len(operators)]
        when += dt.timedelta(seconds=rng.randrange(900, 28000))
        if when.hour >= 22 or when.hour < 6:
            when = (when + dt.timedelta(hours=8)).replace(minute=rng.randrange(60))
        if when.weekday() == 6:
            when += dt.timedelta(days=1)
        t = when
        for name, unit, low, high, centre, spread in STEPS:
            if name == "RF Power" and part == "PN-3000":
                continue
            for attempt in range(2):
                t += dt.timedelta(seconds=rng.randrange(8, 95))
                shift = 0.55 if st == "ST-05" else 0.0
                x = rng.gauss(centre + shift * spread, spread * (1.16 if st != "ST-07" else 0.92))
                missing = rng.random() < 0.006
                ok = not missing and (low is None or x >= low) and x <= high
                value = "" if missing else f"{x:.{DIGITS[unit]}f}"
                if not missing:  # judge the number that is printed
                    shown = float(value)
                    ok = (low is None or shown >= low) and shown <= high
                who = "" if rng.random() < 0.012 else op
                rows.append(
                    [
                        f"SN{serial}",
                        part,
                        st,
                        who,
                        t.isoformat(sep=" "),
                        name,
                        value,
                        "" if low is None else f"{low:g}",
                        f"{high:g}",
                        unit,
                        "PASS" if ok else "FAIL",
                    ]
                )
                if ok or rng.random() < 0.45:
                    break
    header = [
        "unit_serial",
        "part_number",
        "station",
        "operator",
        "started_at",
        "test_step",
        "measurement",
        "limit_low",
        "limit_high",
        "unit_of_measure",
        "result",
    ]
    return write_rows("stations.csv", header, rows[:4000])


# -------------------------------------- installations.csv, installations.tsv


def installations():
    rng = random.Random(600)
    countries = [
        "Chile",
        "Denmark",
        "Egypt",
        "Greece",
        "Ireland",
        "Kenya",
        "Morocco",
        "Norway",
        "Peru",
        "Portugal",
        "Spain",
        "Thailand",
        "Turkey",
        "Vietnam",
    ]
    tech = {
        "Solar PV": (4.3, 1.15, 0.95),
        "Onshore Wind": (4.0, 1.0, 1.45),
        "Offshore Wind": (4.7, 0.9, 3.3),
        "Hydro": (3.4, 1.2, 2.4),
        "Battery Storage": (2.7, 1.1, 0.85),
    }
    landlocked_from_offshore = {"Kenya", "Egypt", "Peru", "Thailand"}
    rows = []
    for c in countries:
        scale = math.exp(rng.gauss(0, 0.45))
        for year in range(2015, 2025):
            for name, (mu, sigma, unit_cost) in tech.items():
                if name == "Offshore Wind" and (c in landlocked_from_offshore or year < 2017):
                    continue
                if name == "Battery Storage" and year < 2016:
                    continue
                if rng.random() < 0.035:
                    continue
                mw = scale * math.exp(rng.gauss(mu, sigma)) * (1 + 0.05 * (year - 2015))
                cost = mw * unit_cost * math.exp(rng.gauss(0, 0.22)) * (0.965 ** (year - 2015))
                rows.append(
                    [
                        c,
                        year,
                        name,
                        "" if rng.random() < 0.02 else f"{mw:.1f}",
                        "" if rng.random() < 0.12 else f"{cost:.2f}",
                    ]
                )
    header = ["country", "year", "technology", "capacity_mw", "cost_musd"]
    write_rows("installations.tsv", header, rows, delimiter="\t")
    return write_rows("installations.csv", header, rows)


# ------------------------------------------------------------ tovary_ua.csv


def tovary_ua():
    rng = random.Random(380)
    kinds = {
        "Ноутбуки": ("Ноутбук", 28000, 0.42, ["Про", "Лайт", "Ультра", "Студент"]),
        "Смартфони": ("Смартфон", 13500, 0.50, ["Макс", "Міні", "Плюс", "Стандарт"]),
        "Телевізори": ("Телевізор", 17500, 0.45, ["32", "43", "55", "65"]),
        "Навушники": ("Навушники", 2100, 0.60, ["Спорт", "Студія", "Тиша", "Дзвін"]),
        "Монітори": ("Монітор", 8200, 0.40, ["24", "27", "32К", "Офіс"]),
        "Клавіатури": ("Клавіатура", 1500, 0.55, ["Механіка", "Тиха", "Комфорт", "Міні"]),
        "Принтери": ("Принтер", 6900, 0.40, ["Лазер", "Фото", "Дім", "Бюро"]),
    }
    kind_w = [
        ("Ноутбуки", 17),
        ("Смартфони", 22),
        ("Телевізори", 12),
        ("Навушники", 18),
        ("Монітори", 13),
        ("Клавіатури", 10),
        ("Принтери", 8),
    ]
    brands = [
        ("Верба", 1.0, 20),
        ("Зоря", 1.18, 17),
        ("Сокіл", 0.86, 16),
        ("Обрій", 1.32, 14),
        ("Мавка", 0.78, 13),
        ("Кобзар", 1.05, 11),
        ("Лелека", 0.94, 9),
    ]
    suppliers = [("Світанок", 30), ("Меридіан", 24), ("Калина", 20), ("Полісся", 15), ("Техноград", 11)]
    rows = []
    code = 730
    for _ in range(400):
        code += rng.randrange(3, 40)
        cat = pick(rng, kind_w)
        word, base, sigma, tails = kinds[cat]
        brand, factor, _w = pick(rng, [(b, b[2]) for b in brands])
        price = base * factor * math.exp(rng.gauss(0, sigma * 0.7))
        qty = 0 if rng.random() < 0.17 else 1 + int(rng.expovariate(1 / 22.0))
        day = dt.date(2023, 1, 9) + dt.timedelta(days=rng.randrange(0, 655))
        rows.append(
            [
                f"{code:06d}",
                f"{word} {brand} {rng.choice(tails)} {rng.randrange(10, 99)}",
                cat,
                brand,
                "" if rng.random() < 0.015 else f"{price:.2f}".replace(".", ","),
                qty,
                "" if rng.random() < 0.04 else pick(rng, suppliers),
                day.strftime("%d.%m.%Y"),
                "так" if qty else "ні",
            ]
        )
    header = [
        "Артикул",
        "Назва",
        "Категорія",
        "Бренд",
        "Ціна",
        "Кількість",
        "Постачальник",
        "Дата_надходження",
        "Наявність",
    ]
    return write_rows("tovary_ua.csv", header, rows, delimiter=";")


# --------------------------------------------------------- employees_ru.csv


def employees_ru():
    rng = random.Random(1251)
    men = [
        "Алексей",
        "Борис",
        "Виктор",
        "Георгий",
        "Денис",
        "Егор",
        "Игорь",
        "Кирилл",
        "Леонид",
        "Максим",
        "Николай",
        "Олег",
        "Павел",
        "Роман",
        "Семён",
        "Тимур",
        "Фёдор",
    ]
    women = [
        "Алина",
        "Валерия",
        "Галина",
        "Дарья",
        "Елена",
        "Жанна",
        "Зоя",
        "Ирина",
        "Ксения",
        "Лариса",
        "Мария",
        "Нина",
        "Ольга",
        "Полина",
        "Рита",
        "Софья",
        "Юлия",
    ]
    roots = [
        "Астахов",
        "Белов",
        "Воронин",
        "Гусев",
        "Дроздов",
        "Ершов",
        "Жаров",
        "Зимин",
        "Ильин",
        "Котов",
        "Лапин",
        "Маслов",
        "Носов",
        "Орлов",
        "Панов",
        "Рыбаков",
        "Седов",
        "Туров",
        "Уваров",
        "Фомин",
        "Хохлов",
        "Чернов",
        "Шилов",
        "Щукин",
        "Юдин",
        "Яшин",
    ]
    fathers = [
        "Андреев",
        "Борисов",
        "Викторов",
        "Денисов",
        "Егоров",
        "Иванов",
        "Максимов",
        "Олегов",
        "Павлов",
        "Романов",
        "Степанов",
    ]
    depts = [
        ("Продажи", 0.95, 24),
        ("Разработка", 1.45, 22),
        ("Поддержка", 0.78, 16),
        ("Маркетинг", 1.05, 12),
        ("Логистика", 0.85, 13),
        ("Бухгалтерия", 0.92, 8),
        ("Кадры", 0.88, 5),
    ]
    cities = [
        ("Москва", 1.32, 30),
        ("Санкт-Петербург", 1.18, 20),
        ("Казань", 0.95, 13),
        ("Новосибирск", 0.93, 11),
        ("Екатеринбург", 0.97, 10),
        ("Самара", 0.88, 8),
        ("Пермь", 0.86, 5),
        ("Томск", 0.84, 3),
    ]
    jobs = [
        ("Специалист", 1.0, 34),
        ("Менеджер", 1.12, 20),
        ("Инженер", 1.2, 16),
        ("Аналитик", 1.16, 12),
        ("Стажёр", 0.55, 8),
        ("Руководитель", 1.95, 10),
    ]
    used, rows = set(), []
    while len(rows) < 500:
        if rng.random() < 0.5:
            name = f"{rng.choice(roots)}, {rng.choice(men)} {rng.choice(fathers)}ич"
        else:
            name = f"{rng.choice(roots)}а, {rng.choice(women)} {rng.choice(fathers)}на"
        if name in used:
            continue
        used.add(name)
        dept, fd, _ = pick(rng, [(x, x[2]) for x in depts])
        city, fc, _ = pick(rng, [(x, x[2]) for x in cities])
        job, fj, _ = pick(rng, [(x, x[2]) for x in jobs])
        pay = 500 * round(78000 * fd * fc * fj * math.exp(rng.gauss(0, 0.16)) / 500)
        hired = dt.date(2012, 2, 1) + dt.timedelta(days=int(4680 * rng.random() ** 0.62))
        low = 19 if job == "Стажёр" else 23
        age = min(66, low + (2024 - hired.year) + int(rng.expovariate(1 / 9.0)))
        remote = rng.random() < {"Разработка": 0.62, "Поддержка": 0.45, "Маркетинг": 0.38}.get(dept, 0.14)
        rows.append(
            [
                name,
                dept,
                city,
                job,
                "" if rng.random() < 0.02 else pay,
                hired.isoformat(),
                "" if rng.random() < 0.03 else age,
                "да" if remote else "нет",
            ]
        )
    header = ["Сотрудник", "Отдел", "Город", "Должность", "Зарплата", "Дата_найма", "Возраст", "Удалённо"]
    return write_rows("employees_ru.csv", header, rows, encoding="cp1251", quoting=csv.QUOTE_ALL)


# ---------------------------------------------------------------- messy.csv


def messy():
    rng = random.Random(200)
    first = [
        "Amber",
        "Blue",
        "Copper",
        "Dawn",
        "Early",
        "Frost",
        "Green",
        "High",
        "Iron",
        "Jade",
        "Keen",
        "Little",
        "Misty",
        "North",
        "Old",
        "Quiet",
        "River",
        "Silver",
        "Tidal",
        "Upper",
    ]
    second = [
        "Harbor",
        "Mill",
        "Orchard",
        "Quarry",
        "Lane",
        "Foundry",
        "Bakery",
        "Garage",
        "Depot",
        "Workshop",
    ]
    cities = [("Lakeview", 6), ("Stonebridge", 5), ("Fairmont", 4), ("Ashford", 3), ("Kingsport", 2)]
    states = [("open", 5), ("closed", 8), ("pending", 3), ("disputed", 1)]
    blanks = ["N/A", "-", "null", ""]

    def maybe(text, p):
        return rng.choice(blanks) if rng.random() < p else text

    def pad(text):
        return rng.choice(["", "", " ", "  "]) + text + rng.choice(["", "", " ", "   "])

    rows = []
    code = 17
    names = [f"{a} {b}" for a in first for b in second]
    rng.shuffle(names)
    for i in range(197):
        code += rng.randrange(1, 90)
        billed = round(math.exp(rng.gauss(7.1, 0.9)), 2)
        paid = billed if rng.random() < 0.55 else round(billed * rng.random(), 2)
        day = dt.date(2023, 1, 2) + dt.timedelta(days=rng.randrange(0, 700))
        when = day.strftime("%d.%m.%Y") if rng.random() < 0.7 else day.isoformat()
        rows.append(
            [
                f"{code:05d}",
                pad(names[i]),
                maybe(f"{billed:,.2f}", 0.05),
                maybe(f"${paid:,.2f}", 0.06),
                maybe(f"{rng.randrange(5, 400) / 10:g}%", 0.08),
                maybe(when, 0.03),
                pad(maybe(pick(rng, states), 0.04)),
                pad(pick(rng, cities)),
                "",
                maybe(str(rng.randrange(1, 60)), 0.05),
            ]
        )
    rows.insert(61, list(rows[20]))
    rows.insert(120, list(rows[75]))
    rows.insert(181, list(rows[140]))
    rows[99] = rows[99][:7]  # the ragged row: the last three fields are not there
    header = ["Code", " Name ", "Amount", "Amount", "Share", "Date", "Status ", " City", "Notes", "Qty "]
    return write_rows("messy.csv", header, rows, encoding="utf-8-sig")


if __name__ == "__main__":
    for make in (sales, prices, stations, installations, tovary_ua, employees_ru, messy):
        print(f"{make.__name__}: {make()} rows")
