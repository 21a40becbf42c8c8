"""`agreement.py FOLDER MODEL…`: what the training code says, in double precision with the weights that ship, of the graphs in FOLDER
(made by write-graphs.ts at the tolerance of the product); a line of JSON each: energy above the references, raw heads, per member."""

import json
import sys
from pathlib import Path

import numpy as np
import torch
from data import read_rows
from network import LAYERS, Graphs, Network, compile_messages, messages_of_tensors


def read_member(model, binary, member):
    tensors = {t["name"]: torch.tensor(binary[t["offset"] : t["offset"] + int(np.prod(t["shape"]))].astype(float)).reshape(t["shape"])
               for t in model["tensors"]}
    network = Network(messages_of_tensors).double()
    with torch.no_grad():
        network.embedding.weight.copy_(tensors[f"{member}.embedding"])
        for layer in range(LAYERS):
            for name in ("hearer", "speaker", "update", "output"):
                linear = getattr(network, name)[layer]
                linear.weight.copy_(tensors[f"{member}.{layer}.{name}.weight"])
                if linear.bias is not None:
                    linear.bias.copy_(tensors[f"{member}.{layer}.{name}.bias"])
        for name in ("energyHidden", "energyOutput", "poolHidden", "headHidden", "headOutput"):
            getattr(network, name).weight.copy_(tensors[f"{member}.{name}.weight"])
            getattr(network, name).bias.copy_(tensors[f"{member}.{name}.bias"])
    tables = [(tensors[f"{member}.{layer}.shiftTable"], tensors[f"{member}.{layer}.gateTable"]) for layer in range(LAYERS)]
    return network, tables


def main(folder: Path, out: Path) -> None:
    model = json.loads((out / "model.json").read_text())
    binary = np.frombuffer((out / "model.bin").read_bytes(), "<f2")
    library = compile_messages(folder)
    files, rows = read_rows(folder)
    graphs = Graphs(files, library)
    members = [read_member(model, binary, m) for m in range(model["architecture"]["members"])]
    for i, row in enumerate(rows):
        batch = [t.double() if torch.is_tensor(t) and t.is_floating_point() else t for t in graphs.batch(np.array([i]))]
        with torch.no_grad():
            said = [network(batch, tables)[0][0].tolist() for network, tables in members]
        print(json.dumps({"id": row["id"], "said": said}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
