"""Tables whose columns, rows and cells are spoken of in Ukrainian and Russian, in the case that a question asks for."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

_CASES: Final = "ngdailNGDAIL"
"""Nominative, genitive, dative, accusative, instrumental, locative; behind them, in capitals, those of the plural."""
_ENDINGS: Final = {
    "uk": {
        "hard": {
            "n": "а ий е",
            "g": "ої ого ого",
            "d": "ій ому ому",
            "a": "у ий е",
            "i": "ою им им",
            "l": "ій ому ому",
        },
        "soft": {
            "n": "я ій є",
            "g": "ьої ього ього",
            "d": "ій ьому ьому",
            "a": "ю ій є",
            "i": "ьою ім ім",
            "l": "ій ьому ьому",
        },
    },
    "ru": {
        "hard": {
            "n": "ая ый ое",
            "g": "ой ого ого",
            "d": "ой ому ому",
            "a": "ую ый ое",
            "i": "ой ым ым",
            "l": "ой ом ом",
        },
        "soft": {
            "n": "яя ий ее",
            "g": "ей его его",
            "d": "ей ему ему",
            "a": "юю ий ее",
            "i": "ей им им",
            "l": "ей ем ем",
        },
        "hiss": {
            "n": "ая ий ее",
            "g": "ей его его",
            "d": "ей ему ему",
            "a": "ую ий ее",
            "i": "ей им им",
            "l": "ей ем ем",
        },
        "high": {
            "n": "ая ий ое",
            "g": "ой ого ого",
            "d": "ой ому ому",
            "a": "ую ий ое",
            "i": "ой им им",
            "l": "ой ом ом",
        },
        "end": {
            "n": "ая ой ое",
            "g": "ой ого ого",
            "d": "ой ому ому",
            "a": "ую ой ое",
            "i": "ой им им",
            "l": "ой ом ом",
        },
    },
}
"""Of adjectives by case: of feminine, masculine and neuter nouns."""
_KINDS: Final = {
    **dict.fromkeys(("середн", "порожн", "средн"), "soft"),
    **dict.fromkeys(("общ", "наибольш", "наименьш"), "hiss"),
    **dict.fromkeys(("как", "втор", "пуст"), "end"),
    "высок": "high",
}
"""Of the stems of adjectives those that are not hard."""


@dataclass(frozen=True)
class Word:
    """A noun: gender (`f`, `m`, `n`), forms of it by case, and its language. `{word:i найбільш}` is an adjective and the noun."""

    gender: str
    forms: dict[str, str]
    language: str

    def __format__(self, asked: str) -> str:
        """Return the form that is asked for; `-` behind the case leaves the noun out."""
        case, *stems = (asked or "n").split()
        adjectives = [self._adjective(stem, case[0]) for stem in stems]
        return " ".join([*adjectives, *([] if case.endswith("-") else [self.forms[case[0]]])])

    def _adjective(self, stem: str, case: str) -> str:
        endings = _ENDINGS[self.language][_KINDS.get(stem, "hard")][case]
        return stem + endings.split()["fmn".index(self.gender)]


def word(language: str, text: str) -> Word:
    """Return a noun of `gender form form …`: all cases, those of the singular, or one form for each; `_` joins words."""
    gender, *forms = text.replace("/", " ").split()
    given = (forms * 12 if len(forms) == 1 else forms)[: len(_CASES)]
    return Word(
        gender, {case: form.replace("_", " ") for case, form in zip(_CASES, given, strict=False)}, language
    )


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A table of three hundred rows."""

    language: str
    name: str
    """Of the file."""
    header: str
    """Number of the row, day, place, thing, how many, how much, yes or no, note."""
    words: dict[str, Word]
    """`row`, `place`, `thing`, `qty`, `fee`, `note`; cells `p1` to `p3`, `t1` and `t2`."""
    said: dict[str, str]
    """What stands before a place; adjectives of the rows by what they are: `in`, `paid`, `Paid` (genitive), `unpaid`, `least`."""
    places: tuple[str, ...]
    things: tuple[str, ...]
    notes: tuple[str, ...]

    def rows(self) -> list[str]:
        """Return the lines of the file behind its header; no two rows have the same amount."""
        chosen = random.Random(self.name)  # noqa: S311 - which cells they are does not matter
        fees = chosen.sample(range(500, 6000), 300)
        yes = ("так", "ні") if self.language == "uk" else ("да", "нет")
        yes = ("yes", "no") if self.header.isascii() else yes
        return [
            f"{1001 + n},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 180))},{chosen.choice(self.places)},"
            f"{chosen.choice(self.things)},{chosen.randint(1, 9)},{fees[n] / 100},{chosen.choice(yes)},{chosen.choice(self.notes)}"
            for n in range(300)
        ]

    def view(self, file: str) -> str:
        """Return a query over the file whose columns are named by what they are."""
        names = ("id", "day", "place", "thing", "qty", "fee", "paid", "note")
        parts = [f'"{column}" AS {name}' for column, name in zip(self.header.split(","), names, strict=True)]
        parts[6] = f"({parts[6].split(' AS ')[0]})::VARCHAR IN ('так', 'да', 'yes', 'true') AS paid"
        return f"SELECT {', '.join(parts)}, * FROM read_csv_auto('{file}')"


def _domain(
    language: str, name: str, header: str, words: str, places: str, things: str, notes: str, **said: str
) -> Domain:
    """Return a domain; of places and things each line has the gender and the forms of one cell."""
    named = dict(zip(("row", "place", "thing", "qty", "fee", "note"), _lines(words), strict=True))
    cells = {f"p{n}": line for n, line in enumerate(_lines(places), 1)}
    cells |= {f"t{n}": line for n, line in enumerate(_lines(things), 1)}
    found = {key: word(language, line) for key, line in (named | cells).items()}
    return Domain(
        language=language, name=name, header=header, words=found, said=said,
        places=tuple(found[f"p{n}"].forms["n"] for n in range(1, 5)),
        things=tuple(found[f"t{n}"].forms["n"] for n in range(1, 5)),
        notes=("ok", *notes.split(",")),
    )  # fmt: skip


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.split(";")]


DOMAINS: Final = {
    domain.name: domain
    for domain in (
        _domain(
            "uk", "замовлення", "номер,дата,місто,товар,кількість,сума,оплачено,примітка",
            "n замовлення замовлення замовленню замовлення замовленням замовленні замовлення замовлень замовленням замовлення замовленнями замовленнях;"
            "n місто міста місту місто містом місті міста міст містам міста містами містах;"
            "m товар товару товару товар товаром товарі товари товарів товарам товари товарами товарах;"
            "f кількість кількості кількості кількість кількістю кількості;"
            "f сума суми сумі суму сумою сумі;"
            "f примітка примітки примітці примітку приміткою примітці",
            "m Київ Києва Києву Київ Києвом Києві; m Львів Львова Львову Львів Львовом Львові;"
            "f Одеса Одеси Одесі Одесу Одесою Одесі; m Харків Харкова Харкову Харків Харковом Харкові",
            "m Чай чаю чаю чай чаєм чаї; f Кава кави каві каву кавою каві; n Молоко; m Хліб", "пізно,терміново,",
            **{"in": "у", "from": "з"}, paid="оплачено", Paid="оплачених", unpaid="неоплачених", all="оплачені",
        ),
        _domain(
            "uk", "ремонти", "квиток,прийнято,майстерня,пристрій,термін,рахунок,гарантійний,зауваження",
            "m ремонт ремонту ремонту ремонт ремонтом ремонті ремонти ремонтів ремонтам ремонти ремонтами ремонтах;"
            "f майстерня майстерні майстерні майстерню майстернею майстерні майстерні майстерень майстерням майстерні майстернями майстернях;"
            "m пристрій пристрою пристрою пристрій пристроєм пристрої пристрої пристроїв пристроям пристрої пристроями пристроях;"
            "m термін терміну терміну термін терміном терміні;"
            "m рахунок рахунку рахунку рахунок рахунком рахунку;"
            "n зауваження зауваження зауваженню зауваження зауваженням зауваженні",
            "f Північна Північної Північній Північну Північною Північній; f Портова Портової Портовій Портову Портовою Портовій;"
            "f Заводська Заводської Заводській Заводську Заводською Заводській; f Вокзальна",
            "m Телефон телефону телефону телефон телефоном телефоні; m Ноутбук ноутбука ноутбуку ноутбук ноутбуком ноутбуці; m Планшет; m Принтер",
            "брак,терміново,",
            **{"in": "у", "from": "з"}, paid="гарантійних", Paid="гарантійних", unpaid="негарантійних", all="гарантійні",
        ),
        _domain(
            "uk", "flights", "flight_no,flight_date,airport,airline,passengers,distance_km,delayed,comment",
            "m рейс рейсу рейсу рейс рейсом рейсі рейси рейсів рейсам рейси рейсами рейсах;"
            "m аеропорт аеропорту аеропорту аеропорт аеропортом аеропорту аеропорти аеропортів аеропортам аеропорти аеропортами аеропортах;"
            "f авіакомпанія авіакомпанії авіакомпанії авіакомпанію авіакомпанією авіакомпанії авіакомпанії авіакомпаній авіакомпаніям авіакомпанії авіакомпаніями авіакомпаніях;"
            "f кількість_пасажирів кількості_пасажирів кількості_пасажирів кількість_пасажирів кількістю_пасажирів кількості_пасажирів;"
            "f відстань відстані відстані відстань відстанню відстані;"
            "m коментар коментаря коментарю коментар коментарем коментарі",
            "m Heathrow; m Schiphol; m Orly; m Barajas", "f KLM; f Lufthansa; f Finnair; f Iberia", "weather,late,",
            **{"in": "в", "from": "з"}, paid="затримано", Paid="затриманих", unpaid="незатриманих", all="затримані", least="найкоротш",
        ),
        _domain(
            "uk", "візити", "талон,день,відділення,лікар,черга,вартість,терміновий,скарга",
            "m візит візиту візиту візит візитом візиті візити візитів візитам візити візитами візитах;"
            "n відділення відділення відділенню відділення відділенням відділенні відділення відділень відділенням відділення відділеннями відділеннях;"
            "m лікар лікаря лікарю лікаря лікарем лікарі лікарі лікарів лікарям лікарів лікарями лікарях;"
            "f черга черги черзі чергу чергою черзі;"
            "f вартість вартості вартості вартість вартістю вартості;"
            "f скарга скарги скарзі скаргу скаргою скарзі",
            "f Хірургія Хірургії Хірургії Хірургію Хірургією Хірургії; f Терапія Терапії Терапії Терапію Терапією Терапії;"
            "f Кардіологія Кардіології Кардіології Кардіологію Кардіологією Кардіології; f Неврологія",
            "m Бондар Бондаря Бондарю Бондаря Бондарем Бондарі; m Мельник Мельника Мельнику Мельника Мельником Мельнику; m Шевчук; m Коваль",
            "біль,кашель,",
            **{"in": "у", "from": "з"}, paid="термінових", Paid="термінових", unpaid="нетермінових", all="термінові", least="найдешевш",
        ),
        _domain(
            "ru", "заказы", "номер,дата,город,товар,количество,сумма,оплачен,примечание",
            "m заказ заказа заказу заказ заказом заказе заказы заказов заказам заказы заказами заказах;"
            "m город города городу город городом городе города городов городам города городами городах;"
            "m товар товара товару товар товаром товаре товары товаров товарам товары товарами товарах;"
            "n количество количества количеству количество количеством количестве;"
            "f сумма суммы сумме сумму суммой сумме;"
            "n примечание примечания примечанию примечание примечанием примечании",
            "f Москва Москвы Москве Москву Москвой Москве; f Казань Казани Казани Казань Казанью Казани;"
            "m Омск Омска Омску Омск Омском Омске; f Тверь",
            "m Чай чая чаю чай чаем чае; m Кофе кофе кофе кофе кофе кофе; n Молоко; m Хлеб", "поздно,срочно,",
            **{"in": "в", "from": "из"}, paid="оплачено", Paid="оплаченных", unpaid="неоплаченных", all="оплачены",
        ),
        _domain(
            "ru", "поездки", "путёвка,выезд,станция,водитель,багаж,пробег,ночная,комментарий",
            "f поездка поездки поездке поездку поездкой поездке поездки поездок поездкам поездки поездками поездках;"
            "f станция станции станции станцию станцией станции станции станций станциям станции станциями станциях;"
            "m водитель водителя водителю водителя водителем водителе водители водителей водителям водителей водителями водителях;"
            "m багаж багажа багажу багаж багажом багаже;"
            "m пробег пробега пробегу пробег пробегом пробеге;"
            "m комментарий комментария комментарию комментарий комментарием комментарии",
            "f Заречная Заречной Заречной Заречную Заречной Заречной; f Лесная Лесной Лесной Лесную Лесной Лесной;"
            "f Озёрная Озёрной Озёрной Озёрную Озёрной Озёрной; f Полевая",
            "m Иванов Иванова Иванову Иванова Ивановым Иванове; m Петров Петрова Петрову Петрова Петровым Петрове; m Козлов; m Орлов",
            "пробка,поломка,",
            **{"in": "на", "from": "со станции"}, paid="ночных", Paid="ночных", unpaid="неночных", all="ночные",
        ),
        _domain(
            "ru", "repairs", "ticket,received,workshop,device,parts,bill,insured,remark",
            "m ремонт ремонта ремонту ремонт ремонтом ремонте ремонты ремонтов ремонтам ремонты ремонтами ремонтах;"
            "f мастерская мастерской мастерской мастерскую мастерской мастерской мастерские мастерских мастерским мастерские мастерскими мастерских;"
            "n устройство устройства устройству устройство устройством устройстве устройства устройств устройствам устройства устройствами устройствах;"
            "n количество_деталей количества_деталей количеству_деталей количество_деталей количеством_деталей количестве_деталей;"
            "m счёт счёта счёту счёт счётом счёте;"
            "n замечание замечания замечанию замечание замечанием замечании",
            "f North; f Harbour; f Mill; f Airport", "m Phone; m Laptop; m Tablet; f Camera", "rework,urgent,",
            **{"in": "в", "from": "из"}, paid="застраховано", Paid="застрахованных", unpaid="незастрахованных", all="застрахованы",
        ),
        _domain(
            "ru", "пробы", "шифр,взята,участок,метод,глубина,содержание,годная,заметка",
            "f проба пробы пробе пробу пробой пробе пробы проб пробам пробы пробами пробах;"
            "m участок участка участку участок участком участке участки участков участкам участки участками участках;"
            "m метод метода методу метод методом методе методы методов методам методы методами методах;"
            "f глубина глубины глубине глубину глубиной глубине;"
            "n содержание содержания содержанию содержание содержанием содержании;"
            "f заметка заметки заметке заметку заметкой заметке",
            "m Берег Берега Берегу Берег Берегом Берегу; n Болото Болота Болоту Болото Болотом Болоте;"
            "m Склон Склона Склону Склон Склоном Склоне; m Карьер",
            "m Зонд зонда зонду зонд зондом зонде; m Лазер лазера лазеру лазер лазером лазере; n Титрование; m Щуп", "мутная,холодная,",
            **{"in": "на", "from": "с участка"}, paid="годных", Paid="годных", unpaid="негодных", all="годные",
        ),
    )
}  # fmt: skip
"""Three in each language, the third of which has English headers, and a fourth that shares no word with them."""
