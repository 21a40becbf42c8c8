"""Downloads the dumps of a site with its client, compares them with each other and with answers of the site, and prints JSON."""
import gzip
import json
import math
import pathlib
import tempfile

import pyarrow.parquet
from optimade.models import StructureResource
from unitcell import Client
from unitcell.material import FIELDS

folder = pathlib.Path(tempfile.mkdtemp())
site = Client(progress=False)
dump = site.dumps.latest()
for file in dump.files:
    site.dumps.download(file, folder)


def lines(name):
    with gzip.open(folder / name, "rt") as file:
        return [json.loads(line) for line in file]


table = pyarrow.parquet.read_table(folder / "materials.parquet")
rows = {row["struct_id"]: row for row in table.to_pylist()}
json_rows = {row["struct_id"]: row for row in lines("materials.jsonl.gz")}


def same(a, b):
    return a == b or (isinstance(a, float) and isinstance(b, (int, float)) and math.isclose(a, b, rel_tol=1e-12))


# In a dump, these fields are on the scale on which the site shows the material; in an answer all rows are on one scale.
PER_SCALE = {
    "energy_per_atom",
    "formation_energy_per_atom",
    "energy_above_hull",
    "oxygen_potential_min",
    "oxygen_potential_max",
    "decomposition_energy_in_water",
    "functional",
    "has_dos",
}
# Fields that are predicted, or derived from tables that dumps do not contain.
NOT_IN_DUMPS = {"topology_class", "prototype", "has_predicted", "added"} | {
    name for name in FIELDS if name.startswith("predicted_")
}
different = []
for material in site.find(""):
    row = rows[material.struct_id]
    for name in FIELDS:
        if name not in PER_SCALE | NOT_IN_DUMPS and not same(getattr(material, name), row[name]):
            different.append([material.struct_id, name])
    structure = json.loads(row["structure"])
    if structure != json_rows[material.struct_id]["structure"]:
        different.append([material.struct_id, "structure"])

hulls = pyarrow.parquet.read_table(folder / "hulls.parquet").to_pylist()
for row in hulls:
    row["decomposition"] = json.loads(row["decomposition"]) if row["decomposition"] else row["decomposition"]
    row["energy_source"] = json.loads(row["energy_source"])
windows = pyarrow.parquet.read_table(folder / "windows.parquet").to_pylist()

header, info, *entries = lines("optimade.jsonl.gz")
assert header["x-optimade"]["meta"]["api_version"] and info["type"] == "info"
for entry in entries[::7]:
    StructureResource(**entry)

columns = json.loads(table.schema.metadata[b"columns"])
print(
    json.dumps(
        {
            "materials": dump.materials,
            "parquet_rows": table.num_rows,
            "json_rows": len(json_rows),
            "optimade_entries": len(entries),
            "different": different[:10],
            "hulls_differ": sum(a != b for a, b in zip(hulls, lines("hulls.jsonl.gz"), strict=True)),
            "windows_differ": sum(a != b for a, b in zip(windows, lines("windows.jsonl.gz"), strict=True)),
            "without_licence": sum(not row["source_licence"] for row in [*rows.values(), *hulls, *windows]),
            "band_gap_unit": columns["band_gap"]["unit"],
        }
    )
)
