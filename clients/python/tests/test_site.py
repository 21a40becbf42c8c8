"""Against a site with the seed, named by UNITCELL_URL and UNITCELL_KEY."""

import os
import tarfile
from pathlib import Path

import numpy
import pytest

import unitcell
from unitcell import Client


@pytest.fixture(scope="module")
def site():
    with Client(progress=False) as client:
        yield client


def test_all_pages_of_a_filter(site: Client) -> None:
    found = site.find("nsites >= 1")
    assert len(found) == found.total > 1000
    assert len({material.struct_id for material in found}) == found.total
    known = [m.energy_above_hull for m in found if m.energy_above_hull is not None]
    assert known == sorted(known)
    some = site.find("nsites >= 1", limit=7)
    assert len(some) == 7
    assert some[0] == some.materials[0]
    assert some[2:4] == some.materials[2:4]
    # In a notebook, what is looked at is the search and not its rows.
    assert f"total={found.total}" in repr(found)
    assert len(repr(found)) < 200
    assert site.materials.count('elements HAS "O"') == len(site.find('elements HAS "O"'))


def test_three_modes(site: Client) -> None:
    exact = site.materials.by_elements("Ti-O")
    at_least = site.materials.by_elements("Ti-O-*")
    assert exact.total > 0
    assert all(material.elements == ["O", "Ti"] for material in exact)
    assert {m.struct_id for m in exact} < {m.struct_id for m in at_least}
    raw = site.call("/api/matdata/search_by_elements/", {"include": "Ti-O-*"})
    assert {row[0] for row in raw["results"]} == {m.struct_id for m in at_least}
    formula = site.materials.by_formula("TiO2")
    assert {m.formula for m in formula} == {"TiO2"}
    one = formula.materials[0]
    assert [m.struct_id for m in site.materials.by_id(f"0{one.struct_id}")] == [one.struct_id]
    assert site.materials.by_id(1999999998).total == 0
    some = [m.struct_id for m in at_least][:5]
    assert {m.struct_id for m in site.materials.materials(some)} == set(some)


def test_detail_and_crystals(site: Client) -> None:
    rutile = next(m for m in site.materials.by_formula("TiO2") if m.space_group_number == 136)
    detail = site.material(rutile.struct_id)
    assert detail.lattice.a == pytest.approx(4.6, abs=0.15)
    assert detail.lattice.a == detail.lattice.b
    assert len(repr(detail)) < 400
    structure = detail.crystal().to_pymatgen()
    assert structure.get_space_group_info(symprec=0.01)[1] == 136
    crystal = site.files.crystal(rutile.struct_id, cell="primitive")
    atoms = crystal.to_ase()
    assert atoms.get_chemical_formula() == "O4Ti2"
    assert atoms.get_volume() == pytest.approx(crystal.to_pymatgen().volume, rel=1e-9)
    assert crystal.properties["licence"]
    assert "_symmetry_Int_Tables_number 136" in site.files.cif(rutile.struct_id)
    assert site.files.poscar(rutile.struct_id).splitlines()[5].split() == ["Ti", "O"]
    assert site.files.xyz(rutile.struct_id).startswith("6\n")


def test_frame_with_units(site: Client) -> None:
    frame = site.find('elements HAS ONLY "Ti","O"').frame()
    assert frame.attrs["units"]["band_gap"] == "eV"
    assert frame.loc[frame["band_gap"].idxmax(), "band_gap"] == frame["band_gap"].max()
    assert site.find("band_gap > 1000").frame().empty


def test_thousand_crystals_in_one_download(site: Client, tmp_path: Path) -> None:
    path = site.files.download("nsites >= 1", tmp_path / "all.cif")
    blocks = path.read_text().count("\ndata_")
    assert blocks + path.read_text().startswith("data_") == site.materials.count()
    assert [file.name for file in tmp_path.iterdir()] == ["all.cif"]
    assert len(site.files.crystals('elements HAS ONLY "Ti","O"')) == site.materials.count('elements HAS ONLY "Ti","O"')
    oxides = 'elements HAS ONLY "Ti","O"'
    with tarfile.open(site.files.download(oxides, tmp_path / "oxides.cif.tar.gz")) as archive:
        crystals = [name for name in archive.getnames() if name.endswith(".cif")]
    assert len(crystals) == site.materials.count(oxides)
    for name in ("all.docx", "cif", "all.tar.gz"):
        with pytest.raises(unitcell.Refused, match="format"):
            site.files.download("", tmp_path / name)


def test_pattern_finds_its_own_material(site: Client, tmp_path: Path) -> None:
    halite = site.materials.by_formula("NaCl").materials[0]
    pattern = site.patterns.calculated(halite.struct_id, wavelength=1.5406)
    # 200 of rock salt: 2θ = 2 asin(λ/a).
    a = site.material(halite.struct_id).lattice.a
    strongest = max(pattern.peaks, key=lambda peak: peak[1])
    assert strongest[0] == pytest.approx(2 * numpy.degrees(numpy.arcsin(1.5406 / a)), abs=0.01)
    file = tmp_path / "halite.xy"
    file.write_text("\n".join(f"{x:.4f} {y:.4f}" for x, y in zip(pattern.two_theta, pattern.intensity, strict=True)))
    told: list[tuple[str, float]] = []
    match = site.patterns.match(
        file, radiation="CuKa1", elements="only: Na Cl", on_progress=lambda *state: told.append(state)
    )
    assert match.hits[0].formula == "NaCl"
    assert all(0 <= share <= 1 for _, share in told)
    again = site.patterns.match((pattern.two_theta, pattern.intensity), radiation=1.5406, elements="only: Na Cl")
    assert again.hits[0].struct_id == match.hits[0].struct_id


def test_diagram_window_and_reaction(site: Client) -> None:
    diagram = site.phase_diagrams.of("Ti-O")
    assert diagram.components == ["Ti", "O"]
    assert {"Ti", "TiO2"} <= {phase.formula for phase in diagram.stable}
    assert all(phase.e_above_hull == 0 for phase in diagram.stable)
    assert all(phase.decomposition for phase in diagram.phases if not phase.is_stable)
    assert len(diagram.frame()) == len(diagram.phases)
    potentials = site.phase_diagrams.chemical_potentials("Ti-O", "TiO2")
    for corner in potentials.corners:
        worth = corner.potentials["Ti"] + 2 * corner.potentials["O"]
        assert worth == pytest.approx(potentials.formation_energy, abs=1e-6)
        assert corner.beside
    assert max(corner.potentials["O"] for corner in potentials.corners) == 0
    assert site.phase_diagrams.scales()
    rows = site.windows.by_elements("Li-*", reduction=(0, 1))
    assert rows
    assert all(0 <= row.reduction_onset <= 1 for row in rows)
    window = site.windows.of(rows[0].struct_id)
    assert window.reduction_onset == pytest.approx(rows[0].reduction_onset, abs=1e-3)
    assert window.equilibria[0].reaction
    reaction = site.interfaces.react("Li2O", "TiO2")
    assert reaction.most_exothermic.reaction_energy == min(m.reaction_energy for m in reaction.mixtures)
    assert [reactant["formula"] for reactant in reaction.reactants] == ["Li2O", "TiO2"]


def test_bands_of_graphene(site: Client) -> None:
    net = site.tight_binding.net("hcb")
    bands = site.tight_binding.bands("hcb", t1=-1, t2=0, points=90)
    assert len(bands.energies) == 2 * len(net.sites)
    # Nearest neighbours only: E = ±|t1|·3 at Γ, 0 at K.
    assert max(map(max, bands.energies)) == pytest.approx(3, abs=1e-9)
    assert bands.corners[0][0] in ("Γ", "G")


def test_submission(site: Client, tmp_path: Path) -> None:
    quota = site.run4u.quota_left()
    file = tmp_path / "halite.cif"
    file.write_text(site.files.cif(site.materials.by_formula("NaCl").materials[0].struct_id))
    submission = site.run4u.submit(file)
    over = site.run4u.wait(submission.id, every=0.5, timeout=120)
    assert over.status == "existed"
    assert over.struct_id is not None
    assert site.run4u.submissions()[0].id == submission.id
    # What the catalogue has already costs nothing of the day's.
    assert site.run4u.quota_left() == quota


@pytest.mark.parametrize(
    ("call", "kind", "code"),
    [
        (lambda c: c.materials.by_elements("Xx"), unitcell.Refused, "search.unknown-elements"),
        (lambda c: c.find("band_gab > 1"), unitcell.Refused, "filter.unknown-property"),
        (lambda c: c.material(1999999998), unitcell.NotFound, "material.not-found"),
        (lambda c: c.files.cif(1999999998), unitcell.NotFound, "material.not-found"),
        (lambda c: c.files.crystals("band_gab > 1"), unitcell.Refused, "filter.unknown-property"),
        (lambda c: c.phase_diagrams.of("Ti"), unitcell.Refused, "phase.component-number"),
    ],
)
def test_refusals_say_why(site: Client, call, kind, code: str) -> None:
    with pytest.raises(kind) as caught:
        call(site)
    assert caught.value.code == code
    assert " " in str(caught.value)


def test_bad_key_and_no_site() -> None:
    with Client(key="uck_wrong") as stranger, pytest.raises(unitcell.NotSignedIn) as caught:
        stranger.find("")
    assert caught.value.status == 401
    with Client("http://127.0.0.1:9", max_wait=0) as nobody, pytest.raises(unitcell.UnitcellError):
        nobody.find("")


def test_sentences_in_chinese() -> None:
    with Client(os.environ["UNITCELL_URL"], language="zh") as client, pytest.raises(unitcell.Refused, match="元素"):
        client.materials.by_elements("Xx")
