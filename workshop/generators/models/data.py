"""Rows of the training set, and the target values of the network."""

import csv
import gzip
import json
import re
from collections import Counter
from pathlib import Path

import numpy as np


def read_rows(folder: Path):
    """The graph files in order of their names and the rows that stand beside them."""
    files = sorted(folder.glob("*.graphs"))
    rows = [json.loads(line) for file in files for line in open(file.with_suffix(".rows.jsonl"))]
    return files, rows


def cell_key(cell: str):
    return tuple(sorted(re.findall(r"([A-Z][a-z]?)(\d+)", cell)))


def element_references(fractions, energies, taught):
    """Energy per atom that an element has on average (least squares on the taught rows), eV."""
    a = fractions[taught]
    return np.linalg.solve(a.T @ a + 1e-2 * np.eye(a.shape[1]), a.T @ energies[taught])


def targets(folder: Path, rows, fractions, taught):
    """Rows × (formation energy above the references, gap, log10 K, log10 G), NaN where unknown; and the references."""
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
    # Moduli are joined by the content of the cell, and only where that is unique on both sides.
    here = Counter(cell_key(row["cell"]) for row in rows)
    for i, row in enumerate(rows):
        key = cell_key(row["cell"])
        if here[key] == 1 and seen[key] == 1:
            bulk[i], shear[i] = known[key]
    return np.stack([energies - fractions @ references, gaps, bulk, shear], 1), references
