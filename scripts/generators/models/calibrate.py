"""Packs the members, fits the intervals on calibration systems and judges all of it on systems never seen.

`calibrate.py FOLDER OUT SEED…` writes OUT/model.bin (float16, little-endian) and OUT/model.json. What is calibrated and judged
are the rounded weights that are shipped.
"""

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import torch
from data import read_rows, targets
from network import CHANNELS, GAUSSIANS, LAYERS, LOG_G, LOG_K, RADIUS, SCALE, STEP, Graphs, Network, compile_messages, messages
from torch import nn

COVERAGE, COMPONENTS, REFERENCES, HIDDEN = 0.9, 16, 8000, 16
# eV/atom added to every error before its logarithm is learnt: below it errors are labels' own noise.
FLOOR = 0.005
CLASSES = ["oxide", "halide", "chalcogenide", "intermetallic", "f-element", "other"]
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


def half(tensor):
    return tensor.half().float()


def predict_all(graphs, ids, networks, tables):
    outs, latents = [], []
    with torch.no_grad():
        for network, filters in zip(networks, tables):
            both = [network(graphs.batch(ids[i : i + 250]), filters) for i in range(0, len(ids), 250)]
            outs.append(torch.cat([o for o, _ in both]).double().numpy())
            latents.append(torch.cat([h for _, h in both]).double().numpy())
    return np.array(outs), latents[0]


def quantile(scores, coverage=COVERAGE):
    """The conformal quantile: at least `coverage` of unseen scores lie below it."""
    ordered = np.sort(scores)
    return float(ordered[min(len(ordered) - 1, int(np.ceil((len(ordered) + 1) * coverage)) - 1)])


def fit_widths(features, errors, seed=0):
    """A small network for the logarithm of the error to expect."""
    torch.manual_seed(seed)
    x, y = torch.tensor(features, dtype=torch.float32), torch.tensor(np.log(errors + FLOOR), dtype=torch.float32)
    net = nn.Sequential(nn.Linear(x.shape[1], HIDDEN), nn.SiLU(), nn.Linear(HIDDEN, 1))
    with torch.no_grad():
        net[2].bias.fill_(y.mean().item())
    optimizer = torch.optim.AdamW(net.parameters(), lr=5e-3, weight_decay=0.05)
    for epoch in range(60):
        for group in optimizer.param_groups:
            group["lr"] = 5e-3 * 0.5 * (1 + np.cos(np.pi * epoch / 60)) + 1e-5
        for ids in torch.randperm(len(x)).split(64):
            optimizer.zero_grad()
            (net(x[ids])[:, 0] - y[ids]).square().mean().backward()
            optimizer.step()
    return net


def summary(values, truth):
    a = np.abs(values - truth)
    return {"n": len(a), "mae": float(a.mean()), "median": float(np.median(a)), "rmse": float(np.sqrt((a**2).mean()))}


def auc(positive, score):
    order = np.argsort(score, kind="stable")
    ranks = np.empty(len(score))
    ranks[order] = np.arange(1, len(score) + 1)
    n = positive.sum()
    return float((ranks[positive].sum() - n * (n + 1) / 2) / (n * (~positive).sum()))


def main(folder: Path, out: Path, seeds) -> None:
    torch.set_num_threads(1)
    library = compile_messages(folder)
    files, rows = read_rows(folder)
    graphs = Graphs(files, library)
    parts = np.array([row["part"] for row in rows])
    fractions = graphs.composition()
    taught = np.where(parts == "train")[0]
    y, references = targets(folder, rows, fractions, taught)
    networks, tables, epochs = [], [], []
    for seed in seeds:
        saved = torch.load(folder / f"member-{seed}.pt", weights_only=False)
        network = Network(messages(library))
        with torch.no_grad():
            for parameter, value in zip(network.parameters(), saved["average"]):
                parameter.copy_(value)
            filters = [(half(f).contiguous(), half(g).contiguous()) for f, g in network.tables()]
            for parameter in network.parameters():
                parameter.copy_(half(parameter))
        networks.append(network)
        tables.append(filters)
        epochs.append(saved["epoch"])
    ids = np.where(parts != "train")[0]
    outs, latent = predict_all(graphs, ids, networks, tables)
    sample = np.sort(np.random.default_rng(3).permutation(taught)[:REFERENCES])
    _, known = predict_all(graphs, sample, networks[:1], tables[:1])

    # Place in the network's own space: whitened principal components of the first member's latent states.
    mean, deviation = known.mean(0), known.std(0) + 1e-6
    _, strengths, axes = np.linalg.svd((known - mean) / deviation, full_matrices=False)
    components = axes[:COMPONENTS] / (strengths[:COMPONENTS, None] / np.sqrt(len(known) - 1)) / deviation
    components = components.astype(np.float32).astype(float)
    places = ((known - mean) @ components.T).astype(np.float16).astype(float)
    here = (latent - mean) @ components.T
    distance = np.empty(len(ids))
    for i in range(0, len(ids), 500):
        d2 = ((here[i : i + 500, None] - places[None]) ** 2).sum(2)
        distance[i : i + 500] = np.sqrt(np.partition(d2, 5, 1)[:, :5]).mean(1)

    values, spread = outs.mean(0), outs[:, :, 0].std(0)
    energy = values[:, 0] + fractions[ids] @ references
    truth, gaps = y[ids, 0] + fractions[ids] @ references, y[ids, 1]
    gap = np.log1p(np.exp(np.clip(2 * outs[:, :, 3], -50, 50))).mean(0) / 2
    log_k, log_g = values[:, 4] * LOG_K[1] + LOG_K[0], values[:, 5] * LOG_G[1] + LOG_G[0]
    classes = np.array([class_of(rows[i]["elements"]) for i in ids])
    calibrate, test, unused = (parts[ids] == name for name in ("calibrate", "test", "unused"))

    atoms, kinds = np.array([rows[i]["n"] for i in ids]), np.array([len(rows[i]["elements"]) for i in ids])
    raw = np.column_stack([np.log(spread + 1e-3), np.log(distance), np.log(atoms), kinds, energy, values[:, 1], gap, here,
                           *(classes == name for name in CLASSES)])
    centre, width = raw[calibrate].mean(0), raw[calibrate].std(0) + 1e-6
    features = (raw - centre) / width
    error = np.abs(energy - truth)
    # One half of the calibration systems teaches the width, the other sets the factor: by class and by third of the width.
    halves = np.array([hashlib.sha1(("half" + "-".join(rows[i]["elements"])).encode()).digest()[0] % 2 for i in ids])
    first, second = calibrate & (halves == 0), calibrate & (halves == 1)
    net = fit_widths(features[first], error[first])
    with torch.no_grad():
        expected = np.exp(net(torch.tensor(features, dtype=torch.float32))[:, 0].double().numpy())
    thirds = np.quantile(expected[calibrate], [1 / 3, 2 / 3])
    third = np.searchsorted(thirds, expected)
    factors = {}
    for name in CLASSES:
        factors[name] = []
        for k in range(3):
            chosen = second & (classes == name) & (third == k)
            pool = chosen if chosen.sum() >= 100 else second & (third == k)
            factors[name].append(quantile(error[pool] / expected[pool]))
    widths = expected * np.array([factors[c][k] for c, k in zip(classes, third)])
    covered = error <= widths
    signed = np.sort(((energy - truth) / expected)[second])

    def coverage(chosen):
        return {"n": int(chosen.sum()), "coverage": float(covered[chosen].mean()), "meanHalfWidth": float(widths[chosen].mean()),
                "mae": float(error[chosen].mean()), "median": float(np.median(error[chosen])),
                "rmse": float(np.sqrt((error[chosen] ** 2).mean()))}

    # Gap: the interval depends on how sure the network is that there is one.
    edges = [-3.0, -1.0, 1.0, 3.0]
    bin_of = np.digitize(values[:, 1], edges)
    with_gap = np.isfinite(gaps)
    gap_widths = [quantile(np.abs(gap - gaps)[calibrate & with_gap & (bin_of == k)]) for k in range(5)]
    gap_cover = np.abs(gap - gaps) <= np.array(gap_widths)[bin_of]
    moduli = {}
    for name, column, predicted in (("bulkModulus", 2, log_k), ("shearModulus", 3, log_g)):
        stiff = np.isfinite(y[ids, column])
        a = np.abs(predicted - y[ids, column])
        q = quantile(a[calibrate & stiff])
        moduli[name] = {"halfWidthLog10": q, "n": int((test & stiff).sum()), "maeLog10": float(a[test & stiff].mean()),
                        "coverage": float((a <= q)[test & stiff].mean())}
    far = np.quantile(distance[calibrate], [0.25, 0.9, 0.99])
    nearest_quarter, farthest = test & (distance <= np.quantile(distance[test], 0.25)), test & (distance >= np.quantile(distance[test], 0.99))
    metrics = {
        "formationEnergy": {
            "test": coverage(test), "alsoHeldOut": coverage(unused), "calibration": coverage(calibrate),
            "members": [summary(o[:, 0][test] + (fractions[ids] @ references)[test], truth[test])["mae"] for o in outs],
            "byClass": {name: coverage(test & (classes == name)) for name in CLASSES},
            "byThird": [coverage(test & (third == k)) for k in range(3)],
            "byElements": {str(k): coverage(test & (kinds == k)) for k in range(2, 7) if (test & (kinds == k)).sum() > 20},
        },
        "bandGap": {**summary(gap[test & with_gap], gaps[test & with_gap]), "coverage": float(gap_cover[test & with_gap].mean()),
                    "insulators": float((gaps[test & with_gap] > 0).mean()),
                    "aucInsulator": auc(gaps[test & with_gap] > 0, values[test & with_gap, 1])},
        **moduli,
        "domain": {"maeNearestQuarter": float(error[nearest_quarter].mean()), "maeFarthestPercent": float(error[farthest].mean())},
    }
    counted = (fractions[taught] > 0).sum(0)
    # Tensors in the order in which they are told, all float16.
    packed, manifest, offset = [], [], 0

    def put(name, tensor):
        nonlocal offset
        array = np.ascontiguousarray(tensor.detach().numpy() if torch.is_tensor(tensor) else tensor, np.float32).astype("<f2")
        manifest.append({"name": name, "shape": list(array.shape), "offset": offset})
        packed.append(array.tobytes())
        offset += array.size

    for member, (network, filters) in enumerate(zip(networks, tables)):
        put(f"{member}.embedding", network.embedding.weight)
        for layer in range(LAYERS):
            put(f"{member}.{layer}.shiftTable", filters[layer][0])
            put(f"{member}.{layer}.gateTable", filters[layer][1])
            for name in ("hearer", "speaker", "update", "output"):
                linear = getattr(network, name)[layer]
                put(f"{member}.{layer}.{name}.weight", linear.weight)
                if linear.bias is not None:
                    put(f"{member}.{layer}.{name}.bias", linear.bias)
        for name in ("energyHidden", "energyOutput", "poolHidden", "headHidden", "headOutput"):
            put(f"{member}.{name}.weight", getattr(network, name).weight)
            put(f"{member}.{name}.bias", getattr(network, name).bias)
    put("places", places)
    binary = b"".join(packed)
    rounded = lambda a: [float(f"{x:.6g}") for x in np.asarray(a, float).ravel()]
    model = {
        "format": 1,
        "sha256": hashlib.sha256(binary).hexdigest(),
        "architecture": {"channels": CHANNELS, "layers": LAYERS, "members": len(networks), "radius": RADIUS, "tableStep": STEP,
                         "gaussians": GAUSSIANS, "messageScale": SCALE},
        "tensors": manifest,
        "elementReferences": rounded(references),
        "elementCounts": [int(n) for n in counted],
        "scales": {"log10BulkModulus": LOG_K, "log10ShearModulus": LOG_G},
        "domain": {"mean": rounded(mean), "components": rounded(components), "quantiles": rounded(far),
                   "known": [f"{rows[i]['id']} {rows[i]['formula']}" for i in sample]},
        "interval": {"coverage": COVERAGE, "classes": CLASSES, "centre": rounded(centre), "width": rounded(width),
                     "hidden": {"weight": rounded(net[0].weight.detach()), "bias": rounded(net[0].bias.detach())},
                     "output": {"weight": rounded(net[2].weight.detach()), "bias": rounded(net[2].bias.detach())},
                     "thirds": rounded(thirds), "factors": factors,
                     "signedScores": rounded(np.quantile(signed, np.linspace(0, 1, 201))),
                     "gapEdges": edges, "gapHalfWidths": gap_widths},
        "training": {"rows": len(taught), "calibration": int(calibrate.sum()), "test": int(test.sum()), "seeds": list(seeds),
                     "epochs": epochs},
        "metrics": metrics,
    }
    out.mkdir(parents=True, exist_ok=True)
    (out / "model.bin").write_bytes(binary)
    (out / "model.json").write_text(json.dumps(model, separators=(",", ":")))
    # A few graphs and what this code says of them, for the test of the code that ships.
    print(json.dumps(metrics, indent=1))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), [int(word) for word in sys.argv[3:]])
