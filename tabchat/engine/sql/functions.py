"""The functions that SQL may call, by the engine's own names; whatever is not listed is refused.

Left out on purpose: all that reads or writes files, settings, variables, sequences, secrets, logs or the
catalogue, that runs SQL from text, or that waits.
"""

from __future__ import annotations

from typing import Final

from tabchat.values import word_set

AGGREGATES: Final = word_set(
    """
    any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min
    arg_min_null argmax argmin array_agg avg bit_and bit_or bit_xor bitstring_agg bool_and bool_or corr count
    count_if count_star countif covar_pop covar_samp entropy favg first fsum geomean geometric_mean grouping
    group_concat histogram json_group_array json_group_object kahan_sum kurtosis kurtosis_pop last list listagg
    mad max max_by mean median min min_by mode percentile_cont percentile_disc product quantile quantile_cont
    quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy
    reservoir_quantile sem skewness stddev stddev_pop stddev_samp string_agg sum sumkahan sum_no_overflow
    var_pop var_samp variance wavg weighted_avg
    """
)

WINDOWS: Final = word_set(
    """
    cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense
    row_number
    """
)

UNREPEATABLE: Final = word_set(
    """
    age ago current_date current_localtime current_localtimestamp current_time current_timestamp
    gen_random_uuid get_current_time get_current_timestamp localtime localtimestamp now random
    reservoir_quantile today transaction_timestamp uuid uuidv4 uuidv7
    """
)
"""Allowed, but another run may give other values."""

COLLECTING: Final = word_set(
    """
    approx_top_k array_agg array_aggr array_aggregate array_concat array_reduce array_to_json array_to_string
    flatten group_concat histogram json_group_array json_group_object
    list list_aggr list_aggregate list_concat list_histogram
    list_reduce list_string_agg list_value listagg map map_entries map_from_entries reduce
    string_agg
    """
)
"""Put many values into one."""

TABLE_FUNCTIONS: Final = frozenset({"generate_series", "json_each", "json_tree", "range", "unnest"})

_SCALARS: Final = word_set(
    """
    abs acos acosh add alias array_aggr array_aggregate array_append array_apply array_cat array_concat
    array_contains array_cosine_distance array_cosine_similarity array_cross_product array_distance
    array_distinct array_dot_product array_extract array_filter array_grade_up array_has array_has_all
    array_has_any array_indexof array_inner_product array_intersect array_length array_pop_back
    array_pop_front array_position array_prepend array_push_back array_push_front array_reduce array_resize
    array_reverse array_reverse_sort array_select array_slice array_sort array_to_json array_to_string
    array_transform array_unique array_value array_where array_zip ascii asin asinh atan atan2 atanh bar
    base64 bin bit_count bit_length bit_position bitstring cardinality cbrt ceil ceiling century char_length
    character_length chr coalesce concat concat_ws constant_or_null contains cos cosh cot damerau_levenshtein
    date date_add date_diff date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname
    dayofmonth dayofweek dayofyear days_in_month decade decode degrees divide editdist3 element_at encode
    ends_with enum_code enum_first enum_last enum_range enum_range_boundary epoch epoch_ms epoch_ns epoch_us
    equi_width_bins era even exp extract factorial fdiv filter flatten floor fmod format
    formatreadabledecimalsize formatreadablesize format_bytes from_base64 from_binary from_hex from_json
    from_json_strict gamma gcd generate_series generate_subscripts get_bit grade_up greatest
    greatest_common_divisor hamming hash hex hour if ifnull instr isfinite isinf isnan isodow isoyear jaccard
    jaro_similarity jaro_winkler_similarity json json_array json_array_length json_contains json_exists
    json_extract json_extract_path json_extract_path_text json_extract_string json_keys json_merge_patch
    json_object json_pretty json_quote json_structure json_transform json_transform_strict json_type
    json_valid json_value julian last_day lcase lcm least least_common_multiple left left_grapheme len length
    length_grapheme levenshtein lgamma list_aggr list_aggregate list_any_value list_append
    list_approx_count_distinct list_apply list_avg list_bit_and list_bit_or list_bit_xor list_bool_and
    list_bool_or list_cat list_concat list_contains list_cosine_distance list_cosine_similarity list_count
    list_distance list_distinct list_dot_product list_element list_entropy list_extract list_filter list_first
    list_grade_up list_has list_has_all list_has_any list_histogram list_indexof list_inner_product
    list_intersect list_kurtosis list_kurtosis_pop list_last list_mad list_max list_median list_min list_mode
    list_pack list_position list_prepend list_product list_reduce list_resize list_reverse list_reverse_sort
    list_select list_sem list_skewness list_slice list_sort list_stddev_pop list_stddev_samp list_string_agg
    list_sum list_transform list_unique list_value list_var_pop list_var_samp list_where list_zip ln log log10
    log2 lower lpad ltrim make_date make_time make_timestamp make_timestamp_ms make_timestamp_ns
    make_timestamptz map map_concat map_contains map_contains_entry map_contains_value map_entries map_extract
    map_extract_value map_from_entries map_keys map_values md5 md5_number microsecond millennium millisecond
    minute mismatches mod month monthname multiply nanosecond nextafter nfc_normalize nullif octet_length ord
    overlay parse_dirname parse_dirpath parse_filename parse_path pi position pow power prefix printf quarter
    radians range reduce regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches
    regexp_replace regexp_split_to_array regexp_split_to_table repeat replace reverse right right_grapheme
    round round_even roundbankers row row_to_json rpad rtrim second set_bit sha1 sha256 sign signbit sin sinh
    split split_part sqrt starts_with str_split str_split_regex strftime string_split string_split_regex
    string_to_array strip_accents strlen strpos strptime struct_concat struct_contains struct_extract
    struct_extract_at struct_has struct_indexof struct_insert struct_keys struct_pack struct_position
    struct_update struct_values substr substring substring_grapheme subtract suffix tan tanh time_bucket
    timezone timezone_hour timezone_minute to_base to_base64 to_binary to_centuries to_days to_decades to_hex
    to_hours to_json to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
    to_timestamp to_weeks to_years translate trim trunc try try_strptime typeof ucase unbin unhex unicode
    union_extract union_tag union_value unnest upper url_decode url_encode week weekday weekofyear xor year
    yearweek
    """
)

FUNCTIONS: Final = AGGREGATES | WINDOWS | UNREPEATABLE | TABLE_FUNCTIONS | _SCALARS
"""Every function that SQL may call, in lower case."""

SYNTAX: Final = word_set(
    """
    all and any array as asc between bernoulli bigint bit blob bool boolean by case cast char columns cross
    cube date decimal desc distinct double else end enum escape except exclude exists extract filter float for
    from group having hugeint ilike in int integer intersect interval is join lateral like limit map
    materialized not null numeric offset on or order over partition pivot positional qualify recursive rename
    replace reservoir rollup sample select sets similar smallint struct system tablesample text then time
    timestamp tinyint to try_cast union unpivot using values varchar when where window with within
    """
)
"""Keywords and type names that may stand before an opening bracket in rendered SQL."""
