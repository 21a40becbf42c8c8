"""Reads files and structures of a running site with pymatgen, gemmi, spglib and ASE, and prints the results as JSON.

usage: read-materials.py SITE KEY ID…
"""
import io
import json
import sys
import urllib.request
import warnings

import ase.io
import gemmi
import numpy
import spglib
from pymatgen.core import Structure
from pymatgen.ext.optimade import OptimadeRester
from pymatgen.io.vasp import Poscar

warnings.filterwarnings("ignore")
site, key, *ids = sys.argv[1:]


def fetch(path):
    request = urllib.request.Request(site + path, headers={"X-API-KEY": key})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return answer.read().decode()


def number_of(atoms):
    cell = (atoms.cell[:], atoms.get_scaled_positions(), atoms.numbers)
    return spglib.get_symmetry_dataset(cell, symprec=0.01).number


found = []
for struct_id in ids:
    stated = json.loads(fetch(f"/api/materials/{struct_id}.json"))
    cif = fetch(f"/api/materials/{struct_id}.cif")
    small = gemmi.make_small_structure_from_block(gemmi.cif.read_string(cif).sole_block())
    small.determine_and_set_spacegroup("s.h2")
    as_pymatgen = Structure.from_dict(stated)
    row = {
        "id": struct_id,
        "stated": stated["properties"]["space_group_number"],
        "sites": len(as_pymatgen),
        "gemmi_group": small.spacegroup.number,
        "gemmi_sites": len(small.get_all_unit_cell_sites()),
        "pymatgen_group": as_pymatgen.get_space_group_info(symprec=0.01)[1],
        "pymatgen_cif_sites": len(Structure.from_str(cif, fmt="cif")),
    }
    if as_pymatgen.is_ordered:
        cif_atoms = ase.io.read(io.StringIO(cif), format="cif")
        xyz_atoms = ase.io.read(io.StringIO(fetch(f"/api/materials/{struct_id}.xyz")), format="extxyz")
        poscar = Poscar.from_str(fetch(f"/api/materials/{struct_id}.poscar")).structure
        row["ase_cif_group"] = number_of(cif_atoms)
        row["ase_xyz_group"] = number_of(xyz_atoms)
        row["poscar_group"] = poscar.get_space_group_info(symprec=0.01)[1]
        row["volume_error"] = float(numpy.ptp([cif_atoms.get_volume(), xyz_atoms.get_volume(), poscar.volume]))
    found.append(row)


def titanium_oxides_at(address):
    with OptimadeRester(address) as provider:
        by_provider = provider.get_structures_with_filter('elements HAS ONLY "Ti","O" AND nelements=2')
    return [
        [identifier, structure.composition.reduced_formula, structure.get_space_group_info()[0]]
        for structures in by_provider.values()
        for identifier, structure in structures.items()
    ]


titanium_oxides = titanium_oxides_at(f"{site}/optimade")
assert titanium_oxides == titanium_oxides_at(f"{site}/optimade/"), "with and without the slash at the end"
print(json.dumps({"materials": found, "titanium_oxides": titanium_oxides}))
