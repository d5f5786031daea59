"""What modules offer: code never holds a module itself, only `module.name` for the names listed here."""

from __future__ import annotations

from typing import Final

from tabchat.sandbox.guarding.words import listed

_DTYPES: Final = """
Int8Dtype Int16Dtype Int32Dtype Int64Dtype UInt8Dtype UInt16Dtype UInt32Dtype UInt64Dtype Float32Dtype
Float64Dtype BooleanDtype StringDtype CategoricalDtype PeriodDtype IntervalDtype DatetimeTZDtype
"""
_PANDAS: Final = f"""
{_DTYPES}
Categorical CategoricalIndex DataFrame DateOffset DatetimeIndex Grouper Index IndexSlice Interval IntervalIndex
MultiIndex NA NaT NamedAgg Period PeriodIndex RangeIndex Series Timedelta TimedeltaIndex Timestamp array
bdate_range col concat crosstab cut date_range factorize from_dummies get_dummies infer_freq interval_range isna
isnull json_normalize lreshape melt merge merge_asof merge_ordered notna notnull period_range pivot pivot_table
qcut reset_option set_option timedelta_range to_datetime to_numeric to_timedelta unique wide_to_long
"""
_OFFSETS: Final = """
BDay BMonthBegin BMonthEnd BQuarterBegin BQuarterEnd BYearBegin BYearEnd BusinessDay BusinessHour
BusinessMonthBegin BusinessMonthEnd CBMonthBegin CBMonthEnd CDay CustomBusinessDay DateOffset Day Easter FY5253
Hour LastWeekOfMonth Micro Milli Minute MonthBegin MonthEnd Nano QuarterBegin QuarterEnd Second SemiMonthBegin
SemiMonthEnd Tick Week WeekOfMonth YearBegin YearEnd
"""
_TYPE_TESTS: Final = """
is_any_real_numeric_dtype is_bool is_bool_dtype is_complex_dtype is_datetime64_any_dtype is_datetime64_dtype
is_datetime64_ns_dtype is_dict_like is_float is_float_dtype is_hashable is_integer is_integer_dtype is_list_like
is_number is_numeric_dtype is_object_dtype is_scalar is_string_dtype is_timedelta64_dtype
is_timedelta64_ns_dtype is_unsigned_integer_dtype infer_dtype CategoricalDtype DatetimeTZDtype IntervalDtype
PeriodDtype
"""
_NUMPY: Final = """
False_ True_ abs absolute acos acosh add all allclose amax amin angle any append apply_along_axis
apply_over_axes arange arccos arccosh arcsin arcsinh arctan arctan2 arctanh argmax argmin argpartition argsort
argwhere around array array2string array_equal array_equiv array_repr array_split array_str asanyarray asarray
ascontiguousarray asin asinh astype atan atan2 atanh atleast_1d atleast_2d atleast_3d average bartlett
base_repr binary_repr bincount bitwise_and bitwise_count bitwise_not bitwise_or bitwise_xor blackman block bool
bool_ broadcast_arrays broadcast_shapes broadcast_to busday_count busday_offset c_ can_cast cbrt ceil choose
clip column_stack complex128 complex64 compress concat concatenate conj conjugate convolve copy copysign copyto
corrcoef correlate cos cosh count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum datetime64
datetime_as_string deg2rad degrees delete diag diag_indices diagflat diagonal diff digitize divide divmod dot
dsplit dstack dtype e ediff1d einsum empty empty_like equal euler_gamma exp exp2 expand_dims expm1 extract eye
fabs fill_diagonal finfo fix flatnonzero flip fliplr flipud float16 float32 float64 float_power floating floor
floor_divide fmax fmin fmod format_float_positional format_float_scientific frexp fromfunction fromiter full
full_like gcd generic geomspace gradient greater greater_equal hamming hanning heaviside histogram histogram2d
histogram_bin_edges histogramdd hsplit hstack hypot identity iinfo imag indices inexact inf inner insert int16
int32 int64 int8 int_ integer interp intersect1d invert is_busday isclose iscomplex iscomplexobj isfinite isin
isinf isnan isnat isneginf isposinf isreal isrealobj isscalar issubdtype iterable ix_ kaiser kron lcm ldexp
left_shift less less_equal lexsort linspace log log10 log1p log2 logaddexp logaddexp2 logical_and logical_not
logical_or logical_xor logspace matmul matrix_transpose matvec max maximum mean median meshgrid mgrid min
minimum mod modf moveaxis multiply nan nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean
nanmedian nanmin nanpercentile nanprod nanquantile nanstd nansum nanvar ndarray ndenumerate ndim ndindex
negative newaxis nextafter nonzero not_equal number object_ ogrid ones ones_like outer pad partition percentile
pi piecewise place poly1d polyadd polyder polydiv polyfit polyint polymul polysub polyval positive pow power
prod promote_types ptp put put_along_axis putmask quantile r_ rad2deg radians ravel real reciprocal remainder
repeat reshape resize result_type right_shift rint roll rollaxis roots rot90 round s_ searchsorted select
seterr setdiff1d setxor1d shape sign signbit signedinteger sin sinc sinh size sort sort_complex spacing split
sqrt square squeeze stack std str_ subtract sum swapaxes take take_along_axis tan tanh tensordot tile
timedelta64 trace transpose trapezoid tri tril tril_indices trim_zeros triu triu_indices true_divide trunc uint
uint16 uint32 uint64 uint8 union1d unique unique_all unique_counts unique_inverse unique_values unsignedinteger
unstack vander var vdot vecdot vecmat vectorize vsplit vstack where zeros zeros_like
"""
_CHANCE: Final = """
beta binomial chisquare choice default_rng exponential gamma geometric gumbel laplace logistic lognormal
multinomial multivariate_normal negative_binomial normal pareto permutation poisson power rand randint randn
random random_sample rayleigh sample seed shuffle standard_normal standard_t triangular uniform vonmises weibull
zipf RandomState
"""
_LINEAR_ALGEBRA: Final = """
LinAlgError cholesky cond det eig eigh eigvals eigvalsh inv lstsq matrix_norm matrix_power matrix_rank multi_dot
norm outer pinv qr slogdet solve svd svdvals tensorinv tensorsolve trace vecdot vector_norm
"""
_FOURIER: Final = "fft fft2 fftfreq fftn fftshift ifft ifft2 ifftn ifftshift irfft rfft rfftfreq"
_CHARACTERS: Final = """
add capitalize center count endswith equal find isalpha isdigit isnumeric isspace ljust lower lstrip
not_equal replace rfind rjust rstrip startswith str_len strip swapcase title translate upper zfill
"""
_POLYNOMIALS: Final = "Polynomial Chebyshev Legendre Hermite Laguerre"
_REGULAR: Final = """
A ASCII DOTALL I IGNORECASE L M MULTILINE NOFLAG Match Pattern S U UNICODE VERBOSE X compile error escape
findall finditer fullmatch match search split sub subn
"""
_MATH: Final = """
acos acosh asin asinh atan atan2 atanh cbrt ceil comb copysign cos cosh degrees dist e erf erfc exp exp2 expm1
fabs factorial floor fma fmod frexp fsum gamma gcd hypot inf isclose isfinite isinf isnan isqrt lcm ldexp lgamma
log log10 log1p log2 modf nan nextafter perm pi pow prod radians remainder sin sinh sqrt sumprod tan tanh tau
trunc ulp
"""
_STATISTICS: Final = """
NormalDist StatisticsError correlation covariance fmean geometric_mean harmonic_mean kde kde_random
linear_regression mean median median_grouped median_high median_low mode multimode pstdev pvariance quantiles
stdev variance
"""

BASE: Final[dict[str, frozenset[str]]] = {
    module: listed(names)
    for module, names in {
        "pd": _PANDAS,
        "pd.api": "",
        "pd.api.types": _TYPE_TESTS,
        "pd.errors": "EmptyDataError MergeError OutOfBoundsDatetime ParserError",
        "pd.offsets": _OFFSETS,
        "pd.tseries": "",
        "pd.tseries.offsets": _OFFSETS,
        "pd.tseries.frequencies": "to_offset",
        "np": _NUMPY,
        "np.char": _CHARACTERS,
        "np.strings": _CHARACTERS,
        "np.fft": _FOURIER,
        "np.lib": "",
        "np.lib.stride_tricks": "sliding_window_view",
        "np.linalg": _LINEAR_ALGEBRA,
        "np.polynomial": _POLYNOMIALS,
        "np.random": _CHANCE,
        "re": _REGULAR,
        "math": _MATH,
        "statistics": _STATISTICS,
        "datetime": "MAXYEAR MINYEAR UTC date datetime time timedelta timezone",
    }.items()
}
"""Modules and what code may take from them; every module stands here under its full path."""
