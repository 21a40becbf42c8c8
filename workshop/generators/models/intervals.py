"""Intervals that hold: the error to expect at a place, and factors that make it cover in every class and every third.

Cross-conformal (Vovk, Ann. Math. Artif. Intell. 74, 9 (2015)): the calibration systems fall into folds; small networks taught on all folds
but one say which error to expect in that one, so that every score is of a system that did not teach its width. What ships is their mean.
"""

import hashlib

import numpy as np
import torch
from torch import nn

COVERAGE, HIDDEN, FOLDS, EPOCHS = 0.9, 16, 5, 40
# eV/atom added to an error before its logarithm is learnt: below it errors are the labels' own noise.
FLOOR = 0.005
# Half width where no calibration row has a value (a catalogue without moduli): decades, eV.
NOTHING_KNOWN = 3.0
CLASSES = ["oxide", "halide", "chalcogenide", "intermetallic", "f-element", "other"]
# No measured gap is predicted for formulas of these classes, as in packages/prediction/src/predict.ts.
NO_MEASURED_GAP = ["oxide", "halide"]
NON_METALS = set("H B C N O F Si P S Cl As Se Br Te I He Ne Ar Kr Xe".split())
F_ELEMENTS = set("Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Th Pa U Np Pu Am Cm".split())


def class_of(elements):
    """The class whose coverage is stated; the same rule stands in packages/prediction/src/compound-class.ts."""
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
    """The conformal quantile: at least `coverage` of unseen scores lie below it; of none so wide that it says nothing."""
    if len(scores) == 0:
        return NOTHING_KNOWN
    ordered = np.sort(scores)
    return float(ordered[min(len(ordered) - 1, int(np.ceil((len(ordered) + 1) * coverage)) - 1)])


def rounded(array, digits=6):
    return [float(f"{x:.{digits}g}") for x in np.asarray(array, float).ravel()]


def fit_net(features, errors, seed):
    """A small network for the logarithm of the error that nine of ten stay below (pinball loss)."""
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
    """The error to expect from features (rows × features): fitted on the calibration rows, of which `systems` are the chemical systems."""

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
        """All nets as one: their hidden units side by side."""
        z = self.scaled(raw) @ self.weight.T + self.bias
        return np.exp((z / (1 + np.exp(-z))) @ self.out + self.rest)

    def manifest(self):
        return {"centre": self.centre, "width": self.width,
                "hidden": {"weight": rounded(self.weight, 5), "bias": rounded(self.bias, 5)},
                "output": {"weight": rounded(self.out, 6), "bias": rounded([self.rest], 6)}}


def factors_of(scores, classes, third):
    """A factor for every class and third of the width, a product of one for each, so that both cover on calibration rows."""
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
    """Half widths of the 90 % interval of an energy, and the signed scores from which probabilities follow."""

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


# Logits of "has a gap" between which the half width of a gap is set where none is predicted; eV between which it is set where one is.
GAP_EDGES = [-3.0, -1.0, 1.0, 3.0]
GAP_SIZES = [0.1, 0.5, 1, 2, 3, 4]
# The bin of gaps of the first size or more beside a chance below one half.
DOUBTED = len(GAP_EDGES) + 1
# Fewer rows set no width of a bin and no factor of a class.
LEAST_IN_BIN, LEAST_IN_CLASS = 20, 40


def gap_half_widths(logit, errors):
    """By how sure the network is that there is a gap: for measured gaps, of which there are too few for more."""
    bins = np.digitize(logit, GAP_EDGES)
    return [quantile(errors[bins == k]) if (bins == k).sum() >= LEAST_IN_BIN else quantile(errors) for k in range(len(GAP_EDGES) + 1)]


def gap_bins(logit, gap):
    """Below the first size that of the logit, else whether the gap is doubted, else its size; as packages/prediction/src/values.ts."""
    sizes = np.digitize(gap, GAP_SIZES)
    return np.where(sizes == 0, np.digitize(logit, GAP_EDGES), np.where(logit < 0, DOUBTED, DOUBTED + sizes))


def gap_half_widths_by_class(logit, gap, errors, classes):
    """A width for every bin times a factor for every class, one where no gap is predicted and one where one is, so that both cover on
    calibration rows. Bins with few rows take the width of those beside them."""
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
