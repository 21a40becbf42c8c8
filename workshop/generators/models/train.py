"""Trains one member: `train.py FOLDER SEED EPOCHS`. Resumes from the last checkpoint.

After every epoch it writes FOLDER/member-SEED.pt and a line of JSON with the error on calibration systems. This error is
only shown: schedule and number of epochs are fixed in advance.
"""

import json
import math
import os
import sys
import time
from pathlib import Path

import numpy as np
import torch
from data import read_rows, targets
from network import LOG_G, LOG_K, Graphs, Network, compile_messages, messages
from torch.nn import functional

BATCH, RATE, WARM_UP, DECAY, CLIP, AVERAGE = 96, 2e-3, 600, 0.01, 2.0, 0.999
LARGEST_ENERGY_LOSS = 3.0
HEAD_WEIGHT = 0.1


def loss_of(out, y):
    energy = (out[:, 0] - y[:, 0]).abs().clamp(max=LARGEST_ENERGY_LOSS).mean()
    gap, known = torch.nan_to_num(y[:, 1]), torch.isfinite(y[:, 1])
    open_gap = known & (gap > 0)
    metal = functional.binary_cross_entropy_with_logits(out[known, 1], (gap[known] > 0).float())
    width = (out[:, 2] - gap)[open_gap].abs().sum() / open_gap.sum().clamp(min=1)
    any_gap = (functional.softplus(out[:, 3] * 2) / 2 - gap)[known].abs().mean()
    stiff = torch.isfinite(y[:, 2:4])
    moduli = ((out[:, 4:6] - torch.nan_to_num(y[:, 2:4])).abs() * stiff).sum() / stiff[:, 0].sum().clamp(min=1)
    return energy + HEAD_WEIGHT * (metal + width + any_gap + moduli), energy


def main(folder: Path, seed: int, epochs: int) -> None:
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    library = compile_messages(folder)
    files, rows = read_rows(folder)
    graphs = Graphs(files, library)
    assert len(rows) == len(graphs)
    parts = np.array([row["part"] for row in rows])
    taught, watched = np.where(parts == "train")[0], np.where(parts == "calibrate")[0][:2500]
    y, references = targets(folder, rows, graphs.composition(), taught)
    scaled = y.copy()
    for column, (mean, deviation) in ((2, LOG_K), (3, LOG_G)):
        scaled[:, column] = (y[:, column] - mean) / deviation
    scaled = torch.tensor(scaled, dtype=torch.float32)
    network = Network(messages(library))
    parameters = list(network.parameters())
    optimizer = torch.optim.AdamW(parameters, lr=RATE, betas=(0.9, 0.99), weight_decay=DECAY)
    average = [p.detach().clone() for p in parameters]
    steps = max(1, len(taught) // BATCH)
    # For a small catalogue, the whole training may be hardly longer than the usual warm-up.
    warm_up = min(WARM_UP, epochs * steps / 10)
    checkpoint = folder / f"member-{seed}.pt"
    first = 0
    if checkpoint.exists():
        saved = torch.load(checkpoint, weights_only=False)
        network.load_state_dict(saved["network"])
        optimizer.load_state_dict(saved["optimizer"])
        average = saved["average"]
        first = saved["epoch"]
        assert saved["epochs"] == epochs, "the checkpoint belongs to a training of another length"
    for epoch in range(first, epochs):
        order = np.random.default_rng([seed, epoch]).permutation(taught)
        begun, spent, seen = time.time(), time.process_time(), 0.0
        for step in range(steps):
            done = epoch * steps + step
            rate = RATE * min(1, (done + 1) / warm_up) * (0.5 * (1 + math.cos(math.pi * done / (epochs * steps))) + 2e-3)
            for group in optimizer.param_groups:
                group["lr"] = rate
            ids = order[step * BATCH : (step + 1) * BATCH]
            optimizer.zero_grad(set_to_none=False)
            out, _ = network(graphs.batch(ids))
            loss, energy = loss_of(out, scaled[ids])
            loss.backward()
            norm = torch.nn.utils.clip_grad_norm_(parameters, CLIP)
            if not torch.isfinite(norm):
                continue
            optimizer.step()
            kept = min(AVERAGE, (1 + done) / (10 + done))
            torch._foreach_lerp_(average, [p.detach() for p in parameters], 1 - kept)
            seen += energy.item()
        state = {"network": network.state_dict(), "optimizer": optimizer.state_dict(), "average": average,
                 "epoch": epoch + 1, "epochs": epochs, "seed": seed, "references": references}
        torch.save(state, checkpoint.with_suffix(".tmp"))
        os.replace(checkpoint.with_suffix(".tmp"), checkpoint)
        mae = watch(network, parameters, average, graphs, watched, y[watched, 0])
        print(json.dumps({"seed": seed, "epoch": epoch + 1, "train": seen / steps, "calibrate": mae,
                          "wall": round(time.time() - begun), "cpu": round(time.process_time() - spent)}), flush=True)


def watch(network, parameters, average, graphs, ids, energy):
    """Mean absolute error of the averaged weights on `ids`, eV/atom."""
    kept = [p.detach().clone() for p in parameters]
    with torch.no_grad():
        torch._foreach_copy_(parameters, average)
        tables = network.tables()
        out = torch.cat([network(graphs.batch(ids[i : i + 250]), tables)[0] for i in range(0, len(ids), 250)])
        torch._foreach_copy_(parameters, kept)
    return float(np.abs(out[:, 0].numpy() - energy).mean())


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]))
