"""Attributes of the objects that code meets: methods that compute, and properties that only show data.

Left out of what pandas and NumPy offer: all that reads or writes files, draws,
loads other libraries by name, evaluates text, or reaches an object's memory
(`data`, `base`, `flags`, `strides`, `ctypes`, `view`, `resize`, `setflags` …).
Some names are allowed only as a call whose arguments are checked: see `calls`.
"""

from __future__ import annotations

from typing import Final

from tabchat.sandbox.guarding.words import listed

_FRAMES: Final = """
T abs add add_prefix add_suffix agg aggregate align all any apply asfreq asof assign astype at at_time attrs
axes between_time bfill clip columns combine combine_first compare convert_dtypes copy corr corrwith count cov
cummax cummin cumprod cumsum describe diff div divide dot drop drop_duplicates droplevel dropna dtypes
duplicated empty eq equals eval ewm expanding explode ffill fillna filter first_valid_index floordiv from_dict
from_records ge get groupby gt head iat idxmax idxmin iloc index infer_objects info insert interpolate isetitem
isin isna isnull items iterrows itertuples join keys kurt kurtosis last_valid_index le loc lt map mask max mean
median melt memory_usage merge min mod mode mul multiply ndim ne nlargest notna notnull nsmallest nunique
pct_change pipe pivot pivot_table pop pow prod product quantile query radd rank rdiv reindex reindex_like rename
rename_axis reorder_levels replace resample reset_index rfloordiv rmod rmul rolling round rpow rsub rtruediv
sample select select_dtypes sem set_axis set_index shape shift size skew sort_index sort_values squeeze stack
std sub subtract sum swaplevel tail take to_csv to_dict to_html to_json to_latex to_markdown to_numpy to_period
to_records to_string to_timestamp transform transpose truediv truncate tz_convert tz_localize unstack update
value_counts values var where xs
"""
_SERIES: Final = """
argmax argmin argsort autocorr between case_when cat divmod dt dtype factorize hasnans is_monotonic_decreasing
is_monotonic_increasing is_unique item list name nbytes rdivmod repeat searchsorted str struct to_frame to_list
tolist unique
"""
_GROUPS_AND_WINDOWS: Final = """
cumcount first get_group groups indices last level ngroup ngroups nth ohlc nearest win_type window obj_count
"""
_TEXT: Final = """
capitalize casefold center contains count decode encode endswith expandtabs extract extractall find findall
format format_map fullmatch get_dummies index isalnum isalpha isascii isdecimal isdigit isidentifier islower
isnumeric isspace istitle isupper join len ljust lower lstrip match normalize pad partition removeprefix
removesuffix replace rfind rindex rjust rpartition rsplit rstrip slice slice_replace split splitlines
startswith strip swapcase title translate maketrans upper wrap zfill
"""
_TIMES: Final = """
as_unit asm8 astimezone ceil combine components ctime date day day_name day_of_week day_of_year dayofweek
dayofyear days days_in_month daysinmonth dst end_time floor fold freq freqstr fromisocalendar fromisoformat
fromordinal fromtimestamp hour inferred_freq indexer_at_time indexer_between_time is_leap_year is_month_end
is_month_start is_normalized is_on_offset is_quarter_end is_quarter_start is_year_end is_year_start isocalendar
isoformat isoweekday microsecond microseconds minute month month_name n nanos nanosecond nanoseconds now
ordinal quarter qyear resolution resolution_string rollback rollforward rule_code second seconds snap
start_time strftime strptime time timestamp timetuple timetz to_datetime64 to_julian_date to_pydatetime
to_pytimedelta to_timedelta64 today toordinal total_seconds tz tzinfo tzname unit utc utcfromtimestamp utcnow
utcoffset value week weekday weekofyear year
"""
_CATEGORIES_AND_INDEXES: Final = """
add_categories append as_ordered as_unordered asi8 asof_locs categories closed closed_left closed_right codes
delete difference equal_levels flatten from_arrays from_breaks from_codes from_frame from_product from_range
from_tuples get_indexer get_indexer_for get_indexer_non_unique get_level_values get_loc get_loc_level get_locs
get_slice_bound has_duplicates identical inferred_type intersection is_empty is_full is_non_overlapping_monotonic
is_overlapping left length levels levshape mid names nlevels open_left open_right ordered overlaps ravel
remove_categories remove_unused_categories remove_unused_levels rename_categories reorder_categories right
set_categories set_closed set_codes set_levels set_names slice_indexer slice_locs sortlevel start step stop
symmetric_difference to_flat_index to_series to_tuples union
"""
_ARRAYS: Final = """
argpartition at accumulate choose compress conj conjugate diagonal fill flat imag itemsize kind nonzero outer
ptp real reduce reduceat reshape sort swapaxes trace eps tiny bits nan
"""
_CHANCE: Final = """
beta binomial chisquare choice dirichlet exponential gamma geometric gumbel hypergeometric integers laplace
logistic lognormal multinomial multivariate_normal negative_binomial normal pareto permutation permuted poisson
power rand randint randn random random_sample rayleigh shuffle standard_normal standard_t triangular uniform
vonmises weibull zipf
"""
_PLAIN_PYTHON: Final = """
add clear copy denominator difference_update discard end expand extend fromkeys from_number group groupdict
groups hex intersection_update inv_cdf is_integer isdisjoint issubset issuperset lastgroup lastindex numerator
pattern pop popitem pos cdf pdf remove reverse setdefault span sub subn symmetric_difference_update union
update finditer search samples from_samples zscore bit_length bit_count string overlap stdev variance _asdict _fields
"""
OBJECTS: Final = listed(
    f"{_FRAMES} {_SERIES} {_GROUPS_AND_WINDOWS} {_TEXT} {_TIMES} {_CATEGORIES_AND_INDEXES} {_ARRAYS} {_CHANCE} "
    f"{_PLAIN_PYTHON}"
)

STATISTICS: Final = listed("""
    aic aicc anova_table as_csv as_html as_text bic bse centered_tss columns_in_design condition_number conf_int
    confidence_interval cov_params cov_type cusum deviance df df_between df_model df_resid df_total ess eigenvals
    f_pvalue f_test fdr fit fit_predict fit_transform fittedvalues forecast fvalue get_forecast get_influence
    get_prediction hat_matrix_diag cooks_distance resid_studentized_internal
    resid_studentized_external summary_frame influence intercept intercept_stderr llf llnull llr llr_pvalue
    loglikelihood mse_model mse_resid mse_total nobs nlags normalized_cov_params null_deviance observed
    odds_ratio params pearson_chi2 plus_minus pred_table predict predicted_mean prsquared pvalue pvalues resid
    resid_deviance resid_pearson resid_response rsquared rsquared_adj rvalue scale seasonal se_mean significance
    slope sse ssr statistic stderr statistic_value summary summary2 tables trend tvalues t_test t_test_pairwise
    tukeyhsd meandiffs reject confint std_errors uncentered_tss use_t wald_test weights
    expected_freq dof cdf sf ppf isf pmf logpdf logcdf logsf logpmf rvs interval moment entropy expect stats
    correlation low high proportion_ci mean_diff effect_size rankdata nancov evaluate resample integrate_box_1d
    bootstrap_distribution standard_error minmax skewness critical_values significance_level fit_result
    n_features_in_ feature_names_in_ coef_ intercept_ classes_ n_iter_ labels_ cluster_centers_ inertia_ n_clusters
    components_ explained_variance_ explained_variance_ratio_ singular_values_ mean_ var_ scale_ min_ max_
    data_min_ data_max_ data_range_ feature_importances_ oob_score_ best_estimator_ best_params_
    best_score_ best_index_ cv_results_ named_steps steps_ named_transformers_ transformers_ categories_ lambdas_
    quantiles_ statistics_ n_components_ alpha_ alphas_ l1_ratio_ support_vectors_ dual_coef_ n_support_
    max_depth get_depth get_n_leaves score predict_proba predict_log_proba decision_function score_samples
    inverse_transform get_feature_names_out get_params set_params partial_fit kneighbors transform means_
    covariances_ weights_ precisions_ converged_ lower_bound_ core_sample_indices_ offset_ ranking_ scores_
    pvalues_ get_support importances_mean importances_std importances theta_ class_prior_ noise_variance_
    split get_n_splits negative_outlier_factor_ bin_edges_ n_bins_ powers_ X_thresholds_ y_thresholds_
""")
"""Of fitted models and test results, with the extra `stats`."""

STORED: Final = frozenset(("attrs", "columns", "index", "name", "names"))
"""What may stand left of `=` as an attribute, besides a column."""
