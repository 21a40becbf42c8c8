"""Figures of merit of the model card."""

import numpy as np
from intervals import CLASSES


def summary(values, truth):
    error = np.abs(values - truth)
    return {"n": len(error), "mae": float(error.mean()), "median": float(np.median(error)), "rmse": float(np.sqrt((error**2).mean()))}


def auc(positive, score):
    order = np.argsort(score, kind="stable")
    ranks = np.empty(len(score))
    ranks[order] = np.arange(1, len(score) + 1)
    n = positive.sum()
    return float((ranks[positive].sum() - n * (n + 1) / 2) / max(1, n * (~positive).sum()))


def judge_energy(values, truth, widths, chosen, classes, third, systems):
    """Error and coverage of all `chosen` rows, by class and by third of the width."""
    covered = np.abs(values - truth) <= widths

    def coverage(some):
        if not some.any():
            return {"n": 0, "systems": 0}
        inside = covered[some]
        # Errors of crystals in one chemical system are correlated, so the standard error is calculated from sums over systems.
        _, owner = np.unique(systems[some], return_inverse=True)
        sums = np.bincount(owner, inside - inside.mean())
        return {**summary(values[some], truth[some]), "coverage": float(inside.mean()), "systems": int(owner.max()) + 1,
                "coverageError": float(np.sqrt((sums**2).sum()) / len(inside)), "meanHalfWidth": float(widths[some].mean())}

    return {"test": coverage(chosen), "byClass": {name: coverage(chosen & (classes == name)) for name in CLASSES},
            "byThird": [coverage(chosen & (third == k)) for k in range(3)]}


def judge_gap(gap, logit, truth, half, least_high=0):
    """`least_high`: lower limit of the upper end of the interval, eV."""
    inside = (truth >= gap - half) & (truth <= np.maximum(gap + half, least_high))
    return {**summary(gap, truth), "coverage": float(inside.mean()), "insulators": float((truth > 0).mean()),
            "aucInsulator": auc(truth > 0, logit)}


def judge_modulus(predicted, truth, half_width):
    error = np.abs(predicted - truth)
    return {"halfWidthLog10": half_width, "n": len(error), "maeLog10": float(error.mean()), "coverage": float((error <= half_width).mean())}
