"""Accuracy of predicted distances to the hull, and observed frequencies for predicted probabilities."""

import json

import numpy as np

MARGINS = (0.025, 0.05)
# Share of stable crystals in a blind search: WBM, 17 % (Riebesell et al., Nat. Mach. Intell. 7, 836 (2025)).
RARE = 0.17
KNOTS = np.linspace(0, 1, 41)


def read_hulls(folder, rows):
    """Energy of the hull of all other crystals at the composition of each row (hulls.ts), eV/atom; NaN if there is none."""
    known = {}
    for line in open(folder / "hulls.jsonl"):
        found = json.loads(line)
        known[found["id"]] = found["hull"]
    return np.array([known.get(row["id"], np.nan) for row in rows])


def stated_chance(signed, expected, distance, margin):
    """Probability before the correction by observed frequencies, as `probabilityWithin` of packages/prediction calculates it."""
    return 1 - np.interp((distance - margin) / expected, signed, np.linspace(0, 1, len(signed)))


def rising(x, y):
    """Isotonic regression (pool adjacent violators): sorted x, and non-decreasing y at these x."""
    order = np.argsort(x, kind="stable")
    means, sizes = [], []
    for value in y[order].astype(float):
        means.append(value)
        sizes.append(1)
        while len(means) > 1 and means[-2] >= means[-1]:
            value, size = means.pop(), sizes.pop()
            means[-1] = (means[-1] * sizes[-1] + value * size) / (sizes[-1] + size)
            sizes[-1] += size
    return x[order], np.repeat(means, sizes)


def found_chances(stated, came_true):
    """Observed frequency at every knot of the predicted probability; 0 and 1 at the ends."""
    x, y = rising(stated, came_true)
    # The mean over a small neighbourhood of each knot smooths ties and steps.
    found = [y[np.abs(x - knot) <= 0.0125].mean() if (np.abs(x - knot) <= 0.0125).any() else np.interp(knot, x, y) for knot in KNOTS]
    found = np.maximum.accumulate(found)
    found[0], found[-1] = 0, 1
    return [float(f"{value:.4g}") for value in found]


def rates(predicted, true):
    hits = (predicted & true).sum()
    return hits / max(1, true.sum()), (predicted & ~true).sum() / max(1, (~true).sum())


def scores(predicted, true, prevalence):
    """Precision, recall and F1 for a set in which the share `prevalence` is true, from the rates measured here."""
    recall, false_alarms = rates(predicted, true)
    precision = prevalence * recall / max(1e-12, prevalence * recall + (1 - prevalence) * false_alarms)
    return {"precision": float(precision), "recall": float(recall), "f1": float(2 * precision * recall / max(1e-12, precision + recall))}


def best_threshold(distance, true, prevalence):
    grid = np.linspace(-0.1, 0.1, 401)
    return float(grid[np.argmax([scores(distance <= g, true, prevalence)["f1"] for g in grid])])


def reliability(chance, came_true, bins=10):
    """Mean predicted probability, observed frequency and number of crystals, for each tenth of the scale."""
    place = np.minimum((chance * bins).astype(int), bins - 1)
    mean = lambda values, k: float(values[place == k].mean()) if (place == k).any() else (k + 0.5) / bins
    return [{"told": mean(chance, k), "found": mean(came_true, k), "n": int((place == k).sum())} for k in range(bins)]


def judge_hull(distance, true_distance, chances, calibrate, test, auc):
    """Figures for each margin; thresholds are chosen on calibration rows."""
    figures = {"n": int(test.sum()), "maeDistance": float(np.abs(np.maximum(distance, 0) - np.maximum(true_distance, 0))[test].mean())}
    for margin in MARGINS:
        true = true_distance <= margin
        share = float(true[test].mean())
        thresholds = {name: best_threshold(distance[calibrate], true[calibrate], rate)
                      for name, rate in (("asFound", true[calibrate].mean()), ("rare", RARE))}
        figures[f"within{round(margin * 1000)}"] = {
            "prevalence": share, "f1OfAllYes": 2 * share / (1 + share),
            **scores((distance <= margin)[test], true[test], share),
            "auc": auc(true[test], -distance[test]),
            "threshold": thresholds["asFound"], "atThreshold": scores((distance <= thresholds["asFound"])[test], true[test], share),
            "rare": {"prevalence": RARE, "f1OfAllYes": 2 * RARE / (1 + RARE), "threshold": thresholds["rare"],
                     **scores((distance <= margin)[test], true[test], RARE),
                     "atThreshold": scores((distance <= thresholds["rare"])[test], true[test], RARE)},
            "reliability": reliability(chances[margin][test], true[test]),
        }
    return figures
