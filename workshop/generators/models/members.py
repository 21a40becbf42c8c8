"""Trained members in shipped form: rounded to half precision, evaluated in batches, packed into one binary."""

import numpy as np
import torch
from network import HEADS, LAYERS, Network

AT_A_TIME = 250


def half(tensor):
    return tensor.half().float()


def load_member(path, pass_messages, heads=HEADS):
    """Loads a checkpoint: a network with the averaged weights, its radial tables (both rounded), and the number of epochs."""
    saved = torch.load(path, weights_only=False)
    network = Network(pass_messages, heads)
    with torch.no_grad():
        for parameter, value in zip(network.parameters(), saved["average"]):
            parameter.copy_(value)
        tables = [(half(f).contiguous(), half(g).contiguous()) for f, g in network.tables()]
        for parameter in network.parameters():
            parameter.copy_(half(parameter))
    return network, tables, saved["epoch"]


def ask(graphs, ids, members):
    """Evaluates all members: energy minus references and raw heads (members × crystals × heads); latent states of the first member."""
    outs, latents = [], []
    with torch.no_grad():
        for network, tables, _ in members:
            both = [network(graphs.batch(ids[i : i + AT_A_TIME]), tables) for i in range(0, len(ids), AT_A_TIME)]
            outs.append(torch.cat([out for out, _ in both]).double().numpy())
            latents.append(torch.cat([latent for _, latent in both]).double().numpy())
    return np.array(outs), latents[0]


class Binary:
    """A sequence of tensors (float16, little-endian); the manifest contains the name, shape and offset of each tensor."""

    def __init__(self):
        self.parts, self.manifest, self.offset = [], [], 0

    def put(self, name, tensor):
        array = np.ascontiguousarray(tensor.detach().numpy() if torch.is_tensor(tensor) else tensor, np.float32).astype("<f2")
        self.manifest.append({"name": name, "shape": list(array.shape), "offset": self.offset})
        self.parts.append(array.tobytes())
        self.offset += array.size

    def put_member(self, name, member, steps=None):
        """`steps`: number of rows of the radial tables that are needed; None: all rows."""
        network, tables, _ = member
        self.put(f"{name}.embedding", network.embedding.weight)
        for layer in range(LAYERS):
            self.put(f"{name}.{layer}.shiftTable", tables[layer][0][:steps])
            self.put(f"{name}.{layer}.gateTable", tables[layer][1][:steps])
            for part in ("hearer", "speaker", "update", "output"):
                linear = getattr(network, part)[layer]
                self.put(f"{name}.{layer}.{part}.weight", linear.weight)
                if linear.bias is not None:
                    self.put(f"{name}.{layer}.{part}.bias", linear.bias)
        for part in ("energyHidden", "energyOutput", "poolHidden", "headHidden", "headOutput"):
            self.put(f"{name}.{part}.weight", getattr(network, part).weight)
            self.put(f"{name}.{part}.bias", getattr(network, part).bias)

    def bytes(self):
        return b"".join(self.parts)
