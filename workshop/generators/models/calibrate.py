"""Packs the members, fits the intervals on calibration systems, and measures the errors on test systems.

`calibrate.py FOLDER OUT SEED…` writes OUT/model.bin (float16, little-endian) and OUT/model.json. Calibration and test use the
rounded weights that are shipped. Nothing is chosen by the test systems.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import torch
from composition import COMPOSITION_HEADS, NEIGHBOURS, read_compositions
from data import read_rows, targets
from figures import auc, judge_energy, judge_gap, judge_modulus, summary
from intervals import (CLASSES, FLOOR, GAP_EDGES, GAP_SIZES, NO_MEASURED_GAP, Intervals, class_of, gap_bins, gap_half_widths, gap_half_widths_by_class,
                       quantile, rounded)
from members import Binary, ask, load_member
from network import CHANNELS, ELEMENTS, GAUSSIANS, LAYERS, LOG_G, LOG_K, RADIUS, SCALE, STEP, Graphs, compile_messages, messages
from places import Places, unusual, usual_surroundings
from stability import MARGINS, KNOTS, found_chances, judge_hull, read_hulls, stated_chance

SAMPLE = {"crystals": 8000, "compositions": 4000}


def softplus(x):
    return np.log1p(np.exp(np.clip(2 * x, -50, 50))) / 2


class Judged:
    """Predictions of the members for a set, intervals from the calibration rows, and errors on the test rows."""

    def __init__(self, graphs, rows, y, references, members, sample_size, with_atoms):
        parts = np.array([row["part"] for row in rows])
        fractions = graphs.composition()
        has_energy = np.isfinite(y[:, 0])
        taught = np.where((parts == "train") & has_energy)[0]
        self.sample = np.sort(np.random.default_rng(3).permutation(taught)[:sample_size])
        outs, latent = ask(graphs, self.sample, members)
        self.places = Places(latent, np.abs(outs[:, :, 0].mean(0) - y[self.sample, 0]))
        self.counts = (fractions[taught] > 0).sum(0)

        ids = self.ids = np.where(parts != "train")[0]
        outs, latent = ask(graphs, ids, members)
        self.known = [rows[i] for i in self.sample]
        self.rows = [rows[i] for i in ids]
        self.y, base = y[ids], fractions[ids] @ references
        self.values, self.spread = outs.mean(0), outs[:, :, 0].std(0)
        self.energy, self.truth = self.values[:, 0] + base, self.y[:, 0] + base
        self.members = outs[:, :, 0] + base
        self.gap = softplus(outs[:, :, 3]).mean(0)
        self.classes = np.array([class_of(row["elements"]) for row in self.rows])
        self.systems = np.array(["-".join(row["elements"]) for row in self.rows])
        self.calibrate, self.test, self.unused = (parts[ids] == name for name in ("calibrate", "test", "unused"))
        here = self.places.of(latent)
        self.distance, nearby = self.places.near(here)
        kinds = np.array([len(row["elements"]) for row in self.rows])
        # Elements are excluded from the errors, because their formation energy is 0 by definition.
        self.is_compound = kinds > 1
        rarest = np.array([min(self.counts[n] for n in np.nonzero(row)[0]) for row in fractions[ids]])
        columns = [np.log(self.spread + 1e-3), np.log(self.distance + 1e-3), np.log(nearby + FLOOR), np.log(rarest + 1), kinds, self.energy,
                   self.values[:, 1], self.gap, *here.T, *((self.classes == name).astype(float) for name in CLASSES)]
        if with_atoms:
            columns.append(np.log([row["n"] for row in self.rows]))
        raw = np.column_stack(columns)
        self.has_energy = np.isfinite(self.truth)
        c = self.calibrate & self.has_energy
        self.intervals = Intervals(raw[c], (self.energy - self.truth)[c], self.classes[c], self.systems[c])
        self.expected = self.intervals.widths.expected(raw)
        self.unseen = self.expected.copy()
        self.unseen[c] = self.intervals.widths.unseen
        self.half_widths = self.intervals.half_widths(self.expected, self.classes)
        self.moduli = {"bulkModulus": (2, self.values[:, 4] * LOG_K[1] + LOG_K[0]), "shearModulus": (3, self.values[:, 5] * LOG_G[1] + LOG_G[0])}

    def gap_calibration(self):
        """Half widths of PBE gaps in eV by class, the figures, and the half width of every row."""
        truth, logit = self.y[:, 1], self.values[:, 1]
        known = np.isfinite(truth)
        c, t = self.calibrate & known, self.test & known
        widths = gap_half_widths_by_class(logit[c], self.gap[c], np.abs(self.gap - truth)[c], self.classes[c])
        half = np.array([widths[name][k] for name, k in zip(self.classes, gap_bins(logit, self.gap))])
        return widths, judge_gap(self.gap[t], logit[t], truth[t], half[t]), half

    def measured_gap_calibration(self):
        """Half widths of measured gaps in eV by bin of the logit only, because there are only about 400 calibration formulas."""
        truth, logit, gap = self.y[:, 4], self.values[:, 6], softplus(self.values[:, 7])
        known = np.isfinite(truth)
        c, t = self.calibrate & known, self.test & known & ~np.isin(self.classes, NO_MEASURED_GAP)
        widths = gap_half_widths(logit[c], np.abs(gap - truth)[c])
        half = np.array(widths)[np.digitize(logit, GAP_EDGES)]
        # As in predictComposition: if the predicted measured gap is below the PBE gap, the interval contains both.
        least_high = np.where(gap < self.gap, self.gap + self.gap_half, 0)
        return rounded(widths, 5), judge_gap(gap[t], logit[t], truth[t], half[t], least_high[t])

    def calibration(self):
        """The data that predictions need, and the figures of merit."""
        third = self.intervals.third(self.expected)
        held = self.test & self.has_energy & self.is_compound
        energy = judge_energy(self.energy, self.truth, self.half_widths, held, self.classes, third, self.systems)
        also = judge_energy(self.energy, self.truth, self.half_widths, self.unused & self.has_energy & self.is_compound, self.classes, third, self.systems)
        energy["alsoHeldOut"] = also["test"]
        energy["alsoByClass"] = also["byClass"]
        energy["members"] = [summary(member[held], self.truth[held])["mae"] for member in self.members]
        kinds = np.array([len(row["elements"]) for row in self.rows])
        energy["byElements"] = {str(k): summary(self.energy[held & (kinds == k)], self.truth[held & (kinds == k)])
                                for k in range(2, 7) if (held & (kinds == k)).sum() > 20}
        gap_widths, gap, self.gap_half = self.gap_calibration()
        metrics = {"formationEnergy": energy, "bandGap": gap}
        halves = {}
        for name, (column, predicted) in self.moduli.items():
            stiff = np.isfinite(self.y[:, column])
            halves[name] = quantile(np.abs(predicted - self.y[:, column])[self.calibrate & stiff])
            metrics[name] = judge_modulus(predicted[self.test & stiff], self.y[self.test & stiff, column], halves[name])
        error = np.abs(self.energy - self.truth)
        far = np.quantile(self.distance[self.calibrate], [0.25, 0.9, 0.99])
        edges = np.quantile(self.distance[held], [0.25, 0.99])
        metrics["domain"] = {"maeNearestQuarter": float(error[held & (self.distance <= edges[0])].mean()),
                             "maeFarthestPercent": float(error[held & (self.distance >= edges[1])].mean()),
                             "n": int((held & (self.distance >= edges[1])).sum())}
        known = [f"{row['id']} {row['formula']}" for row in self.known]
        shipped = {
            "domain": {"mean": rounded(self.places.mean), "components": rounded(self.places.components), "quantiles": rounded(far), "known": known},
            "interval": {**self.intervals.manifest(), "gapEdges": GAP_EDGES, "gapSizes": GAP_SIZES, "gapHalfWidths": gap_widths,
                         "log10BulkModulus": halves["bulkModulus"], "log10ShearModulus": halves["shearModulus"]},
            "elementCounts": [int(n) for n in self.counts],
        }
        return shipped, metrics


def hull_figures(judged, folder):
    """Observed frequency for each predicted probability (calibration rows), and errors of the distance to the hull (test rows)."""
    hulls = read_hulls(folder, judged.rows)
    some = np.isfinite(hulls)
    distance, true = judged.energy - hulls, judged.truth - hulls
    c, t = judged.calibrate & some, judged.test & some
    signed = judged.intervals.signed
    # Calibration rows get the widths of a network that was not trained on them.
    stated = {m: stated_chance(signed, judged.unseen, distance, m) for m in MARGINS}
    found = found_chances(np.concatenate([stated[m][c] for m in MARGINS]), np.concatenate([(true <= m)[c] for m in MARGINS]))
    chances = {m: np.interp(stated_chance(signed, judged.expected, distance, m), KNOTS, found) for m in MARGINS}
    return {"told": rounded(KNOTS), "found": found}, judge_hull(distance, true, chances, c, t, auc)


def without_nothing(value):
    """Replaces NaN by null, because JSON has no NaN. Small catalogues have means over zero rows."""
    if isinstance(value, dict):
        return {key: without_nothing(entry) for key, entry in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_nothing(entry) for entry in value]
    return None if isinstance(value, float) and not np.isfinite(value) else value


def main(folder: Path, out: Path, seeds) -> None:
    torch.set_num_threads(1)
    library = compile_messages(folder)
    files, rows = read_rows(folder)
    graphs = Graphs(files, library)
    taught = np.where(np.array([row["part"] for row in rows]) == "train")[0]
    y, references = targets(folder, rows, graphs.composition(), taught)
    members = [load_member(folder / f"member-{seed}.pt", messages(library)) for seed in seeds]
    crystals = Judged(graphs, rows, y, references, members, SAMPLE["crystals"], with_atoms=True)
    shipped, metrics = crystals.calibration()
    ranges, *around = usual_surroundings(graphs, RADIUS, taught, ELEMENTS)
    shipped["domain"]["surroundings"] = rounded(ranges, 5)
    strange = unusual(graphs, ranges, *around)[crystals.ids]
    error, judged = np.abs(crystals.energy - crystals.truth), crystals.test & crystals.is_compound
    metrics["domain"]["unusualShare"] = float(strange[judged].mean())
    metrics["domain"]["maeUnusual"] = float(error[judged & strange].mean())
    shipped["chances"], metrics["stability"] = hull_figures(crystals, folder)

    formulas, compositions, targets_of_formulas, formula_references = read_compositions(folder)
    formula_members = [load_member(folder / f"composition-{seed}.pt", messages(library), COMPOSITION_HEADS)
                       for seed in seeds[:1]]
    by_formula = Judged(compositions, formulas, targets_of_formulas, formula_references, formula_members, SAMPLE["compositions"], with_atoms=False)
    formula_shipped, formula_metrics = by_formula.calibration()
    formula_shipped["chances"], formula_metrics["stability"] = hull_figures(by_formula, folder)
    widths, formula_metrics["measuredBandGap"] = by_formula.measured_gap_calibration()
    formula_shipped["interval"]["measuredGapHalfWidths"] = widths

    binary = Binary()
    for index, member in enumerate(members):
        binary.put_member(str(index), member)
    binary.put("places", crystals.places.places)
    binary.put("errors", crystals.places.errors)
    for index, member in enumerate(formula_members):
        binary.put_member(f"composition.{index}", member, steps=2)
    binary.put("composition.places", by_formula.places.places)
    binary.put("composition.errors", by_formula.places.errors)
    # A different calibration makes a different model with a different name.
    shipped_text = json.dumps([shipped, formula_shipped], sort_keys=True).encode()
    binary.put("calibration", np.frombuffer(hashlib.sha256(shipped_text).digest(), np.uint8))
    packed = binary.bytes()
    model = {
        "format": 2,
        "sha256": hashlib.sha256(packed).hexdigest(),
        "architecture": {"channels": CHANNELS, "layers": LAYERS, "members": len(members), "radius": RADIUS, "tableStep": STEP,
                         "gaussians": GAUSSIANS, "messageScale": SCALE},
        "tensors": binary.manifest,
        "elementReferences": rounded(references),
        "scales": {"log10BulkModulus": LOG_K, "log10ShearModulus": LOG_G},
        **shipped,
        "composition": {"members": len(formula_members), "neighbours": NEIGHBOURS, "elementReferences": rounded(formula_references),
                        **formula_shipped},
        "training": {"rows": len(taught), "calibration": int(crystals.calibrate.sum()), "test": int(crystals.test.sum()), "seeds": list(seeds),
                     "epochs": [epochs for _, _, epochs in members],
                     "compositions": sum(row["part"] == "train" for row in formulas),
                     "compositionEpochs": [epochs for _, _, epochs in formula_members]},
        "metrics": {**metrics, "composition": formula_metrics},
    }
    model = without_nothing(model)
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.bin").write_bytes(packed)
    (out / "model.json").write_text(json.dumps(model, separators=(",", ":")))
    print(json.dumps({name: model["metrics"][name].get("test", model["metrics"][name]) for name in ("formationEnergy", "bandGap")}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), [int(word) for word in sys.argv[3:]])
