"""`agreement.py MODEL`: what the training code says, in double precision with the weights that ship, of the graphs on its input (a line of
JSON each, as compare.ts writes them); a line of JSON each: per member energy above the references and raw heads."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from composition import COMPOSITION_HEADS
from network import HEADS, LAYERS, STEP, Network, messages_of_tensors


def read_member(model, binary, prefix, heads):
    tensors = {t["name"]: torch.tensor(binary[t["offset"] : t["offset"] + int(np.prod(t["shape"]))].astype(float)).reshape(t["shape"])
               for t in model["tensors"] if t["name"].startswith(f"{prefix}.")}
    network = Network(messages_of_tensors, heads).double()
    with torch.no_grad():
        network.embedding.weight.copy_(tensors[f"{prefix}.embedding"])
        for layer in range(LAYERS):
            for name in ("hearer", "speaker", "update", "output"):
                linear = getattr(network, name)[layer]
                linear.weight.copy_(tensors[f"{prefix}.{layer}.{name}.weight"])
                if linear.bias is not None:
                    linear.bias.copy_(tensors[f"{prefix}.{layer}.{name}.bias"])
        for name in ("energyHidden", "energyOutput", "poolHidden", "headHidden", "headOutput"):
            getattr(network, name).weight.copy_(tensors[f"{prefix}.{name}.weight"])
            getattr(network, name).bias.copy_(tensors[f"{prefix}.{name}.bias"])
    return network, [(tensors[f"{prefix}.{layer}.shiftTable"], tensors[f"{prefix}.{layer}.gateTable"]) for layer in range(LAYERS)]


def main(out: Path) -> None:
    torch.set_num_threads(1)
    model = json.loads((out / "model.json").read_text())
    binary = np.frombuffer((out / "model.bin").read_bytes(), "<f2")
    members = {"crystal": [read_member(model, binary, m, HEADS) for m in range(model["architecture"]["members"])],
               "composition": [read_member(model, binary, f"composition.{m}", COMPOSITION_HEADS) for m in range(model["composition"]["members"])]}
    whole = lambda values: torch.tensor(values, dtype=torch.int64)
    real = lambda values: torch.tensor(values, dtype=torch.float64)
    for line in sys.stdin:
        graph = json.loads(line)
        nodes = len(graph["shares"])
        batch = (whole(graph["rowStarts"]), whole(graph["sources"]), real(graph["distances"]) / STEP, real(graph["weights"]),
                 whole(graph["atomicNumbers"]), real(graph["shares"]), torch.zeros(nodes, dtype=torch.int64), 1)
        with torch.no_grad():
            print(json.dumps([network(batch, tables)[0][0].tolist() for network, tables in members[graph["kind"]]]))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
