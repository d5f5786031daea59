"""What SQL may do: one SELECT over the open tables, by allowlists of syntax, functions and table names.

The text that was given is never run. What passes is rendered anew from its syntax tree, and the functions
are looked up in that rendering, so that no reading of the text but the checked one reaches the engine.
"""

from __future__ import annotations

import itertools
import logging
import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse
from sqlglot.dialects.duckdb import DuckDB
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import TokenType

from tabchat.engine.nearest import nearest
from tabchat.engine.sql.functions import FUNCTIONS, SYNTAX, TABLE_FUNCTIONS
from tabchat.engine.sql.nesting import is_too_deep
from tabchat.errors import SqlRefusedError
from tabchat.inert import is_text

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

DIALECT: Final = "duckdb"
MAX_LENGTH: Final = 100_000
"""Characters of SQL text."""

# The parser narrates its fallbacks on this logger; without a handler they would reach stderr.
logging.getLogger("sqlglot").addHandler(logging.NullHandler())

_FAMILIES: Final = (exp.Binary, exp.Unary, exp.Func, exp.SetOperation)

_PATH_PARTS: Final = frozenset(
    {exp.JSONPathRoot, exp.JSONPathKey, exp.JSONPathSubscript, exp.JSONPathWildcard}
)
"""Parts of a JSON path that are rendered as they were written; of others, a slice is lost without a word."""

_ALLOWED: Final = frozenset(
    {
        # The clauses of a query, and what it reads from.
        *(exp.Select, exp.Distinct, exp.From, exp.Join, exp.Where, exp.Group, exp.Having, exp.HavingMax),
        *(exp.Qualify, exp.Order, exp.Ordered, exp.Limit, exp.LimitOptions, exp.Fetch, exp.Offset),
        *(exp.With, exp.CTE, exp.Subquery, exp.Values, exp.Lateral, exp.TableSample, exp.Exists),
        *(exp.Cube, exp.Rollup, exp.GroupingSets, exp.Filter, exp.Window, exp.WindowSpec, exp.WithinGroup),
        *(exp.IgnoreNulls, exp.RespectNulls, exp.Pivot, exp.PivotAlias, exp.PivotAny, exp.UnpivotColumns),
        # Names.
        *(exp.Alias, exp.Aliases, exp.Column, exp.PositionalColumn, exp.Identifier, exp.Star, exp.Var),
        *(exp.Table, exp.TableAlias),
        # Values, and what is made of them.
        *(exp.Boolean, exp.Null, exp.Literal, exp.ByteString, exp.HexString, exp.RawString),
        *(exp.Interval, exp.IntervalSpan, exp.AtTimeZone, exp.DataType, exp.DataTypeParam, exp.ColumnDef),
        *(exp.Tuple, exp.Bracket, exp.Slice, exp.JSONPath, exp.PropertyEQ, exp.Kwarg, exp.Lambda),
        *(exp.Comprehension, exp.Between, exp.In, exp.All, exp.Any),
    }
)

_DENIED: Final = frozenset({exp.CurrentCatalog, exp.CurrentUser, exp.SessionParameter, exp.SessionUser})
"""Read the session rather than the tables, and may be written without brackets."""

_CAPITAL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")

_LACKING: Final = re.compile(r"Required keyword: '\w+' missing for <class '[\w.]*\.(?P<kind>\w+)'>")
_TOKEN: Final = re.compile(r"<Token token_type: [^>]*>")

_STATEMENT_HINT: Final = (
    "Write one SELECT in DuckDB's dialect; tabchat never changes data or settings through SQL."
)

_LOOKS: Final = frozenset({"DESCRIBE", "SHOW", "SUMMARIZE"})
_LOOK_HINT: Final = "Look at the columns with: tabchat profile FILE"
"""What the statements that look at tables are here."""


def check_sql(sql: str, tables: Collection[str]) -> exp.Query:
    """Parse `sql` and return its query tree, with table names spelled as in `tables` and without comments.

    Raises `SqlRefusedError` for anything but one SELECT that uses only `tables`, allowed syntax and allowed
    functions.
    """
    if len(sql) > MAX_LENGTH:
        message = f"The SQL has {len(sql)} characters; at most {MAX_LENGTH} are accepted."
        raise SqlRefusedError(message, hint="Ask for less at once.")
    # The parser would also tell its log, which then cannot be written.
    if not is_text(sql):
        message = "The SQL holds bytes or halves of characters that are no text."
        raise SqlRefusedError(message, hint="Write it in UTF-8.")
    try:
        query = _one_query(sql)
        for node in query.walk():
            node.pop_comments()
            _check_node(node)
        for table in list(query.find_all(exp.Table)):
            _check_table(table, tables)
        _check_written(query.sql(DIALECT, identify=True))
    except RecursionError as error:
        message = "The SQL is nested too deeply."
        raise SqlRefusedError(message, hint="Split it with WITH, or ask for less at once.") from error
    return query


def called_functions(sql: str) -> Iterator[str]:
    """Yield the lower-case names that stand before an opening bracket in rendered SQL."""
    tokens = DuckDB().tokenize(sql)
    for token, following in itertools.pairwise(tokens):
        word = token.text[:1].isalpha() or token.text.startswith("_")
        if (
            word
            and token.token_type is not TokenType.IDENTIFIER
            and following.token_type is TokenType.L_PAREN
        ):
            # Some keywords are two words in one token: `ORDER BY`.
            yield token.text.lower().split()[-1]


def _one_query(sql: str) -> exp.Query:
    try:
        if is_too_deep(DuckDB().tokenize(sql)):
            raise RecursionError
        parsed = parse(sql, dialect=DIALECT)
    except SqlglotError as error:
        message = f"The SQL cannot be read: {_syntax_problem(error)}"
        raise SqlRefusedError(message, hint="Write one SELECT in DuckDB's dialect.") from error
    except (TypeError, AttributeError) as error:
        # The parser meets a clause without what belongs to it.
        message = "The SQL cannot be read: a part of it is missing."
        raise SqlRefusedError(message, hint="Write one SELECT in DuckDB's dialect.") from error
    statements = [statement for statement in parsed if statement is not None]
    if len(statements) != 1:
        message = f"One SELECT is accepted, not {len(statements)} statements."
        raise SqlRefusedError(message, hint=_STATEMENT_HINT)
    statement = statements[0]
    if isinstance(statement, exp.Values):
        statement = exp.select("*").from_(statement)
    while isinstance(statement, exp.Subquery) and statement.is_wrapper:
        statement = statement.this
    if isinstance(statement, exp.Pivot):
        hint = "Write SELECT * FROM table PIVOT (sum(x) FOR column IN ('a', 'b'))."
        raise SqlRefusedError("PIVOT and UNPIVOT are accepted only inside FROM.", hint=hint)
    if not isinstance(statement, exp.Query):
        name = _statement_name(statement)
        message = f"Only SELECT is accepted, not {name}."
        raise SqlRefusedError(message, hint=_LOOK_HINT if name in _LOOKS else _STATEMENT_HINT)
    if isinstance(statement, exp.Select) and not statement.expressions:
        message = "The SQL cannot be read: nothing stands behind SELECT."
        raise SqlRefusedError(message, hint="Write what to select, such as SELECT count(*) FROM table.")
    return statement


def _syntax_problem(error: SqlglotError) -> str:
    details = getattr(error, "errors", None)
    if not details:
        return "it is no row of words; a quote or a comment may never be closed."
    first = details[0]
    near = f" near {first['highlight']!r}" if first.get("highlight") else ""
    problem = _LACKING.sub(_lacking, first["description"].rstrip("."))
    # Of the end of the text the parser says how it stands for it.
    problem = _TOKEN.sub("the end", problem)
    return f"{problem} at line {first['line']}, column {first['col']}{near}."


def _lacking(found: re.Match[str]) -> str:
    return f"A part of {_CAPITAL.sub(' ', found['kind']).upper()} is missing"


def _statement_name(statement: exp.Expr) -> str:
    if isinstance(statement, exp.Command):
        return str(statement.this).upper()
    return _CAPITAL.sub(" ", type(statement).__name__).upper()


def _check_node(node: exp.Expr) -> None:
    if isinstance(node, exp.JSONPathPart):
        if type(node) not in _PATH_PARTS:
            message = "A path into JSON with .., a slice, a choice or a filter is not accepted."
            raise SqlRefusedError(message, hint="Name each step: json_extract(column, '$.items[*].price').")
        return
    if type(node) in _DENIED or (type(node) not in _ALLOWED and not isinstance(node, _FAMILIES)):
        raise SqlRefusedError(f"{_statement_name(node)} is not accepted in a query.", hint=_STATEMENT_HINT)
    if isinstance(node, exp.Anonymous) and not isinstance(node.this, str):
        message = f"The function name {node.this.name!r} is quoted; only plain function names are accepted."
        raise SqlRefusedError(message, hint="Write the function's name without quotes.")
    if isinstance(node, exp.Select) and node.args.get("into"):
        message = "SELECT … INTO is not accepted: a query never creates tables."
        raise SqlRefusedError(message, hint=_STATEMENT_HINT)


def _check_table(table: exp.Table, tables: Collection[str]) -> None:
    source = table.this
    if isinstance(source, exp.Func):
        _check_table_function(table, source)
        return
    if table.args.get("db") is not None or table.args.get("catalog") is not None:
        message = f"The name {table.sql(DIALECT)} has a schema; tables are named without one."
        raise SqlRefusedError(message, hint=_tables_hint(table.name, tables))
    if names_a_cte(table):
        return
    known = _known_name(table.name, tables)
    if known is None:
        raise SqlRefusedError(f"There is no table {table.name!r}.", hint=_tables_hint(table.name, tables))
    if known != table.name and not table.alias and not table.name.isascii():
        # The engine folds the case of ASCII letters only, so columns qualified with the name as it was
        # written still need it.
        table.set("alias", exp.TableAlias(this=source.copy()))
    source.replace(exp.to_identifier(known, quoted=source.args.get("quoted") or None))


def _check_table_function(table: exp.Table, source: exp.Func) -> None:
    outer = next(called_functions(source.sql(DIALECT, identify=True)), source.key)
    if table.args.get("db") is not None or outer not in TABLE_FUNCTIONS:
        message = f"The table function {outer}() is not accepted: a query reads only the open tables."
        raise SqlRefusedError(message, hint="Open a file as a table by naming it on the command line.")


def _check_written(rendered: str) -> None:
    """Check what the engine is given: of some damaged SQL the parser makes a tree that is not written as it was read."""
    try:
        for node in _one_query(rendered).walk():
            _check_node(node)
    except SqlRefusedError as error:
        message = f"A part of the SQL cannot be told from another: written anew, {str(error)[:1].lower()}{str(error)[1:]}"
        raise SqlRefusedError(message, hint="Write one SELECT in DuckDB's dialect.") from error
    for name in called_functions(rendered):
        if name not in FUNCTIONS and name not in SYNTAX:
            near = nearest(name, FUNCTIONS)
            hint = f"Did you mean {' or '.join(near)}?" if near else "Use DuckDB's functions on values."
            raise SqlRefusedError(f"The function {name}() is not accepted.", hint=hint)


def names_a_cte(table: exp.Table) -> bool:
    """Return whether `table` names a CTE that is visible where it stands."""
    wanted = table.name.casefold()
    inside: exp.Expr = table
    node = table.parent
    while node is not None:
        with_ = node if isinstance(node, exp.With) else node.args.get("with_")
        if isinstance(with_, exp.With) and any(
            cte.alias.casefold() == wanted for cte in _visible_ctes(with_, inside)
        ):
            return True
        inside, node = node, node.parent
    return False


def _visible_ctes(with_: exp.With, inside: exp.Expr) -> list[exp.CTE]:
    """Return the CTEs of `with_` that its part `inside` can name: all, or for a CTE those before it."""
    ctes: list[exp.CTE] = with_.expressions
    if inside is with_:
        # The With itself was passed through already, with the CTE that was inside.
        return []
    position = next((index for index, cte in enumerate(ctes) if cte is inside), None)
    if position is None:
        return ctes
    # Only one that unites with itself can be recursive, whatever the keyword says.
    recursive = with_.args.get("recursive") and isinstance(ctes[position].this, exp.SetOperation)
    return ctes[: position + 1] if recursive else ctes[:position]


def _known_name(name: str, tables: Collection[str]) -> str | None:
    if name in tables:
        return name
    folded = name.casefold()
    return next((table for table in tables if table.casefold() == folded), None)


def _tables_hint(name: str, tables: Collection[str]) -> str:
    from pathlib import PurePath

    near = nearest(name, tables, 1) or nearest(PurePath(name).stem, tables, 1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"Open tables: {', '.join(tables)}." if tables else "No table is open."
