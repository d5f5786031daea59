"""Headers in German, French, Polish and Spanish are found by English words, and by their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tabchat.engine.facts.records import ColumnFacts, TableFacts
from tabchat.engine.types import ColumnKind
from tabchat.planner.links.foreign import foreign_words
from tabchat.planner.wording.reading import read_as
from tabchat.planner.words import shipped_languages
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.planner.asking import Asker

TABLES: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "fahrtenbuch": (
        "Fahrer;Kennzeichen;Datum;Strecke (km);Kosten (EUR);Abteilung",
        [
            f"{('Müller', 'Weiß', 'Krüger')[n % 3]};B-KL {n % 4};{1 + n % 28:02}.0{1 + n % 6}.2025;{20 + n * 7},5;{5 + n},1;"
            f"{('Einkauf', 'Technik')[n % 2]}"
            for n in range(60)
        ],
    ),
    "commandes_boulangerie": (
        "N° commande;Client;Produit;Quantité;Prix unitaire (€);Montant (€);Ville;Livré",
        [
            f"C{300 + n};{('Dupont', 'Moreau')[n % 2]};{('baguette', 'brioche')[n % 2]};{1 + n % 9};{1 + n % 5},5;{9 + n},4;"
            f"{('Lyon', 'Dijon')[n % 2]};{('oui', 'non')[n % 3 == 0]}"
            for n in range(60)
        ],
    ),
    "magazyn": (
        "Nazwa części;Kategoria;Ilość;Cena (zł);Dostawca;Data dostawy",
        [
            f"część {n};{('silnik', 'hamulce')[n % 2]};{n % 7};{9 + n},5;{('Gordon', 'Moto')[n % 2]};{1 + n % 28:02}.0{1 + n % 6}.2025"
            for n in range(60)
        ],
    ),
    "reservas_hostal": (
        "Huésped;Tipo de habitación;Noches;Precio por noche (€);Importe total (€);País;Pagado",
        [
            f"{('Ana Ruiz', 'Luis Vega', 'Eva Gil')[n % 3]};{('doble', 'familiar')[n % 2]};{1 + n % 9};{18 + n},5;{40 + n * 9},5;"
            f"{('Francia', 'Italia')[n % 2]};{('sí', 'no')[n % 3 == 0]}"
            for n in range(60)
        ],
    ),
}


def read(asker: Asker, folder: Path, table: str, question: str) -> tuple[list[str], bool]:
    path = table_of(folder, table, *TABLES[table])
    facts = asker.interpreter(path).facts
    found, certain, _ = asker.read(path, question)
    return [read_as(one.intent, facts, "en") for one in found], certain


@pytest.mark.parametrize(
    "table, question, reading",
    [
        ("fahrtenbuch", "how many trips", "number of rows"),
        ("fahrtenbuch", "total distance by driver", "sum of “Strecke (km)” · by Fahrer"),
        ("fahrtenbuch", "sum of Kosten by Abteilung", "sum of “Kosten (EUR)” · by Abteilung"),
        ("commandes_boulangerie", "total amount", "sum of “Montant (€)”"),
        ("commandes_boulangerie", "average Prix unitaire", "mean of “Prix unitaire (€)”"),
        ("commandes_boulangerie", "orders not delivered", "rows · Livré ≠ oui"),
        ("commandes_boulangerie", "revenue by city", "sum of “Montant (€)” · by Ville"),
        ("magazyn", "average price by supplier", "mean of “Cena (zł)” · by Dostawca"),
        ("magazyn", "median quantity", "median of Ilość"),
        ("reservas_hostal", "how many nights in total", "sum of Noches"),
        (
            "reservas_hostal",
            "average price per night by room type",
            "mean of “Precio por noche (€)” · by Tipo de habitación",
        ),
        ("reservas_hostal", "how many bookings are unpaid", "number of rows · Pagado = “no”"),
    ],
)
def test_english_words_find_foreign_headers(
    asker: Asker, tmp_path: Path, table: str, question: str, reading: str
) -> None:
    offered, certain = read(asker, tmp_path, table, question)
    assert (offered[0], certain) == (reading, True)


def test_a_price_of_one_is_not_what_a_row_comes_to(asker: Asker, tmp_path: Path) -> None:
    offered, certain = read(asker, tmp_path, "reservas_hostal", "most expensive booking")

    assert not certain
    assert all(
        any(f"by “{name}”" in one for one in offered)
        for name in ("Importe total (€)", "Precio por noche (€)")
    )


@pytest.mark.parametrize(
    "headers",
    [
        # A word or two of another language are none of a table's.
        ("Date", "Client", "Note", "Service", "Total"),
        ("order_id", "art", "revenue", "unit_price"),
        ("nazva_tovaru", "kilkist", "tsina_grn", "suma_grn", "data_postavky", "stan_oplaty"),
        ("Дата", "Сума", "Kunde"),
        ("Adatok", "Ár", "Dátum", "Vevő", "Mennyiség"),
    ],
)
def test_other_headers_stay(headers: Sequence[str]) -> None:
    columns = tuple(ColumnFacts(name=name, kind=ColumnKind.TEXT) for name in headers)
    facts = TableFacts(name="t", row_count=None, columns=columns)
    assert foreign_words(facts, shipped_languages()) == {}


def test_accents_may_be_left_out() -> None:
    columns = tuple(
        ColumnFacts(name=name, kind=ColumnKind.TEXT) for name in ("STRASSE", "MENGE", "Länge", "GROESSE")
    )
    facts = TableFacts(name="t", row_count=None, columns=columns)
    found = foreign_words(facts, shipped_languages())
    assert {found[word] for word in ("strasse", "menge", "länge")} == {"street", "quantity", "length"}
