"""Loads what SciPy, statsmodels and scikit-learn would load when something is first used."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.stats_paths import ESTIMATORS

if TYPE_CHECKING:
    import pandas as pd

_PARTS: Final = (
    "scipy.stats",
    "scipy.optimize",
    "scipy.interpolate",
    "scipy.signal",
    "scipy.special",
    "scipy.linalg",
    "scipy.sparse",
    "scipy.sparse.linalg",
    "scipy.sparse.csgraph",
    "scipy.spatial.distance",
    "scipy.cluster.hierarchy",
    "scipy.integrate",
    "statsmodels.api",
    "statsmodels.formula.api",
    "statsmodels.stats.api",
    "statsmodels.stats.multicomp",
    "statsmodels.stats.outliers_influence",
    "statsmodels.stats.proportion",
    "statsmodels.stats.weightstats",
    "statsmodels.tsa.api",
    "statsmodels.tsa.stattools",
)


def _parts(_: pd.DataFrame) -> None:
    for name in (*_PARTS, *ESTIMATORS.values()):
        import_module(name)


def _scipy(frame: pd.DataFrame) -> None:
    from scipy import stats

    values = frame["x"].to_numpy()
    stats.ttest_ind(values, values + 1)
    stats.ttest_1samp(values, 0.0)
    stats.ttest_rel(values, values + frame["n"].to_numpy() % 3)
    stats.mannwhitneyu(values, values + 1)
    stats.wilcoxon(values, values + frame["n"].to_numpy() % 3 + 1)
    stats.kruskal(values, values + 1)
    stats.f_oneway(values, values + 1)
    stats.chi2_contingency([[10, 20], [20, 10]])
    stats.fisher_exact([[1, 2], [3, 4]])
    stats.shapiro(values)
    stats.normaltest(values.repeat(2))
    stats.kstest(values, "norm")
    stats.anderson(values)
    stats.levene(values, values + 1)
    stats.pearsonr(values, values + frame["n"].to_numpy() % 3).confidence_interval()
    stats.spearmanr(values, values)
    stats.kendalltau(values, values)
    stats.linregress(values, values)
    stats.zscore(values)
    stats.describe(values)
    stats.norm.fit(values)
    stats.t.interval(0.95, 5, loc=0, scale=1)
    stats.binomtest(3, 10).proportion_ci()
    frame[["n", "x"]].corr(method="spearman")
    frame[["n", "x"]].corr(method="kendall")
    frame["x"].interpolate(method="cubic")
    frame["x"].plot  # noqa: B018 - the accessor loads what it needs to say that it cannot draw


def _statsmodels(frame: pd.DataFrame) -> None:
    import statsmodels.api as sm
    import statsmodels.formula.api as smf

    from tabchat.sandbox.worker.result_out import found

    uneven = frame.assign(y=frame["x"] + frame["n"] % 3, z=(frame["n"] % 4 > 1).astype(int))
    fit = sm.OLS(uneven["y"], sm.add_constant(uneven[["n"]])).fit()
    str(fit.summary())
    found(fit, len(frame), frozenset())
    str(smf.ols("y ~ n + C(b)", data=uneven).fit().summary())
    smf.logit("z ~ x", data=uneven).fit(disp=0)
    sm.GLM(uneven["z"], sm.add_constant(uneven[["x"]]), family=sm.families.Poisson()).fit()
    sm.stats.anova_lm(smf.ols("y ~ C(k)", data=uneven).fit())
    sm.tsa.acf(uneven["y"], nlags=3)


def _sklearn(frame: pd.DataFrame) -> None:
    from sklearn.cluster import DBSCAN, AgglomerativeClustering, KMeans
    from sklearn.decomposition import PCA
    from sklearn.ensemble import IsolationForest, RandomForestClassifier
    from sklearn.linear_model import Lasso, LinearRegression, LogisticRegression, Ridge
    from sklearn.metrics import accuracy_score, classification_report, r2_score, silhouette_score
    from sklearn.model_selection import cross_val_score, train_test_split
    from sklearn.neighbors import KNeighborsClassifier, LocalOutlierFactor
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import OneHotEncoder, StandardScaler
    from sklearn.tree import DecisionTreeClassifier

    known, wanted = frame[["n", "x"]], frame["b"]
    for regression in (LinearRegression(), Ridge(), Lasso(alpha=0.1)):
        r2_score(frame["x"], regression.fit(known, frame["x"]).predict(known))
    for estimator in (
        LogisticRegression(),
        DecisionTreeClassifier(),
        RandomForestClassifier(n_estimators=2),
        KNeighborsClassifier(2),
        make_pipeline(StandardScaler(), LogisticRegression()),
    ):
        guessed = estimator.fit(known, wanted).predict(known)
        accuracy_score(wanted, guessed)
        repr(estimator)
    classification_report(wanted, guessed)
    groups = KMeans(n_clusters=2, n_init=2, random_state=0).fit_predict(known)
    silhouette_score(known, groups)
    for outliers in (
        DBSCAN(),
        AgglomerativeClustering(),
        IsolationForest(n_estimators=2),
        LocalOutlierFactor(3),
    ):
        outliers.fit_predict(known)
    PCA(1).fit_transform(known)
    OneHotEncoder().fit_transform(frame[["c"]])
    train_test_split(known, wanted, random_state=0)
    cross_val_score(LogisticRegression(), known, wanted, cv=2)


FAMILIES: Final = (_parts, _scipy, _statsmodels, _sklearn)
"""Each is called with a table that has a column of every common type."""
