"""The model for formulas without a structure. `composition.py FOLDER SEED EPOCHS` trains one member, FOLDER/composition-SEED.pt.

The network is the one for crystals: an atom receives messages from twelve neighbours drawn from the composition, itself included, at
distance 0, so that the radial filters are two constants. Targets: those of the lowest-energy crystal of each composition, and the measured
gap.
"""

import json
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from data import cell_key, element_references, read_rows, targets
from network import ELEMENTS, LOG_G, LOG_K, Network, compile_messages, messages
from torch.nn import functional

# Raw heads after the energy: the heads of the crystal network, then logit and width of the measured gap.
COMPOSITION_HEADS = 7
NEIGHBOURS = 12
BATCH, RATE, WARM_UP, DECAY, AVERAGE = 256, 2e-3, 400, 0.02, 0.998
HEAD_WEIGHT = 0.1
SYMBOLS = """H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se Br Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag
Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am
Cm Bk Cf Es Fm Md No Lr""".split()
NUMBER = {symbol: i + 1 for i, symbol in enumerate(SYMBOLS)}


class Compositions:
    """Compositions as graphs: every element receives messages from all elements, weighted by their fractions."""

    def __init__(self, amounts):
        self.numbers = [np.array([NUMBER[symbol] for symbol in found], np.int64) for found in amounts]
        self.shares = [np.array(list(found.values())) / sum(found.values()) for found in amounts]
        self.counts = np.array([len(found) for found in amounts])

    def __len__(self):
        return len(self.counts)

    def composition(self):
        fractions = np.zeros((len(self), ELEMENTS))
        for row, numbers, shares in zip(fractions, self.numbers, self.shares):
            row[numbers] = shares
        return fractions

    def batch(self, ids):
        counts = self.counts[ids]
        base = np.cumsum(counts) - counts
        owner = np.repeat(np.arange(len(ids)), counts)
        share = np.concatenate([self.shares[i] for i in ids]).astype(np.float32)
        row = np.concatenate([[0], np.cumsum(counts[owner])])
        hearer = np.repeat(np.arange(len(owner)), counts[owner])
        source = base[owner[hearer]] + np.arange(len(hearer)) - row[hearer]
        tensors = (row.astype(np.int32), source.astype(np.int32), np.zeros(len(source), np.float32), NEIGHBOURS * share[source],
                   np.concatenate([self.numbers[i] for i in ids]), share, owner)
        return (*(torch.from_numpy(array) for array in tensors), len(ids))


def read_compositions(folder: Path):
    """Returns rows (one per composition of the crystals, one per measured gap), their compositions, the targets, and the references.
    Targets are those of `targets`, followed by the measured gap."""
    _, crystals = read_rows(folder)
    amounts = [{symbol: int(n) for symbol, n in cell_key(row["cell"])} for row in crystals]
    fractions = Compositions(amounts).composition()
    energies = np.array([row["ef"] for row in crystals])
    taught = np.array([i for i, row in enumerate(crystals) if row["part"] == "train"])
    y, _ = targets(folder, crystals, fractions, taught)
    lowest = {}
    for i, row in enumerate(crystals):
        best = lowest.get(row["formula"])
        if best is None or energies[i] < energies[best]:
            lowest[row["formula"]] = i
    kept = sorted(lowest.values())
    rows = [{key: crystals[i][key] for key in ("id", "formula", "elements", "part")} for i in kept]
    all_amounts = [amounts[i] for i in kept]
    y = np.column_stack([energies[kept], y[kept, 1:4], np.full(len(kept), np.nan)])
    measured = folder / "measured-gaps.jsonl"
    if measured.exists():
        found = [json.loads(line) for line in open(measured)]
        found = [row for row in found if all(symbol in NUMBER for symbol in row["amounts"])]
        rows += [{"id": "", "formula": row["formula"], "elements": sorted(row["amounts"]), "part": row["part"]} for row in found]
        all_amounts += [row["amounts"] for row in found]
        gaps = np.full((len(found), 5), np.nan)
        gaps[:, 4] = [row["gap"] for row in found]
        y = np.concatenate([y, gaps])
    compositions = Compositions(all_amounts)
    parts = np.array([row["part"] for row in rows])
    fractions = compositions.composition()
    references = element_references(fractions, y[:, 0], np.where((parts == "train") & np.isfinite(y[:, 0]))[0])
    y[:, 0] -= fractions @ references
    return rows, compositions, y, references


def gap_of(raw):
    return functional.softplus(2 * raw) / 2


def loss_of(out, y):
    known = torch.isfinite(y)
    y = torch.nan_to_num(y)

    def mean(values, chosen):
        return (values * chosen).sum() / chosen.sum().clamp(min=1)

    energy = mean((out[:, 0] - y[:, 0]).abs().clamp(max=3), known[:, 0])
    heads = 0
    for gap, logit, width in ((1, 1, 3), (4, 6, 7)):
        opens = functional.binary_cross_entropy_with_logits(out[:, logit], (y[:, gap] > 0).float(), reduction="none")
        heads = heads + mean(opens, known[:, gap]) + mean((gap_of(out[:, width]) - y[:, gap]).abs(), known[:, gap])
    for head, column in ((4, 2), (5, 3)):
        heads = heads + mean((out[:, head] - y[:, column]).abs(), known[:, column])
    return energy + HEAD_WEIGHT * heads, energy


def main(folder: Path, seed: int, epochs: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rows, compositions, y, _ = read_compositions(folder)
    parts = np.array([row["part"] for row in rows])
    taught = np.where(parts == "train")[0]
    watched = np.where((parts == "calibrate") & np.isfinite(y[:, 0]))[0]
    scaled = y.copy()
    for column, (mean, deviation) in ((2, LOG_K), (3, LOG_G)):
        scaled[:, column] = (y[:, column] - mean) / deviation
    scaled = torch.tensor(scaled, dtype=torch.float32)
    network = Network(messages(compile_messages(folder)), COMPOSITION_HEADS)
    parameters = list(network.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.99), weight_decay=DECAY)
    average = [p.detach().clone() for p in parameters]
    steps = max(1, len(taught) // BATCH)
    # For a small catalogue, the whole training may be hardly longer than the usual warm-up.
    warm_up = min(WARM_UP, epochs * steps / 10)
    for epoch in range(epochs):
        order = np.random.default_rng([seed, epoch]).permutation(taught)
        begun, seen = time.process_time(), 0.0
        for step in range(steps):
            done = epoch * steps + step
            for group in optimizer.param_groups:
                group["lr"] = RATE * min(1, (done + 1) / warm_up) * (0.5 * (1 + math.cos(math.pi * done / (epochs * steps))) + 2e-3)
            ids = order[step * BATCH : (step + 1) * BATCH]
            optimizer.zero_grad()
            loss, energy = loss_of(network(compositions.batch(ids))[0], scaled[ids])
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, 2.0)
            optimizer.step()
            torch._foreach_lerp_(average, [p.detach() for p in parameters], 1 - min(AVERAGE, (1 + done) / (10 + done)))
            seen += energy.item()
        with torch.no_grad():
            out = torch.cat([network(compositions.batch(watched[i : i + 1000]))[0] for i in range(0, len(watched), 1000)])
        mae = float(np.abs(out[:, 0].numpy() - y[watched, 0]).mean())
        print(json.dumps({"seed": seed, "epoch": epoch + 1, "train": seen / steps, "calibrate": mae,
                          "cpu": round(time.process_time() - begun)}), flush=True)
    torch.save({"average": average, "epoch": epochs, "seed": seed}, folder / f"composition-{seed}.pt")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
