"""Client of a Unitcell materials database. Energies in eV, lengths in Å, angles in degrees unless said otherwise."""

from .client import Client
from .errors import (
    NotFound,
    NotSignedIn,
    Refused,
    SiteFailed,
    TooManyRequests,
    UnitcellError,
    Unreachable,
)
from .material import ELECTRODE_FIELDS, FIELDS, WINDOW_FIELDS, Material
from .materials import Found, MaterialDetail, PhononModes, Phonons
from .structures import Crystal

__all__ = [
    "ELECTRODE_FIELDS",
    "FIELDS",
    "WINDOW_FIELDS",
    "Client",
    "Crystal",
    "Found",
    "Material",
    "MaterialDetail",
    "NotFound",
    "NotSignedIn",
    "PhononModes",
    "Phonons",
    "Refused",
    "SiteFailed",
    "TooManyRequests",
    "UnitcellError",
    "Unreachable",
]
