"""The graph network in torch: the same sums as packages/prediction/src/testing/forward.ts, with gradients."""

import ctypes
import json
import math
import subprocess
from pathlib import Path

import numpy as np
import torch
from torch import nn
from torch.nn import functional

CHANNELS, LAYERS, RADIUS, STEP, GAUSSIANS, SCALE = 96, 3, 5.5, 0.04, 40, 0.25
ELEMENTS = 104
# Raw heads after the energy: logit of having a gap, gap of non-metals, gap of all crystals, log10 K, log10 G.
HEADS = 5
LOG_K, LOG_G = (1.87, 0.37), (1.55, 0.37)
SOURCE = Path(__file__).with_name("messages.cpp")


def compile_messages(folder: Path) -> ctypes.CDLL:
    library = folder / "messages.so"
    if not library.exists() or library.stat().st_mtime < SOURCE.stat().st_mtime:
        subprocess.run(
            ["g++", "-O3", "-march=native", "-mprefer-vector-width=512", "-ffast-math", "-fopenmp-simd",
             "-shared", "-fPIC", str(SOURCE), "-o", str(library), "-lmvec"],
            check=True,
        )
    loaded = ctypes.CDLL(str(library))
    assert loaded.channels() == CHANNELS
    return loaded


def pointer(array) -> ctypes.c_void_p:
    return ctypes.c_void_p(array.data_ptr() if torch.is_tensor(array) else array.ctypes.data)


def messages(library):
    class Messages(torch.autograd.Function):
        @staticmethod
        def forward(ctx, p, q, f, g, row, source, place, weight):
            p, q, f, g = (x.contiguous() for x in (p, q, f, g))
            out = torch.empty_like(p)
            library.forward(ctypes.c_int64(len(p)), *map(pointer, (row, source, place, weight, p, q, f, g, out)))
            ctx.save_for_backward(p, q, f, g, row, source, place, weight)
            return out

        @staticmethod
        def backward(ctx, out):
            p, q, f, g, row, source, place, weight = ctx.saved_tensors
            gradients = [torch.zeros_like(x) for x in (p, q, f, g)]
            library.backward(
                ctypes.c_int64(len(p)),
                *map(pointer, (row, source, place, weight, p, q, f, g, out.contiguous(), *gradients)),
            )
            return (*gradients, None, None, None, None)

    return Messages.apply


class Network(nn.Module):
    def __init__(self, pass_messages, heads=HEADS):
        super().__init__()
        c = CHANNELS
        self.pass_messages = pass_messages
        distance = torch.arange(math.ceil(RADIUS / STEP) + 2) * STEP
        centres = torch.linspace(0.6, RADIUS, GAUSSIANS)
        width = centres[1] - centres[0]
        self.register_buffer("gaussians", torch.exp(-0.5 * ((distance[:, None] - centres) / width) ** 2))
        inside = (distance / RADIUS).clamp(max=1)
        self.register_buffer("envelope", (0.5 * (torch.cos(math.pi * inside) + 1))[:, None])
        self.embedding = nn.Embedding(ELEMENTS, c)
        nn.init.normal_(self.embedding.weight, std=0.5)
        self.filters = nn.ModuleList(nn.Linear(GAUSSIANS, 2 * c) for _ in range(LAYERS))
        self.hearer = nn.ModuleList(nn.Linear(c, c) for _ in range(LAYERS))
        self.speaker = nn.ModuleList(nn.Linear(c, c, bias=False) for _ in range(LAYERS))
        self.update = nn.ModuleList(nn.Linear(2 * c, c) for _ in range(LAYERS))
        self.output = nn.ModuleList(nn.Linear(c, c) for _ in range(LAYERS))
        self.energyHidden, self.energyOutput = nn.Linear(c, c), nn.Linear(c, 1)
        self.poolHidden, self.headHidden, self.headOutput = nn.Linear(c, c), nn.Linear(c, c), nn.Linear(c, heads)
        with torch.no_grad():
            for layer in self.output:
                layer.weight.mul_(0.5)
            self.energyOutput.weight.mul_(0.3)

    def tables(self):
        """The radial filters at every distance step: shift and gate of each layer."""
        found = []
        for filters in self.filters:
            both = filters(self.gaussians)
            found.append((both[:, :CHANNELS], both[:, CHANNELS:] * self.envelope))
        return found

    def forward(self, batch, tables=None):
        """Energy minus references and raw heads (crystals × (1 + heads)), and latent states (crystals × channels)."""
        row, source, place, weight, number, share, owner, crystals = batch
        x = self.embedding(number)
        for layer, (shift, gate) in enumerate(tables or self.tables()):
            heard = self.pass_messages(
                self.hearer[layer](x), self.speaker[layer](x), shift, gate, row, source, place, weight
            )
            joined = torch.cat([x, heard * SCALE], 1)
            x = x + self.output[layer](functional.silu(self.update[layer](joined)))
        energy = self.energyOutput(functional.silu(self.energyHidden(x)))
        zeros = x.new_zeros
        total = zeros(crystals, 1).index_add_(0, owner, energy * share[:, None])
        pooled = functional.silu(self.poolHidden(x)) * share[:, None]
        latent = zeros(crystals, CHANNELS).index_add_(0, owner, pooled)
        heads = self.headOutput(functional.silu(self.headHidden(latent)))
        return torch.cat([total, heads], 1), latent


class Graphs:
    """All graphs of a folder, and batches of them."""

    TYPES = {"numbers": np.uint8, "shares": np.float32, "degrees": np.uint16, "sources": np.uint8,
             "distances": np.float32, "weights": np.uint16, "nodeCounts": np.uint16}

    def __init__(self, files, library):
        arrays = {name: [] for name in self.TYPES}
        for file in files:
            with open(file, "rb") as stream:
                for name, length in json.loads(stream.readline()):
                    arrays[name].append(np.frombuffer(stream.read(length), self.TYPES[name]))
        self.arrays = {name: np.concatenate(parts) for name, parts in arrays.items()}
        self.counts = self.arrays["nodeCounts"].astype(np.int64)
        self.first_node = np.concatenate([[0], np.cumsum(self.counts)])
        edges = np.concatenate([[0], np.cumsum(self.arrays["degrees"].astype(np.int64))])
        self.first_edge = edges[self.first_node]
        self.library = library

    def __len__(self):
        return len(self.counts)

    def composition(self):
        """Share of each element in each crystal."""
        fractions = np.zeros((len(self), ELEMENTS))
        owner = np.repeat(np.arange(len(self)), self.counts)
        np.add.at(fractions, (owner, self.arrays["numbers"]), self.arrays["shares"])
        return fractions

    def batch(self, ids):
        ids = np.ascontiguousarray(ids, np.int64)
        nodes = int(self.counts[ids].sum())
        edges = int((self.first_edge[ids + 1] - self.first_edge[ids]).sum())
        row = torch.empty(nodes + 1, dtype=torch.int32)
        source = torch.empty(edges, dtype=torch.int32)
        place, weight = torch.empty(edges), torch.empty(edges)
        number, owner = torch.empty(nodes, dtype=torch.int64), torch.empty(nodes, dtype=torch.int64)
        share = torch.empty(nodes)
        a = self.arrays
        self.library.gather(
            ctypes.c_int64(len(ids)), pointer(ids), pointer(self.first_node), pointer(self.first_edge),
            *(pointer(a[name]) for name in ("degrees", "numbers", "shares", "sources", "distances", "weights")),
            ctypes.c_float(1 / STEP), *map(pointer, (row, source, place, weight, number, share, owner)),
        )
        return row, source, place, weight, number, share, owner, len(ids)
