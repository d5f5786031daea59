"""SELECTs that pass the allowlist and would take all of a machine's time or memory, often inside one function call.

They read one table, `t`: `n` from 0 to 999 and the text `name`.
"""

from typing import Final

BOMBS: Final[dict[str, str]] = {
    # One call that no interrupt reaches.
    "levenshtein": "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))",
    "levenshtein_of_cells": "SELECT sum(levenshtein(repeat(name, 20000), repeat(name, 20001))) FROM t",
    "damerau_levenshtein": "SELECT damerau_levenshtein(repeat('ab', 100000), repeat('ba', 100000))",
    "editdist3": "SELECT editdist3(repeat('a', 200000), repeat('b', 200000))",
    "jaro_winkler": "SELECT jaro_winkler_similarity(repeat('ab', 1000000), repeat('ba', 1000000))",
    "jaro": "SELECT jaro_similarity(repeat('ab', 1000000), repeat('ba', 1000000))",
    "hamming_of_long": "SELECT hamming(repeat('a', 2000000000), repeat('b', 2000000000))",
    "jaccard_of_long": "SELECT jaccard(repeat('ab', 1000000000), repeat('ba', 1000000000))",
    # Lists.
    "list_resize": "SELECT len(list_resize([1], 10000000000))",
    "array_resize": "SELECT len(array_resize([1], 5000000000))",
    "range_list": "SELECT len(range(200000000))",
    "generate_series_list": "SELECT sum(len(generate_series(0, n * 10000000))) FROM t",
    "list_transform": "SELECT len(list_transform(range(100000000), lambda x : repeat('a', x)))",
    "list_transform_nested": (
        "SELECT len(list_transform(range(3000), lambda x : list_transform(range(3000), lambda y : range(x * y))))"
    ),
    "list_reduce": "SELECT list_reduce(list_transform(range(64), lambda x : 'ab'), lambda x, y : concat(x, x, y))",
    "list_filter": "SELECT len(list_filter(range(300000000), lambda x : x % 7 = 0))",
    "list_concat": "SELECT len(list_concat(range(100000000), range(100000000)))",
    "list_sort": "SELECT list_sort(list_transform(range(100000000), lambda x : hash(x)))[1]",
    "list_distinct": "SELECT len(list_distinct(range(100000000)))",
    "list_zip": "SELECT len(list_zip(range(100000000), range(100000000), range(100000000)))",
    "array_sum": "SELECT list_sum(list_transform(range(30000000), lambda x : levenshtein(repeat('a', x), 'b')))",
    "flatten": "SELECT len(flatten(list_transform(range(20000), lambda x : range(20000))))",
    "list_of_all": "SELECT len(list(repeat(a.name, 1000))) FROM t AS a, t AS b, t AS c",
    "unnest": "SELECT count(*) FROM (SELECT unnest(range(100000000)) AS x), t",
    # Texts.
    "repeat": "SELECT length(repeat('abcdefgh', 500000000))",
    "repeat_of_repeat": "SELECT repeat(repeat(repeat('abc', 10000), 10000), 10000)",
    "lpad": "SELECT length(lpad('a', 2000000000, 'x'))",
    "rpad": "SELECT length(rpad(name, 1000000000, 'x')) FROM t",
    "format_width": "SELECT length(format('{:>2000000000}', 'x'))",
    "printf_width": "SELECT length(printf('%2000000000d', 1))",
    "replace": "SELECT length(replace(repeat('a', 1000000), 'a', repeat('b', 1000000)))",
    "translate": "SELECT length(translate(repeat('a', 2000000000), 'a', 'b'))",
    "regexp_replace": "SELECT length(regexp_replace(repeat('a', 2000000), 'a', repeat('b', 100000), 'g'))",
    "regexp_extract_all": "SELECT len(regexp_extract_all(repeat('a', 200000000), 'a'))",
    "regexp_states": "SELECT sum(regexp_matches(repeat(name, 100000), '(a|b)*a(a|b){300}c')::INT) FROM t",
    "string_agg": "SELECT length(string_agg(repeat('abc', 1000000), ',')) FROM t AS a, t AS b",
    "string_split": "SELECT len(string_split(repeat('a,', 200000000), ','))",
    "hex": "SELECT length(hex(hex(hex(repeat('a', 500000000)))))",
    "to_json": "SELECT length(to_json(range(100000000)))",
    "json_merge": "SELECT length(json_array(repeat('a', 500000000), repeat('b', 500000000)))",
    # Bits, structs, maps, numbers.
    "bitstring": "SELECT bit_count(bitstring('1', 2000000000))",
    "bitstring_agg": "SELECT sum(bit_count(b)) FROM (SELECT bitstring_agg(n, 0, 900000000) AS b FROM t GROUP BY n)",
    "struct_explosion": (
        "SELECT len(list_transform(range(10000000), lambda x : {'a': repeat('x', 1000), 'b': range(1000)}))"
    ),
    "map": "SELECT cardinality(map(range(100000000), range(100000000)))",
    "histogram": "SELECT cardinality(histogram(a.n * 1000000 + b.n * 1000 + c.n)) FROM t AS a, t AS b, t AS c",
    # Rows.
    "recursive_cte": "WITH RECURSIVE r AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
    "recursive_text": (
        "WITH RECURSIVE r AS (SELECT 'ab' AS x UNION ALL SELECT concat(x, x) FROM r) SELECT max(length(x)) FROM r"
    ),
    "cross_join": "SELECT sum(a.n * b.n * c.n * d.n) FROM t AS a, t AS b, t AS c, t AS d",
    "range_rows": "SELECT sum(hash(a.range)) FROM range(1000000000000) AS a",
    "generate_series_rows": "SELECT median(x) FROM generate_series(1, 100000000000) AS g(x)",
    "window": "SELECT max(s) FROM (SELECT sum(a.n) OVER (ORDER BY hash(a.n + b.n * c.n)) AS s FROM t AS a, t AS b, t AS c)",
    "huge_rows": "SELECT repeat(name, 10000000) AS big FROM t",
    "quantiles": "SELECT quantile_cont(a.n * b.n, list_transform(range(10000000), lambda x : 0.5)) FROM t AS a, t AS b",
}
