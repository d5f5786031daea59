"""The rows that an edit is about, read by the same grammar as the filters of questions."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner import expressions as write
from tabchat.planner.edits.formulas import written_expression
from tabchat.planner.edits.request import Unfit
from tabchat.planner.edits.slips import is_sure, spread_quotes
from tabchat.planner.filters import missing
from tabchat.planner.headers import INFLECTED
from tabchat.planner.plans import Draft, Unreadable, scope_of
from tabchat.planner.readings import explored
from tabchat.planner.skeleton import skeletons
from tabchat.planner.tokens import TokenKind, fold, header_words
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.edits.patterns import Span
    from tabchat.planner.edits.request import Request
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.linker import Linked
    from tabchat.planner.nodes import Node
    from tabchat.planner.scene import Scene
    from tabchat.planner.tokens import Token


@record
class RowsMeant:
    """A condition on rows."""

    where: str
    """In the plan's expression language."""
    read_as: tuple[str, ...]
    """Its parts, as questions say them."""


def rows_meant(
    request: Request, span: Span, *, subject: ColumnFacts | None = None, named: bool = False
) -> tuple[RowsMeant, ...]:
    """Return what rows a stretch can mean; with `named`, it must say that it is about rows.

    `subject` is the column that the edit is about, for `where it is missing`. Raises `Unfit` for a condition that
    cannot be computed from this table.
    """
    if span[0] > 0 and request.is_class((span[0] - 1, span[0]), "each"):
        named = False
    whole, span = span, request.trimmed(span, "where")
    if subject is not None and request.is_class(span, "missing", "nothing"):
        condition = missing(subject)
        return (RowsMeant(where=condition.expr, read_as=(condition.text,)),)
    tokens = _about(request, span, subject)
    if whole != span and request.starts(whole[0], "where") is not None:
        tokens = (_opener(request, whole), *tokens)
    linked = request.linker.link(tokens, request.question)
    if not linked.unknown and is_sure(linked, request.linker) and not _is_broken(linked):

        def build(clauses: Clauses, reasons: list[str]) -> Sequence[Draft]:
            return _draft(clauses, request.scene, reasons, named=named)

        found = explored(linked, request.scene, build)
        if found.drafts:
            return tuple(
                RowsMeant(where=str(draft.arguments["where"]), read_as=draft.read_as)
                for draft in found.drafts
            )
        if found.reasons:
            raise Unfit(f"{found.reasons[0]}")
    written = _written(request, span, named=named)
    if written is not None:
        return (RowsMeant(where=written, read_as=(written,)),)
    _check_quoted(request, tokens)
    return ()


def _opener(request: Request, span: Span) -> Token:
    """Return the plain word that opens a condition, for whatever did: `if`, `in the rows where`."""
    word = request.words.opener
    return replace(request.tokens[span[0]], text=word, norm=word, kind=TokenKind.WORD)


def _is_broken(linked: Linked) -> bool:
    """Tell whether a condition stops short, or speaks of persons where it should compare.

    A question may overhear both; a slip of the finger must not change what is deleted.
    """
    last = linked.items[-1] if linked.items else None
    short = last is not None and all(sense.has("and", "or", "comma") for sense in last.senses)
    return short or any(all(sense.has("stop.person") for sense in item.senses) for item in linked.items)


def _draft(clauses: Clauses, scene: Scene, reasons: list[str], *, named: bool) -> tuple[Draft, ...]:
    if not _only_filters(clauses, scene, named=named):
        return ()
    try:
        scope = scope_of(clauses, scene, whole_rows=True)
    except Unreadable as reason:
        reasons.append(str(reason))
        return ()
    if set(scope.fields) != {"where"}:
        reasons.append("the condition needs a computed column: add it first")
        return ()
    where = str(scope.fields["where"])
    return (Draft(tool="where", arguments={"where": where}, shape="where", read_as=scope.read_as),)


def _only_filters(clauses: Clauses, scene: Scene, *, named: bool) -> bool:
    """Tell whether clauses are nothing but filters on rows, which are named if they must be."""
    if clauses.keys or clauses.by or clauses.bounds or clauses.order is not None or clauses.per_row:
        return False
    if any(node.column is not None and _cost(node) > INFLECTED for node in clauses.core):
        return False
    codes = {found for found, _ in skeletons(clauses.core, scene)}
    about_rows = "E" in codes or ("" in codes and (not named or _noun(clauses)))
    return about_rows and bool(clauses.conditions or clauses.periods)


def _cost(node: Node) -> float:
    return node.sense.cost if node.sense is not None else 0.0


def _noun(clauses: Clauses) -> bool:
    """Tell whether a condition was said as a noun for rows: `failures`, `notebooks`."""
    return any(node.condition is not None and node.condition.noun for node in clauses.conditions)


def _about(request: Request, span: Span, subject: ColumnFacts | None) -> tuple[Token, ...]:
    """Return the tokens of a condition: pronouns exchanged for the column, names out of their quotation marks."""
    row: list[Token] = []
    place = span[0]
    while place < span[1]:
        end = request.starts(place, "pronoun") if subject is not None else None
        token = request.tokens[place]
        if end is not None and subject is not None:
            row += [
                replace(token, text=word, norm=word, kind=TokenKind.WORD, glued=False)
                for word in subject.words
            ]
            place = end
        else:
            row.append(token)
            place += 1
    return spread_quotes(row, frozenset(_known(request, row)))


def _known(request: Request, tokens: Sequence[Token]) -> list[tuple[str, ...]]:
    """Return the quoted texts that are names of columns or cells, as words."""
    table = request.scene.table
    found = []
    for token in tokens:
        if token.kind is not TokenKind.QUOTED:
            continue
        words = header_words(token.text)
        named = any(column.words == words for column in table.columns)
        if named or _is_cell(request, token.text):
            found.append(_norms(token.text))
    return found


def _norms(text: str) -> tuple[str, ...]:
    from tabchat.planner.tokens import tokenize

    return tuple(token.norm for token in tokenize(text))


def _is_cell(request: Request, text: str) -> bool:
    folded = fold(text)
    listed = request.scene.table.values()
    if any(fold(value) == folded for values in listed.values() for value in values):
        return True
    return bool(request.scene.table.find_texts([text.strip().casefold()]))


def _check_quoted(request: Request, tokens: Sequence[Token]) -> None:
    for token in tokens:
        if token.kind is TokenKind.QUOTED and not _is_cell(request, token.text):
            raise Unfit(f"no cell is “{token.text}”")


def _written(request: Request, span: Span, *, named: bool) -> str | None:
    """Return a condition that is written as an expression: `price < 5 and (status == 'new' or note is null)`."""
    start = span[0]
    if named:
        row = request.starts(start, "row", "everything")
        start = request.trimmed((row, span[1]), "where")[0] if row is not None and row < span[1] else start
        if start == span[0]:
            return None
    text = request.question[request.tokens[start].start : request.tokens[span[1] - 1].end]
    return written_expression(text, request.scene.table.columns, condition=True)


def except_where(where: str) -> str:
    """Return the condition of all other rows, those included of which it is not known."""
    return f"not {write.call('coalesce', where, 'false')}"
