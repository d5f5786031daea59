"""Ukrainian and Russian questions of many shapes with the queries that answer them, each of all rows or of some."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from tests.planner.gold import GoldQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.planner.declined import Domain


_MONTHS: Final = "(select date_trunc('month',day) m,sum(fee) f from t {w} group by 1)"
_QUERIES: Final = {
    "sum": "select sum(fee) from t {w}",
    "count": "select count(*) from t {w}",
    "sum in": "select sum(fee) from t {w} {a} place='{p1}'",
    "count in": "select count(*) from t {w} {a} place='{p1}'",
    "top3 groups": "select place from t {w} group by place order by sum(fee) desc limit 3",
    "top2 counts": "select place from t {w} group by place order by count(*) desc,place limit 2",
    "argmax mean": "select place from t {w} group by place order by avg(fee) desc limit 1",
    "argmin mean": "select thing from t {w} group by thing order by avg(fee) limit 1",
    "argmin count": "select thing from t {w} group by thing order by count(*),thing limit 1",
    "argmax count": "select place from t {w} group by place order by count(*) desc,place limit 1",
    "distinct": "select count(distinct thing) from t {w}",
    "share cell": "select sum(fee) filter (place='{p1}')/sum(fee)*100 from t {w}",
    "share flag": "select 100.0*count(*) filter (paid)/count(*) from t {w}",
    "share count cell": "select 100.0*count(*) filter (place='{p1}')/count(*) from t {w}",
    "diff": "select sum(fee) filter (place='{p1}')-sum(fee) filter (place='{p2}') from t {w}",
    "having count": "select place from t {w} group by place having count(*)>15",
    "having sum": "select thing from t {w} group by thing having sum(fee)>300",
    "having mean": "select place from t {w} group by place having avg(fee)<32",
    "std": "select stddev_samp(fee) from t {w}",
    "pct": "select quantile_cont(fee,0.9) from t {w}",
    "max": "select max(fee) from t {w}",
    "argmax row": "select id from t {w} order by fee desc limit 1",
    "second": "select fee from t {w} order by fee desc limit 1 offset 1",
    "top rows": "select id from t {w} order by fee desc limit 5",
    "bottom rows": "select id from t {w} order by fee limit 3",
    "list": "select distinct thing from t {w}",
    "exists": "select count(*) filter (fee>58)>0 from t {w}",
    "flag sum": "select sum(fee) filter (paid) from t {w}",
    "flag count": "select count(*) filter (paid) from t {w}",
    "unflag count": "select count(*) filter (not paid) from t {w}",
    "compare": "select place,sum(fee) from t {w} {a} place in ('{p1}','{p2}') group by place",
    "which side": "select place from (select place,count(*) c from t {w} {a} place in ('{p1}','{p2}') group by 1)"
    " qualify rank() over (order by c desc)=1 and count(*) over (partition by c)=1",
    "groups": "select place,avg(fee) from t {w} group by place",
    "monthly": "select date_trunc('month',day),sum(fee) from t {w} group by 1",
    "weekday": "select dayname(day),count(*) from t {w} group by 1",
    "weekday max": "select any_value(dayname(day)) from t {w} group by isodow(day) order by count(*) desc,isodow(day) limit 1",
    "share groups": "select place,100*sum(fee)/(select sum(fee) from t {w}) from t {w} group by 1",
    "top per group": "select place,thing from (select place,thing,sum(fee) f from t {w} group by 1,2)"
    " qualify row_number() over (partition by place order by f desc)<=2",
    "best row per group": "select place,max(fee) from t {w} group by 1",
    "above mean": "select count(*) filter (fee>(select avg(fee) from t {w})) from t {w}",
    "which month": "select date_trunc('month',day) from t {w} group by 1 order by sum(fee) desc limit 1",
    "two keys": "select place,thing,sum(fee) from t {w} group by 1,2",
    "min max": "select place,min(fee),max(fee) from t {w} group by 1",
    "two measures": "select thing,sum(qty),avg(fee) from t {w} group by 1",
    "count two": "select thing,count(*) from t {w} {a} thing in ('{t1}','{t2}') group by 1",
    "sum in three": "select place,sum(fee) from t {w} {a} place in ('{p1}','{p2}','{p3}') group by 1",
    "missing per group": "select place,count(*) from t {w} {a} note is null group by 1",
    "share missing": "select 100.0*count(*) filter (note is null)/count(*) from t {w}",
    "share missing by": "select place,100.0*count(*) filter (note is null)/count(*) from t {w} group by 1",
    "month change": f"select m,f-lag(f) over (order by m) from {_MONTHS}",
    "running": f"select m,sum(f) over (order by m) from {_MONTHS}",
    "per month": "select avg(c) from (select date_trunc('month',day) m,count(*) c from t {w} group by 1)",
    "per group": "select avg(c) from (select place m,count(*) c from t {w} group by 1)",
    "days": "select count(distinct day) from t {w}",
    "median limited": "select thing,median(fee) from t {w} group by 1 order by 2 limit 2",
    "ratio": "select 1.0*count(*) filter (paid)/count(*) filter (not paid) from t {w}",
    "most common": "select thing from t {w} group by thing order by count(*) desc,thing limit 1",
    "spread": "select place,max(fee)-min(fee) from t {w} group by 1",
    "rows sorted": "select id from t {w}",
    "distinct by": "select place,count(distinct thing) from t {w} group by 1",
    "sum or": "select sum(fee) from t {w} {a} thing in ('{t1}','{t2}')",
    "first day": "select min(day) from t {w}",
    "two months": "select sum(fee) filter (month(day)=4),sum(fee) filter (month(day)=5) from t {w}",
}
"""Behind a count stands which of equal ones comes first. A column is named by what it is: id, day, place, thing, qty, fee, paid, note; `{w}` is the condition, `{a}` what goes on with it."""
_ALSO: Final = {
    **{
        shape: tuple(_QUERIES[shape].replace(f",{by}", f",{other}") for other in others)
        for shape, by, *others in (
            ("top2 counts", "place", "place desc"),
            ("argmin count", "thing", "thing desc"),
            ("argmax count", "place", "place desc"),
            ("most common", "thing", "thing desc"),
            (
                "weekday max",
                "isodow(day)",
                "isodow(day) desc",
                "any_value(dayname(day))",
                "any_value(dayname(day)) desc",
            ),
        )
    },
    "above mean": ("select count(*) filter (fee>(select avg(fee) from t)) from t {w}",),
    # Both numbers say where there are more.
    "which side": ("select count(*) filter (place='{p1}'),count(*) filter (place='{p2}') from t {w}",),
    # How many there are says whether there are any.
    "exists": ("select count(*) from t {w} {a} fee>58",),
    "month change": (f"select m,100*(f-lag(f) over (order by m))/lag(f) over (order by m) from {_MONTHS}",),
    "sum in three": ("select sum(fee) from t {w} {a} place in ('{p1}','{p2}','{p3}')",),
    "best row per group": (
        "select place,id from t {w} qualify row_number() over (partition by place order by fee desc)=1",
    ),
}
_FIRST: Final = ("argmax", "argmin", "most common", "which side", "which month", "weekday max", "first day")

_SHAPES: Final = {
    "uk": {
        "sum": "{fee:n загальн}|{fee:n як загальн}",
        "count": "скільки {row:G}|кількість {row:G}",
        "sum in": "{fee:n загальн} {in} {p1:l}|{fee:n як загальн} {in} {p1:l}",
        "count in": "скільки {row:G} {in} {p1:l}|скільки було {row:G} {in} {p1:l}",
        "top3 groups": "топ 3 {place:N} за {fee:i загальн}|3 {place:N} з {fee:i найбільш загальн}",
        "top2 counts": "2 {place:N} з найбільшою кількістю {row:G}|топ-2 {place:N} за кількістю {row:G}",
        "argmax mean": "{in} {place:l як} {fee:n найбільш середн}|{place:n як} має {fee:a найвищ середн}|{place:n} з {fee:i найбільш середн}",
        "argmin mean": "{thing:n як} має {fee:a найменш середн}|{thing:n} з {fee:i найнижч середн}",
        "argmin count": "{thing:n як} має найменше {row:G}|{thing:n} з найменшою кількістю {row:G}",
        "argmax count": "{place:n} з найбільшою кількістю {row:G}|{in} {place:l як} найбільше {row:G}|де найбільше {row:G}, за {place:i}",
        "distinct": "скільки різних {thing:G}|кількість унікальних {thing:G}|скільки всього {thing:G}",
        "share cell": "частка {p1:g} в {fee:l загальн}|яку частку {fee:g загальн} дає {p1}|який відсоток {fee:g загальн} припадає на {p1:a}",
        "share flag": "який відсоток {row:G} {paid}|частка {Paid} {row:G}|відсоток {Paid} {row:G}",
        "share count cell": "яка частка {row:G} {in} {p1:l}|який відсоток {row:G} припадає на {p1:a}",
        "diff": "різниця між {p1:i} і {p2:i} за {fee:i загальн}|на скільки {fee:n загальн} {in} {p1:l} {fee:n- більш} ніж {in} {p2:l}",
        "having count": "{place:N}, де більше 15 {row:G}|{place:N} з більш ніж 15 {row:I}|{in} яких {place:L} понад 15 {row:G}",
        "having sum": "{thing:N} із {fee:i загальн} понад 300|які {thing:N} мають {fee:a загальн} більше 300",
        "having mean": "{in} яких {place:L} {fee:n середн} {fee:n- менш} за 32|{place:N} з {fee:i середн} нижче 32",
        "std": "стандартне відхилення {fee:g}",
        "pct": "90-й перцентиль {fee:g}|90 перцентиль {fee:g}",
        "max": "{fee:n найбільш}|{fee:n максимальн}|{fee:n як найбільш}",
        "argmax row": "{row:n} з {fee:i найбільш}|{row:n як} має {fee:a найбільш}",
        "second": "{fee:n друг найбільш}|{fee:n- друг} за величиною {fee}",
        "top rows": "5 {row:G} з {fee:i найбільш}|топ-5 {row:G} за {fee:i}",
        "bottom rows": "3 {row:N} з {fee:i найменш}|3 {least}і {row:N}",
        "list": "список {thing:G}|перелік усіх {thing:G}|які є {thing:N}",
        "exists": "чи є {row:N} з {fee:i} понад 58|чи були {row:N} з {fee:i} більше 58",
        "flag sum": "{fee:n загальн} {Paid} {row:G}|{fee:n загальн} для {Paid} {row:G}",
        "flag count": "скільки {row:G} {paid}|скільки {Paid} {row:G}|кількість {Paid} {row:G}",
        "unflag count": "скільки {row:G} не {paid}|скільки {unpaid} {row:G}",
        "compare": "порівняй {fee:a загальн} {in} {p1:l} та {p2:l}|порівняти {fee:a загальн} для {p1:g} і {p2:g}",
        "which side": "де більше {row:G}: {in} {p1:l} чи {in} {p2:l}|де більше {row:G}, {in} {p1:l} чи {p2:l}",
        "groups": "{fee:n середн} по {place:L}, від {fee:g- найбільш}|{fee:n середн} за {place:I} за спаданням|{fee:n середн} для {place:g кожн}",
        "monthly": "{fee:n помісячн}|{fee:n загальн} по місяцях|{fee:n загальн} за місяцями|{fee:n загальн} щомісяця|{fee:n загальн} за кожен місяць",
        "weekday": "кількість {row:G} за днями тижня|скільки {row:G} у кожен день тижня|{row:N} по днях тижня",
        "weekday max": "у який день тижня найбільше {row:G}",
        "share groups": "частка {place:g кожн} в {fee:l загальн}|частки {place:G} у {fee:l загальн}",
        "top per group": "топ 2 {thing:N} {in} {place:l кожн} за {fee:i загальн}",
        "best row per group": "{row:n} з {fee:i найбільш} {in} {place:l кожн}",
        "above mean": "скільки {row:G} з {fee:i} вище {fee:g- середн}|скільки {row:G} мають {fee:a} вище середнього",
        "which month": "у якому місяці {fee:n найбільш загальн}|в якому місяці {fee:n загальн} {fee:n- найбільш}",
        "two keys": "{fee:n загальн} по {place:L} і {thing:L}|{fee:n загальн} за {place:I} та {thing:I}",
        "min max": "{fee:n- мінімальн} та {fee:n максимальн} по {place:L}|{fee:n- найменш} і {fee:n найбільш} у розрізі {place:G}",
        "two measures": "{qty:n загальн} і {fee:n середн} по {thing:L}|{qty:n загальн} та {fee:n середн} для {thing:g кожн}",
        "count two": "скільки {row:G} {t1:g} і скільки {t2:g}|скільки {row:G} для {t1:g} і скільки для {t2:g}",
        "sum in three": "{fee:n загальн} для {p1:g}, {p2:g} та {p3:g}|{fee:n загальн} {in} {p1:l}, {p2:l} і {p3:l}",
        "missing per group": "скільки {row:G} без {note:g} по {place:L}|скільки {row:G} без {note:g} {in} {place:l кожн}",
        "share missing": "відсоток {row:G} без {note:g}|частка {row:G} без {note:g}",
        "share missing by": "відсоток {row:G} без {note:g} по {place:L}",
        "month change": "зміна {fee:g загальн} від місяця до місяця|як змінюється {fee:n загальн} з місяця в місяць",
        "running": "{fee:n} наростаючим підсумком по місяцях|{fee:n накопичен} по місяцях",
        "per month": "середня кількість {row:G} на місяць|скільки в середньому {row:G} на місяць",
        "per group": "середня кількість {row:G} на {place:a}|скільки в середньому {row:G} на {place:a}",
        "days": "скільки різних днів були {row:N}|у скільки різних днів були {row:N}",
        "median limited": "{fee:n медіанн} по {thing:L}, 2 найменші",
        "ratio": "співвідношення {Paid} і {unpaid} {row:G}|відношення {Paid} до {unpaid} {row:G}",
        "most common": "{thing:n найпоширеніш}|{thing:n найчастіш}",
        "spread": "розмах {fee:g} по {place:L}",
        "rows sorted": "{row:N} за спаданням {fee:g}|усі {row:N}, відсортовані за {fee:i}",
        "distinct by": "кількість різних {thing:G} по {place:L}|скільки різних {thing:G} {in} {place:l кожн}",
        "sum or": "{fee:n загальн} {t1:g} або {t2:g}|{fee:n загальн} для {t1:g} чи {t2:g}",
        "first day": "найраніша дата|найперша дата",
        "two months": "{fee:n загальн} у травні порівняно з квітнем|{fee:n загальн} у травні проти квітня",
    },
    "ru": {
        "sum": "{fee:n общ}|{fee:n как общ}",
        "count": "сколько {row:G}|количество {row:G}",
        "sum in": "{fee:n общ} {in} {p1:l}|{fee:n как общ} {in} {p1:l}",
        "count in": "сколько {row:G} {in} {p1:l}|сколько было {row:G} {in} {p1:l}",
        "top3 groups": "топ 3 {place:G} по {fee:d общ}|3 {place:N} с {fee:i наибольш общ}",
        "top2 counts": "2 {place:N} с наибольшим количеством {row:G}|топ-2 {place:G} по количеству {row:G}",
        "argmax mean": "{in} {place:l как} {fee:n наибольш средн}|у {place:g как} {fee:n сам высок средн}|{place:n} с {fee:i наибольш средн}",
        "argmin mean": "у {thing:g как} {fee:n наименьш средн}|{thing:n} с {fee:i минимальн средн}",
        "argmin count": "у {thing:g как} меньше всего {row:G}|{thing:n} с наименьшим количеством {row:G}",
        "argmax count": "{place:n} с наибольшим количеством {row:G}|{in} {place:l как} больше всего {row:G}|где больше всего {row:G}, по {place:d}",
        "distinct": "сколько разных {thing:G}|количество уникальных {thing:G}|сколько всего {thing:G}",
        "share cell": "доля {p1:g} в {fee:l общ}|какую долю {fee:g общ} даёт {p1}|какой процент {fee:g общ} приходится на {p1:a}",
        "share flag": "какой процент {row:G} {paid}|доля {Paid} {row:G}|процент {Paid} {row:G}",
        "share count cell": "какая доля {row:G} {in} {p1:l}|какой процент {row:G} приходится на {p1:a}",
        "diff": "разница между {p1:i} и {p2:i} по {fee:d общ}|на сколько {fee:n общ} {in} {p1:l} больше чем {in} {p2:l}",
        "having count": "{place:N}, где больше 15 {row:G}|{place:N} с более чем 15 {row:I}|{in} каких {place:L} свыше 15 {row:G}",
        "having sum": "{thing:N} с {fee:i общ} свыше 300|у каких {thing:G} {fee:n общ} больше 300",
        "having mean": "{in} каких {place:L} {fee:n средн} меньше 32|{place:N} со {fee:i средн} ниже 32",
        "std": "стандартное отклонение {fee:g}",
        "pct": "90-й перцентиль {fee:g}|90 процентиль {fee:g}",
        "max": "{fee:n наибольш}|{fee:n максимальн}|{fee:n как наибольш}",
        "argmax row": "{row:n} с {fee:i наибольш}|у {row:g как} {fee:n наибольш}",
        "second": "{fee:n- втор} по величине {fee}",
        "top rows": "5 {row:G} с {fee:i наибольш}|топ-5 {row:G} по {fee:d}",
        "bottom rows": "3 {row:g} с {fee:i наименьш}",
        "list": "список {thing:G}|перечень всех {thing:G}|какие есть {thing:N}",
        "exists": "есть ли {row:N} с {fee:i} больше 58|были ли {row:N} с {fee:i} свыше 58",
        "flag sum": "{fee:n общ} {Paid} {row:G}|{fee:n общ} для {Paid} {row:G}",
        "flag count": "сколько {row:G} {paid}|сколько {Paid} {row:G}|количество {Paid} {row:G}",
        "unflag count": "сколько {row:G} не {paid}|сколько {unpaid} {row:G}",
        "compare": "сравни {fee:a общ} {in} {p1:l} и {p2:l}|сравнить {fee:a общ} для {p1:g} и {p2:g}",
        "which side": "где больше {row:G}: {in} {p1:l} или {in} {p2:l}|где больше {row:G}, {in} {p1:l} или {p2:l}",
        "groups": "{fee:n средн} по {place:D}, начиная с {fee:g- наибольш}|{fee:n средн} по {place:D} по убыванию|{fee:n средн} для {place:g кажд}",
        "monthly": "{fee:n помесячн}|{fee:n общ} по месяцам|{fee:n общ} помесячно|{fee:n общ} за каждый месяц",
        "weekday": "количество {row:G} по дням недели|сколько {row:G} в каждый день недели|{row:N} по дням недели",
        "weekday max": "в какой день недели больше всего {row:G}",
        "share groups": "доля {place:g кажд} в {fee:l общ}|доли {place:G} в {fee:l общ}",
        "top per group": "топ 2 {thing:G} {in} {place:l кажд} по {fee:d общ}",
        "best row per group": "{row:n} с {fee:i наибольш} {in} {place:l кажд}",
        "above mean": "сколько {row:G} с {fee:i} выше {fee:g- средн}|у скольких {row:G} {fee:n} выше среднего",
        "which month": "в каком месяце {fee:n наибольш общ}|в каком месяце {fee:n общ} {fee:n- максимальн}",
        "two keys": "{fee:n общ} по {place:D} и {thing:D}|{fee:n общ} в разрезе {place:G} и {thing:G}",
        "min max": "{fee:n- минимальн} и {fee:n максимальн} по {place:D}|{fee:n- наименьш} и {fee:n наибольш} в разрезе {place:G}",
        "two measures": "{qty:n общ} и {fee:n средн} по {thing:D}|{qty:n общ} и {fee:n средн} для {thing:g кажд}",
        "count two": "сколько {row:G} {t1:g} и сколько {t2:g}|сколько {row:G} для {t1:g} и сколько для {t2:g}",
        "sum in three": "{fee:n общ} для {p1:g}, {p2:g} и {p3:g}|{fee:n общ} {in} {p1:l}, {p2:l} и {p3:l}",
        "missing per group": "сколько {row:G} без {note:g} по {place:D}|сколько {row:G} без {note:g} {in} {place:l кажд}",
        "share missing": "процент {row:G} без {note:g}|доля {row:G} без {note:g}",
        "share missing by": "процент {row:G} без {note:g} по {place:D}",
        "month change": "изменение {fee:g общ} от месяца к месяцу|как меняется {fee:n общ} из месяца в месяц",
        "running": "{fee:n} нарастающим итогом по месяцам|{fee:n накопленн} по месяцам",
        "per month": "среднее количество {row:G} в месяц|сколько в среднем {row:G} в месяц",
        "per group": "среднее количество {row:G} на {place:a}|сколько в среднем {row:G} на {place:a}",
        "days": "сколько разных дней были {row:N}|в сколько разных дней были {row:N}",
        "median limited": "{fee:n медианн} по {thing:D}, 2 наименьших",
        "ratio": "соотношение {Paid} и {unpaid} {row:G}|соотношение количества {Paid} и {unpaid} {row:G}",
        "most common": "{thing:n сам част}|{thing:n сам распространённ}",
        "spread": "размах {fee:g} по {place:D}",
        "rows sorted": "{row:N} по убыванию {fee:g}|все {row:N}, отсортированные по {fee:d}",
        "distinct by": "количество разных {thing:G} по {place:D}|сколько разных {thing:G} {in} {place:l кажд}",
        "sum or": "{fee:n общ} {t1:g} или {t2:g}|{fee:n общ} для {t1:g} или {t2:g}",
        "first day": "самая ранняя дата|самая первая дата",
        "two months": "{fee:n общ} в мае по сравнению с апрелем|{fee:n общ} в мае против апреля",
    },
}  # fmt: skip
_MARCH: Final = "day between date '2024-03-01' and date '2024-03-31'"
_APRIL: Final = "day between date '2024-04-01' and date '2024-04-30'"
_SPRING: Final = "day between date '2024-04-01' and date '2024-06-30'"
_CONDITIONS: Final = {
    "uk": {
        "": "",
        "у березні 2024": _MARCH,
        "з {qty:i} понад 3": "qty>3",
        "де {thing:n} не {t1:n}": "thing<>'{t1}'",
        "для {t1:g} або {t2:g}": "thing in ('{t1}','{t2}')",
        "з лютого 2024": "day>=date '2024-02-01'",
        "де {fee:n} не менше 20": "fee>=20",
        "без {note:g}": "note is null",
        "крім {t1:g}": "thing<>'{t1}'",
        "з {qty:i} не менше 2 у квітні 2024": f"qty>=2 and {_APRIL}",
        "де {note:n} не {note:n- порожн}": "note is not null",
        "тільки {all}": "paid",
        "у другому кварталі 2024": _SPRING,
        "{in} {p1:l}": "place='{p1}'",
        "не {in} {p2:l}": "place<>'{p2}'",
        "{in} {p1:l} з березня 2024": "place='{p1}' and day>=date '2024-03-01'",
        "де {note:n} {late}": "note='{late}'",
    },
    "ru": {
        "": "",
        "в марте 2024": _MARCH,
        "с {qty:i} больше 3": "qty>3",
        "где {thing:n} не {t1:n}": "thing<>'{t1}'",
        "для {t1:g} или {t2:g}": "thing in ('{t1}','{t2}')",
        "с февраля 2024": "day>=date '2024-02-01'",
        "где {fee:n} не меньше 20": "fee>=20",
        "без {note:g}": "note is null",
        "кроме {t1:g}": "thing<>'{t1}'",
        "с {qty:i} не менее 2 в апреле 2024": f"qty>=2 and {_APRIL}",
        "где {note:n} не {note:n- пуст}": "note is not null",
        "только {all}": "paid",
        "во втором квартале 2024": _SPRING,
        "{in} {p1:l}": "place='{p1}'",
        "не {in} {p2:l}": "place<>'{p2}'",
        "{in} {p1:l} с марта 2024": "place='{p1}' and day>=date '2024-03-01'",
        "где {note:n} {late}": "note='{late}'",
    },
}  # fmt: skip
_BEHIND: Final = re.compile(r"(для|крім|кроме|де|где|тільки|только)\b")
_CLASHES: Final = (
    ("place", "place"),
    ("thing", "thing"),
    ("paid", "paid"),
    ("note", "note"),
    ("fee>", "fee>"),
    ("day", "month(day)"),
    ("day", "min(day)"),
)


def shaped(domain: Domain, file: str) -> Iterator[GoldQuestion]:
    """Yield the questions of a domain, a condition behind each or, in every other where a person would put it there, in front."""
    turns = itertools.count()
    names = {key: word.forms["n"] for key, word in domain.words.items()} | {"late": domain.notes[1]}
    spoken = {**domain.words, **domain.said, "late": domain.notes[1]}
    for shape, texts in _SHAPES[domain.language].items():
        query = _QUERIES[shape]
        kind = "share" if "share" in shape else "argmax" if shape.startswith(_FIRST) else ""
        for text in texts.split("|"):
            if "{least}" in text and "least" not in domain.said:
                continue
            for condition, where in _CONDITIONS[domain.language].items():
                if any(one in where and other in query for one, other in _CLASHES):
                    continue
                parts = {
                    "w": where and f"where {where.format(**names)}",
                    "a": "and" if where else "where",
                    **names,
                }
                sql, also = (
                    query.format(**parts),
                    tuple(other.format(**parts) for other in _ALSO.get(shape, ())),
                )
                asked, limited = text.format(**spoken), condition.format(**spoken)
                fronted = bool(limited) and not _BEHIND.match(limited) and next(turns) % 2 == 1
                asked = f"{limited}, {asked}" if fronted else f"{asked} {limited}".strip()
                yield GoldQuestion(
                    id=f"{shape} <" if fronted else shape,
                    lang=domain.language,
                    file=file,
                    question=asked,
                    shape=kind,
                    answerable=True,
                    sql=sql,
                    ordered=False,
                    notes="fraction" if kind == "share" else "",
                    also=also,
                )
