#!/usr/bin/env python3
"""Makes statistics.json: reference values for the tests of zcl, from scipy and statsmodels.

    pip install numpy scipy statsmodels
    python3 make.py > statistics.json

Nothing here shares code or formulas with the product. The stratified permutation distribution is a
convolution of scipy.stats.hypergeom. The sign-flip distribution is a convolution that is checked
against scipy.stats.permutation_test. The score interval maximises the binomial likelihood numerically
under each candidate difference and finds the limits with scipy.optimize.brentq; for one mission it is
checked against statsmodels. Designs include unequal numbers of attempts.
"""
import json
import sys

import numpy as np
from scipy import optimize, stats
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint


def differences(table):
    return np.array([b / nb - a / na for a, na, b, nb in table])


def stratified(table):
    """Two-sided p: attempts exchanged within missions, |mean difference| at least as large."""
    sums = {0.0: 1.0}
    for a, na, b, nb in table:
        t = a + b
        ks = np.arange(max(0, t - na), min(nb, t) + 1)
        pmf = stats.hypergeom.pmf(ks, na + nb, t, nb)
        new = {}
        for s, p in sums.items():
            for k, q in zip(ks, pmf):
                key = round(s + k / nb - (t - k) / na, 10)
                new[key] = new.get(key, 0.0) + p * q
        sums = new
    seen = abs(differences(table).sum())
    return min(1.0, sum(p for s, p in sums.items() if abs(s) >= seen - 1e-8))


def flip(table):
    """Two-sided p: the sides of whole missions exchanged."""
    d = differences(table)
    sums = {0.0: 1.0}
    for x in d:
        new = {}
        for s, p in sums.items():
            for y in (x, -x):
                key = round(s + y, 10)
                new[key] = new.get(key, 0.0) + p / 2
        sums = new
    return min(1.0, sum(p for s, p in sums.items() if abs(s) >= abs(d.sum()) - 1e-8))


def log_likelihood(x, n, p):
    p = min(1 - 1e-15, max(1e-15, p))
    return x * np.log(p) + (n - x) * np.log(1 - p)


def restricted(a, na, b, nb, delta):
    low, high = max(0.0, -delta), min(1.0, 1.0 - delta)
    if high - low < 1e-12:
        return low
    lost = lambda p: -(log_likelihood(a, na, p) + log_likelihood(b, nb, p + delta))
    found = optimize.minimize_scalar(lost, bounds=(low, high), method='bounded', options={'xatol': 1e-12})
    return min((low, high, found.x), key=lost)


def variance(table, delta):
    total = 0.0
    for a, na, b, nb in table:
        pa = restricted(a, na, b, nb, delta)
        pb = min(1.0, max(0.0, pa + delta))
        n = na + nb
        total += (pb * (1 - pb) / nb + pa * (1 - pa) / na) * n / (n - 1)
    return total / len(table) ** 2


def score_interval(table, confidence):
    z = stats.norm.ppf(1 - (1 - confidence) / 2)
    d = float(differences(table).mean())
    gap = lambda delta: abs(d - delta) - z * np.sqrt(variance(table, delta))
    limits = []
    for end in (-1.0, 1.0):
        if gap(end) <= 0:
            limits.append(end)
            continue
        near = d + (end - d) * 1e-9
        limits.append(float(optimize.brentq(gap, near, end, xtol=1e-10)) if gap(near) < 0 else d)
    return limits


def t_interval(table, confidence):
    d = differences(table)
    if d.std() < 1e-9:
        return None
    low, high = stats.t.interval(confidence, len(d) - 1, loc=d.mean(), scale=stats.sem(d))
    return [max(-1.0, float(low)), min(1.0, float(high))]


def check():
    # Miettinen and Nurminen as printed by Newcombe, Statistics in Medicine 17 (1998), table II.
    for (b, nb, a, na), published in [((56, 70, 48, 80), (0.0528, 0.3382)), ((9, 10, 3, 10), (0.1700, 0.8406))]:
        own = score_interval([(a, na, b, nb)], 0.95)
        assert np.allclose(own, published, atol=6e-5), (own, published)
    # statsmodels searches its limits with a coarse tolerance.
    for a, na, b, nb in [(56, 70, 48, 80), (45, 60, 30, 60)]:
        found = confint_proportions_2indep(b, nb, a, na, method='score', compare='diff', correction=True)
        assert np.allclose(found, score_interval([(a, na, b, nb)], 0.95), atol=1e-2)
    uneven = [(4, 5, 1, 5), (5, 7, 2, 6), (3, 5, 3, 9), (2, 3, 0, 4), (5, 6, 4, 5), (1, 5, 2, 5), (4, 9, 2, 8)]
    enumerated = stats.permutation_test(
        (differences(uneven),), np.mean, permutation_type='samples', n_resamples=np.inf
    )
    assert abs(enumerated.pvalue - flip(uneven)) < 1e-12
    for a, b, n in [(4, 1, 5), (9, 3, 10), (7, 7, 8)]:
        fisher = stats.fisher_exact([[a, n - a], [b, n - b]]).pvalue
        assert abs(fisher - stratified([(a, n, b, n)])) < 1e-12


def comparison(name, table):
    return {
        'name': name,
        'table': [list(map(int, row)) for row in table],
        'difference': float(differences(table).mean()),
        'these': stratified(table),
        'like': flip(table) if len(table) >= 6 else None,
        'score95': score_interval(table, 0.95),
        'score90': score_interval(table, 0.90),
        't95': t_interval(table, 0.95) if len(table) >= 6 else None,
    }


def comparisons():
    rng = np.random.default_rng(7)
    balanced = lambda a, b, n: [(x, n, y, n) for x, y in zip(a, b)]
    yield comparison('one mission, all to none', balanced([10], [0], 10))
    yield comparison('one mission, one attempt', balanced([1], [0], 1))
    yield comparison('one mission, unequal attempts', [(7, 8, 2, 5)])
    yield comparison('three missions, one attempt', balanced([1, 1, 1], [0, 0, 1], 1))
    yield comparison('six missions, one attempt, all lost', balanced([1] * 6, [0] * 6, 1))
    yield comparison('all passed', balanced([5] * 6, [5] * 6, 5))
    yield comparison('all failed', balanced([0] * 8, [0] * 8, 3))
    yield comparison('mixed, mean zero', balanced([9, 9, 9, 1, 1, 1], [1, 1, 1, 9, 9, 9], 10))
    yield comparison('twelve missions, won', balanced([3] * 12, [7] * 12, 10))
    yield comparison('twenty missions, a tenth down', balanced([9] * 20, [8] * 20, 10))
    for index in range(56):
        missions = int(rng.choice([1, 2, 3, 5, 6, 7, 8, 10, 12, 15, 20]))
        n = int(rng.choice([1, 2, 3, 5, 8, 10]))
        p = rng.uniform(0.05, 0.95, missions)
        q = np.clip(p + rng.choice([-0.4, -0.2, 0, 0.2], missions), 0.02, 0.98)
        unequal = index % 3 == 2
        nb = int(rng.choice([x for x in (2, 4, 5, 6) if not unequal or x != n])) if unequal else n
        a, b = rng.binomial(n, p), rng.binomial(nb, q)
        table = [(x, n, y, nb) for x, y in zip(a, b)]
        yield comparison(f'random {missions} x {n}' + (f' and {nb}' if unequal else ''), table)


def rates():
    for x, n in [(0, 2), (2, 2), (1, 3), (0, 7), (7, 7), (5, 6), (9, 12), (1, 20), (60, 60), (33, 100), (720, 720)]:
        low, high = proportion_confint(x, n, alpha=0.05, method='wilson')
        yield {'passed': x, 'judged': n, 'low': float(low), 'high': float(high)}


def holm():
    for p in ([0.01, 0.04, 0.03, 0.2, 0.005], [0.0215, 1, 1, 1], [0.012, 0.013, 0.2], [0.05, 0.05]):
        yield {'p': p, 'adjusted': [float(v) for v in multipletests(p, method='holm')[1]]}


def quantiles():
    for degrees in (1, 2, 5, 7, 11, 19, 50, 200):
        for p in (0.9, 0.95, 0.975, 0.995):
            yield {'degrees': degrees, 'p': p, 't': float(stats.t.ppf(p, degrees))}


def rounded(value):
    if isinstance(value, float):
        return float(f'{value:.9g}')
    if isinstance(value, dict):
        return {key: rounded(item) for key, item in value.items()}
    return [rounded(item) for item in value] if isinstance(value, list) else value


check()
document = {
    'about': 'reference values from scipy and statsmodels; made by make.py',
    'comparisons': list(comparisons()),
    'rates': list(rates()),
    'holm': list(holm()),
    'tQuantiles': list(quantiles()),
}
json.dump(rounded(document), sys.stdout, indent=1)
print()
