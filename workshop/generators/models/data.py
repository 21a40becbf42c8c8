"""Rows of the training set, and the target values of the network."""

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np


def read_rows(folder: Path):
    """The graph files sorted by name, and the rows in the files beside them."""
    files = sorted(folder.glob("*.graphs"))
    rows = [json.loads(line) for file in files for line in open(file.with_suffix(".rows.jsonl"))]
    return files, rows


def cell_key(cell: str):
    return tuple(sorted(re.findall(r"([A-Z][a-z]?)(\d+)", cell)))


def element_references(fractions, energies, taught):
    """Mean energy per atom of each element (least squares on the training rows), eV."""
    a = fractions[taught]
    return np.linalg.solve(a.T @ a + 1e-2 * np.eye(a.shape[1]), a.T @ energies[taught])


def targets(folder: Path, rows, fractions, taught):
    """Returns the targets, rows × (formation energy minus references, gap, log10 K, log10 G) with NaN for unknown values,
    and the references."""
    energies = np.array([row["ef"] for row in rows])
    gaps = np.array([row.get("gap", np.nan) for row in rows], float)
    references = element_references(fractions, energies, taught)
    bulk, shear = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    known, seen = {}, Counter()
    moduli = folder / "moduli.csv.gz"
    if moduli.exists():
        for line in csv.DictReader(gzip.open(moduli, "rt")):
            key = cell_key(line["cell"])
            seen[key] += 1
            known[key] = (float(line["log10_K_VRH_GPa"]), float(line["log10_G_VRH_GPa"]))
    # Moduli are matched by the atoms of the cell, and only if both tables contain these atoms once.
    here = Counter(cell_key(row["cell"]) for row in rows)
    for i, row in enumerate(rows):
        key = cell_key(row["cell"])
        if here[key] == 1 and seen[key] == 1:
            bulk[i], shear[i] = known[key]
    return np.stack([energies - fractions @ references, gaps, bulk, shear], 1), references
