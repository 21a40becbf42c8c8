"""Distance of a crystal from the training crystals in latent space, and whether its atomic environments are usual."""

import numpy as np

COMPONENTS, NEAREST = 16, 5
# A range contains all training atoms of an element except the share TAIL at each end; it is then widened slightly.
TAIL, SLACK_DISTANCE, SLACK_CROWD = 1e-3, 0.03, 0.15


class Places:
    """Whitened principal components of the latent states of sampled training crystals. Distances are means over the five nearest."""

    def __init__(self, latent, errors):
        self.mean, deviation = latent.mean(0), latent.std(0) + 1e-6
        _, strengths, axes = np.linalg.svd((latent - self.mean) / deviation, full_matrices=False)
        components = axes[:COMPONENTS] / (strengths[:COMPONENTS, None] / np.sqrt(len(latent) - 1)) / deviation
        self.components = components.astype(np.float32).astype(float)
        self.places = self.of(latent).astype(np.float16).astype(float)
        # Training errors of the network for these crystals, eV/atom: large for difficult labels or chemistry.
        self.errors = np.minimum(errors, 1).astype(np.float16).astype(float)

    def of(self, latent):
        return (latent - self.mean) @ self.components.T

    def near(self, here):
        """Mean distance to the five nearest training crystals, and the mean error of these crystals."""
        distance, error = np.empty(len(here)), np.empty(len(here))
        squares = (self.places**2).sum(1)
        for i in range(0, len(here), 500):
            some = here[i : i + 500]
            rough = squares - 2 * some @ self.places.T
            nearest = np.argpartition(rough, NEAREST, 1)[:, :NEAREST]
            distance[i : i + 500] = np.sqrt(((some[:, None] - self.places[nearest]) ** 2).sum(2)).mean(1)
            error[i : i + 500] = self.errors[nearest].mean(1)
        return distance, error


def surroundings(graphs, radius):
    """Nearest distance (Å) and neighbour density Σ w (1 + cos πd/R)/2 of each node of all graphs; `inf` and 0 without neighbours."""
    a = graphs.arrays
    degrees = a["degrees"].astype(np.int64)
    ends = np.cumsum(degrees)
    nearest, crowd = np.full(len(degrees), np.inf), np.zeros(len(degrees))
    some = degrees > 0
    starts = (ends - degrees)[some]
    distances = a["distances"].astype(float)
    nearest[some] = np.minimum.reduceat(distances, starts)
    said = a["weights"] * 0.5 * (1 + np.cos(np.pi * distances / radius))
    crowd[some] = np.add.reduceat(said, starts)
    return nearest, crowd


def usual_surroundings(graphs, radius, taught, elements):
    """Ranges of nearest distance and neighbour density among training atoms, by atomic number; zeros without training atoms."""
    nearest, crowd = surroundings(graphs, radius)
    owner = np.repeat(np.arange(len(graphs)), graphs.counts)
    is_taught = np.zeros(len(graphs), bool)
    is_taught[taught] = True
    chosen = is_taught[owner] & np.isfinite(nearest)
    numbers = graphs.arrays["numbers"]
    ranges = np.zeros((elements, 4))
    for number in np.unique(numbers[chosen]):
        here = chosen & (numbers == number)
        low, high = np.quantile(nearest[here], [TAIL, 1 - TAIL])
        few, many = np.quantile(crowd[here], [TAIL, 1 - TAIL])
        ranges[number] = [low * (1 - SLACK_DISTANCE), high * (1 + SLACK_DISTANCE), few * (1 - SLACK_CROWD), many * (1 + SLACK_CROWD)]
    return ranges, nearest, crowd, owner


def unusual(graphs, ranges, nearest, crowd, owner):
    """Whether a graph has an atom outside the ranges of its element, for each graph."""
    low, high, few, many = ranges[graphs.arrays["numbers"]].T
    strange = (nearest < low) | (nearest > high) | (crowd < few) | (crowd > many)
    return np.bincount(owner, strange, len(graphs)) > 0
