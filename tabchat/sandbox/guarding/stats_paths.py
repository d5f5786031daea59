"""What the extra `stats` adds: SciPy, statsmodels, and scikit-learn's estimators under their own names."""

from __future__ import annotations

from typing import Final

from tabchat.sandbox.guarding.paths import BASE
from tabchat.sandbox.guarding.words import listed

_DISTRIBUTIONS: Final = """
alpha anglit argus bernoulli beta betabinom betaprime binom boltzmann burr cauchy chi chi2 cosine dgamma
dirichlet dlaplace dweibull erlang expon exponnorm exponweib f fisk gamma gengamma genextreme genpareto geom
gompertz gumbel_l gumbel_r halfnorm hypergeom invgamma invgauss johnsonsb johnsonsu kappa3 laplace levy
loggamma logistic loglaplace lognorm logser lomax maxwell multinomial multivariate_normal nakagami nbinom nct
ncx2 norm norminvgauss pareto pearson3 poisson powerlaw powernorm randint rayleigh reciprocal rice semicircular
skellam skewnorm studentized_range t trapezoid triang truncexpon truncnorm uniform vonmises wald weibull_max
weibull_min zipf zipfian
"""
_TESTS: Final = """
alexandergovern anderson anderson_ksamp ansari barnard_exact bartlett bayes_mvs binomtest bootstrap
boschloo_exact boxcox boxcox_llf boxcox_normmax brunnermunzel chatterjeexi chi2_contingency chisquare
combine_pvalues cramervonmises cramervonmises_2samp cumfreq describe differential_entropy dunnett ecdf
energy_distance entropy epps_singleton_2samp expectile f_oneway false_discovery_control
fisher_exact fligner friedmanchisquare gaussian_kde gmean gstd gzscore hmean iqr jarque_bera kendalltau kruskal
ks_1samp ks_2samp kstat kstatvar kstest kurtosis kurtosistest levene linregress lmoment mannwhitneyu median_abs_deviation
median_test mode moment monte_carlo_test mood multiscale_graphcorr mvsdist normaltest page_trend_test pearsonr
percentileofscore permutation_test pmean pointbiserialr poisson_means_test power_divergence ppcc_max probplot
quantile_test rankdata ranksums relfreq scoreatpercentile sem shapiro siegelslopes sigmaclip skew skewtest
somersd spearmanr theilslopes tiecorrect tmax tmean tmin trim1 trim_mean trimboth tsem tstd ttest_1samp ttest_ind
ttest_ind_from_stats ttest_rel tukey_hsd tvar variation wasserstein_distance weightedtau wilcoxon
yeojohnson zmap zscore
"""
_MODELS: Final = """
BinomialBayesMixedGLM ConditionalLogit GEE GLM GLS GLSAR Logit MANOVA MNLogit MixedLM NegativeBinomial OLS PHReg
Poisson Probit QuantReg RLM RecursiveLS SurvfuncRight WLS ZeroInflatedPoisson add_constant
"""
_SERIES: Final = """
acf adfuller arma_order_select_ic ccf coint kpss pacf q_stat seasonal_decompose ARIMA SARIMAX
AutoReg ExponentialSmoothing Holt SimpleExpSmoothing STL UnobservedComponents VAR
"""
_FAMILIES: Final = "Binomial Gamma Gaussian InverseGaussian NegativeBinomial Poisson Tweedie"
_LINKS: Final = "CLogLog Cauchy Identity InversePower Log LogLog Logit Power Probit Sqrt"
_DIAGNOSTICS: Final = """
DescrStatsW CompareMeans acorr_breusch_godfrey acorr_ljungbox anova_lm durbin_watson het_breuschpagan
het_white jarque_bera linear_rainbow multipletests omni_normtest proportion_confint proportions_ztest ttest_ind
ztest
"""
_FORMULA_MODELS: Final = """
gee glm gls glsar logit mixedlm mnlogit negativebinomial ols phreg poisson probit quantreg rlm wls
"""
_OPTIMISE: Final = "brentq curve_fit fsolve least_squares linprog linear_sum_assignment minimize minimize_scalar newton root root_scalar"
_SIGNAL: Final = "butter correlate detrend fftconvolve filtfilt find_peaks lfilter medfilt peak_prominences savgol_filter welch"
_INTERPOLATE: Final = (
    "CubicSpline PchipInterpolator UnivariateSpline interp1d make_interp_spline make_smoothing_spline"
)
_SPECIAL: Final = "beta betainc binom comb digamma erf erfc erfinv expit factorial gamma gammaln logit logsumexp ndtr ndtri softmax xlogy"
_INTEGRATE: Final = "cumulative_trapezoid quad simpson trapezoid"
_DISTANCES: Final = (
    "cdist chebyshev cityblock correlation cosine euclidean hamming jaccard mahalanobis pdist squareform"
)
_CLUSTERS: Final = "dendrogram fcluster fclusterdata linkage"

STATS: Final[dict[str, frozenset[str]]] = {
    module: listed(names)
    for module, names in {
        "stats": f"{_DISTRIBUTIONS} {_TESTS}",
        "scipy": "",
        "scipy.stats": f"{_DISTRIBUTIONS} {_TESTS}",
        "scipy.optimize": _OPTIMISE,
        "scipy.signal": _SIGNAL,
        "scipy.interpolate": _INTERPOLATE,
        "scipy.special": _SPECIAL,
        "scipy.integrate": _INTEGRATE,
        "scipy.spatial": "ConvexHull",
        "scipy.spatial.distance": _DISTANCES,
        "scipy.cluster": "",
        "scipy.cluster.hierarchy": _CLUSTERS,
        "sm": _MODELS,
        "sm.families": _FAMILIES,
        "sm.families.links": _LINKS,
        "sm.tsa": _SERIES,
        "sm.stats": _DIAGNOSTICS,
        "sm.nonparametric": "lowess",
        "sm.robust": "mad",
        "sm.robust.norms": "HuberT TukeyBiweight",
        "smf": _FORMULA_MODELS,
    }.items()
}


def listed_paths(*, with_stats: bool) -> dict[str, frozenset[str]]:
    """Return the modules that code may use, each with what may be taken from it."""
    return BASE | STATS if with_stats else BASE


_SKLEARN: Final = {
    "cluster": "AgglomerativeClustering DBSCAN HDBSCAN KMeans MeanShift MiniBatchKMeans SpectralClustering",
    "compose": "ColumnTransformer TransformedTargetRegressor",
    "decomposition": "FactorAnalysis FastICA NMF PCA TruncatedSVD",
    "discriminant_analysis": "LinearDiscriminantAnalysis QuadraticDiscriminantAnalysis",
    "dummy": "DummyClassifier DummyRegressor",
    "ensemble": (
        "AdaBoostClassifier AdaBoostRegressor BaggingClassifier BaggingRegressor ExtraTreesClassifier "
        "ExtraTreesRegressor GradientBoostingClassifier GradientBoostingRegressor "
        "HistGradientBoostingClassifier HistGradientBoostingRegressor IsolationForest RandomForestClassifier "
        "RandomForestRegressor StackingClassifier StackingRegressor VotingClassifier VotingRegressor"
    ),
    "feature_selection": "RFE SelectKBest VarianceThreshold chi2 f_classif f_regression mutual_info_classif "
    "mutual_info_regression",
    "gaussian_process": "GaussianProcessRegressor",
    "impute": "KNNImputer SimpleImputer",
    "inspection": "permutation_importance",
    "isotonic": "IsotonicRegression",
    "linear_model": (
        "BayesianRidge ElasticNet ElasticNetCV HuberRegressor Lasso LassoCV LinearRegression "
        "LogisticRegression LogisticRegressionCV PoissonRegressor QuantileRegressor RANSACRegressor Ridge "
        "RidgeClassifier RidgeCV SGDClassifier SGDRegressor TheilSenRegressor"
    ),
    "manifold": "MDS TSNE",
    "metrics": (
        "accuracy_score adjusted_rand_score average_precision_score balanced_accuracy_score "
        "calinski_harabasz_score classification_report confusion_matrix davies_bouldin_score "
        "explained_variance_score f1_score log_loss max_error mean_absolute_error "
        "mean_absolute_percentage_error mean_squared_error mean_squared_log_error median_absolute_error "
        "pairwise_distances precision_recall_curve precision_score r2_score recall_score roc_auc_score "
        "roc_curve root_mean_squared_error silhouette_samples silhouette_score"
    ),
    "mixture": "BayesianGaussianMixture GaussianMixture",
    "model_selection": (
        "GridSearchCV GroupKFold KFold RandomizedSearchCV ShuffleSplit StratifiedKFold "
        "StratifiedShuffleSplit TimeSeriesSplit cross_val_predict cross_val_score cross_validate "
        "learning_curve train_test_split validation_curve"
    ),
    "naive_bayes": "BernoulliNB GaussianNB MultinomialNB",
    "neighbors": "KNeighborsClassifier KNeighborsRegressor LocalOutlierFactor NearestNeighbors",
    "neural_network": "MLPClassifier MLPRegressor",
    "pipeline": "Pipeline make_pipeline",
    "preprocessing": (
        "KBinsDiscretizer LabelBinarizer LabelEncoder MaxAbsScaler MinMaxScaler Normalizer OneHotEncoder "
        "OrdinalEncoder PolynomialFeatures PowerTransformer QuantileTransformer RobustScaler SplineTransformer "
        "StandardScaler"
    ),
    "svm": "LinearSVC LinearSVR OneClassSVM SVC SVR",
    "tree": "DecisionTreeClassifier DecisionTreeRegressor export_text",
}
ESTIMATORS: Final = {
    name: f"sklearn.{module}" for module, names in _SKLEARN.items() for name in names.split()
}
"""Name of an estimator or score, and the module that holds it."""
