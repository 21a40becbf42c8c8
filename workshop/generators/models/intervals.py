"""Calibrated intervals: the expected error of a row, times factors that give the coverage in every class and third of the width.

Cross-conformal (Vovk, Ann. Math. Artif. Intell. 74, 9 (2015)): the calibration systems are divided into folds. For each fold, a small
network trained on the other folds predicts the expected errors, so no system is scored with a width that was trained on it. The shipped
width network is the mean of these networks.
"""

import hashlib

import numpy as np
import torch
from torch import nn

COVERAGE, HIDDEN, FOLDS, EPOCHS = 0.9, 16, 5, 40
# eV/atom added to an error before taking its logarithm; smaller errors are noise of the training data.
FLOOR = 0.005
# Half width (decades or eV) if no calibration row has a value, as in a catalogue without moduli.
NOTHING_KNOWN = 3.0
CLASSES = ["oxide", "halide", "chalcogenide", "intermetallic", "f-element", "other"]
# No measured gap is predicted for formulas of these classes, as in packages/prediction/src/predict.ts.
NO_MEASURED_GAP = ["oxide", "halide"]
NON_METALS = set("H B C N O F Si P S Cl As Se Br Te I He Ne Ar Kr Xe".split())
F_ELEMENTS = set("Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Th Pa U Np Pu Am Cm".split())


def class_of(elements):
    """The class of a compound, for which a coverage is stated; same rule as packages/prediction/src/model-file.ts."""
    found = set(elements)
    if found & F_ELEMENTS:
        return "f-element"
    if "O" in found:
        return "oxide"
    if found & {"F", "Cl", "Br", "I"}:
        return "halide"
    if found & {"S", "Se", "Te"}:
        return "chalcogenide"
    return "other" if found & NON_METALS else "intermetallic"


def fold_of(system, folds=FOLDS):
    return hashlib.sha1(f"fold {system}".encode()).digest()[0] % folds


def quantile(scores, coverage=COVERAGE):
    """The conformal quantile: at least `coverage` of unseen scores lie below it. Without scores it is `NOTHING_KNOWN`."""
    if len(scores) == 0:
        return NOTHING_KNOWN
    ordered = np.sort(scores)
    return float(ordered[min(len(ordered) - 1, int(np.ceil((len(ordered) + 1) * coverage)) - 1)])


def rounded(array, digits=6):
    return [float(f"{x:.{digits}g}") for x in np.asarray(array, float).ravel()]


def fit_net(features, errors, seed):
    """A small network that predicts the logarithm of the 90 % quantile of the error (pinball loss)."""
    torch.manual_seed(seed)
    x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(np.log(errors + FLOOR), dtype=torch.float32)
    net = nn.Sequential(nn.Linear(x.shape[1], HIDDEN), nn.SiLU(), nn.Linear(HIDDEN, 1))
    with torch.no_grad():
        net[2].bias.fill_(torch.quantile(y, COVERAGE).item())
    optimizer = torch.optim.AdamW(net.parameters(), lr=4e-3, weight_decay=0.1)
    for epoch in range(EPOCHS):
        for group in optimizer.param_groups:
            group["lr"] = 4e-3 * 0.5 * (1 + np.cos(np.pi * epoch / EPOCHS)) + 1e-5
        for ids in torch.randperm(len(x)).split(128):
            optimizer.zero_grad()
            over = y[ids] - net(x[ids])[:, 0]
            torch.maximum(COVERAGE * over, (COVERAGE - 1) * over).mean().backward()
            optimizer.step()
    return net


class Widths:
    """Expected errors as a function of features (rows × features), fitted on calibration rows; `systems`: their chemical systems."""

    def __init__(self, raw, errors, systems):
        self.centre, self.width = rounded(raw.mean(0)), rounded(raw.std(0) + 1e-6)
        x = self.scaled(raw)
        folds = np.array([fold_of(system) for system in systems])
        self.nets, self.unseen = [], np.empty(len(raw))
        for fold in range(FOLDS):
            taught = folds != fold
            net = fit_net(x[taught], errors[taught], fold)
            self.unseen[~taught] = np.exp(self.say(net, x[~taught]))
            self.nets.append(net)
        self.weight = np.concatenate([net[0].weight.detach().double().numpy() for net in self.nets])
        self.bias = np.concatenate([net[0].bias.detach().double().numpy() for net in self.nets])
        self.out = np.concatenate([net[2].weight.detach().double().numpy()[0] for net in self.nets]) / len(self.nets)
        self.rest = float(np.mean([net[2].bias.item() for net in self.nets]))

    def scaled(self, raw):
        return np.clip((raw - np.array(self.centre)) / np.array(self.width), -6, 6)

    @staticmethod
    def say(net, x):
        with torch.no_grad():
            return net(torch.tensor(x, dtype=torch.float32))[:, 0].double().numpy()

    def expected(self, raw):
        """Mean of all networks, calculated as one network with the hidden units of all of them."""
        z = self.scaled(raw) @ self.weight.T + self.bias
        return np.exp((z / (1 + np.exp(-z))) @ self.out + self.rest)

    def manifest(self):
        return {"centre": self.centre, "width": self.width,
                "hidden": {"weight": rounded(self.weight, 5), "bias": rounded(self.bias, 5)},
                "output": {"weight": rounded(self.out, 6), "bias": rounded([self.rest], 6)}}


def factors_of(scores, classes, third):
    """Factors by class and third of the width: one factor for the class times one for the third, so that each of them has the coverage."""
    by_class, by_third = {name: 1.0 for name in CLASSES}, np.ones(3)
    for _ in range(100):
        for k in range(3):
            if (third == k).any():
                by_third[k] = quantile((scores / np.array([by_class[c] for c in classes]))[third == k])
        for name in CLASSES:
            if (classes == name).any():
                by_class[name] = quantile((scores / by_third[third])[classes == name])
    return {name: [float(f"{by_class[name] * f:.5g}") for f in by_third] for name in CLASSES}


class Intervals:
    """Half widths of the 90 % interval of an energy, and the signed scores from which probabilities are calculated."""

    def __init__(self, raw, signed_errors, classes, systems):
        errors = np.abs(signed_errors)
        self.widths = Widths(raw, errors, systems)
        unseen = self.widths.unseen
        self.thirds = rounded(np.quantile(unseen, [1 / 3, 2 / 3]))
        self.factors = factors_of(errors / unseen, classes, self.third(unseen))
        self.signed = rounded(np.quantile(signed_errors / unseen, np.linspace(0, 1, 201)))

    def third(self, expected):
        return np.searchsorted(self.thirds, expected)

    def half_widths(self, expected, classes):
        return expected * np.array([self.factors[c][k] for c, k in zip(classes, self.third(expected))])

    def manifest(self):
        return {"coverage": COVERAGE, "classes": CLASSES, **self.widths.manifest(), "thirds": self.thirds,
                "factors": self.factors, "signedScores": self.signed}


# Bin edges for half widths of gaps: logits of "has a gap" if no gap is predicted, otherwise predicted gaps in eV.
GAP_EDGES = [-3.0, -1.0, 1.0, 3.0]
GAP_SIZES = [0.1, 0.5, 1, 2, 3, 4]
# Bin of predicted gaps (of the first size or more) whose probability of a gap is below one half.
DOUBTED = len(GAP_EDGES) + 1
# Minimum number of rows for a separate width of a bin, and for a factor of a class.
LEAST_IN_BIN, LEAST_IN_CLASS = 20, 40


def gap_half_widths(logit, errors):
    """Half widths by bin of the logit, for measured gaps: there are too few of them for bins by size and class."""
    bins = np.digitize(logit, GAP_EDGES)
    return [quantile(errors[bins == k]) if (bins == k).sum() >= LEAST_IN_BIN else quantile(errors) for k in range(len(GAP_EDGES) + 1)]


def gap_bins(logit, gap):
    """Bin of each gap: by logit below the first size; otherwise `DOUBTED` or by size. Same rule as packages/prediction/src/values.ts."""
    sizes = np.digitize(gap, GAP_SIZES)
    return np.where(sizes == 0, np.digitize(logit, GAP_EDGES), np.where(logit < 0, DOUBTED, DOUBTED + sizes))


def gap_half_widths_by_class(logit, gap, errors, classes):
    """Half widths by class and bin: a width of the bin times a factor of the class, so that bins and classes have the coverage. A class
    has one factor without and one with a predicted gap. Bins with few rows share the width of neighbouring bins."""
    bins, count = gap_bins(logit, gap), DOUBTED + len(GAP_SIZES) + 1
    predicted, numbers = bins >= DOUBTED, np.array([CLASSES.index(name) for name in classes], int)
    widths, factors = np.zeros(count), np.ones((2, len(CLASSES)))
    for _ in range(60):
        scores = errors / factors[predicted.astype(int), numbers]
        for k in range(count):
            some = bins == k
            if some.sum() < LEAST_IN_BIN:
                some = (predicted == (k >= DOUBTED)) & ((k >= DOUBTED) | (k < 2) | (bins >= 2))
            widths[k] = max(quantile(scores[some]), 1e-6)
        scores = errors / widths[bins]
        for side in (0, 1):
            for number in range(len(CLASSES)):
                some = (numbers == number) & (predicted == side)
                if some.sum() >= LEAST_IN_CLASS:
                    factors[side, number] = quantile(scores[some])
    side = (np.arange(count) >= DOUBTED).astype(int)
    return {name: rounded(widths * factors[side, number], 5) for number, name in enumerate(CLASSES)}
