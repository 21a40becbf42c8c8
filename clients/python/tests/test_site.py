"""Tests against a site with the seed data; UNITCELL_URL and UNITCELL_KEY contain its address and key."""

import csv
import os
import tarfile
from pathlib import Path

import numpy
import pytest
import tomllib

import unitcell
from unitcell import Client
from unitcell.materials import filter_of


@pytest.fixture(scope="module")
def site():
    with Client(progress=False) as client:
        yield client


def test_find_reads_all_pages_of_a_filter(site: Client) -> None:
    found = site.find("nsites >= 1")
    assert len(found) == found.total > 1000
    assert len({material.struct_id for material in found}) == found.total
    known = [m.energy_above_hull for m in found if m.energy_above_hull is not None]
    assert known == sorted(known)
    some = site.find("nsites >= 1", limit=7)
    assert len(some) == 7
    assert some[0] == some.materials[0]
    assert some[2:4] == some.materials[2:4]
    # The representation in a notebook shows the search, not all rows.
    assert f"total={found.total}" in repr(found)
    assert len(repr(found)) < 200
    assert site.materials.count('elements HAS "O"') == len(site.find('elements HAS "O"'))


def test_a_material_without_phonons_has_an_empty_list_and_no_modes(site: Client) -> None:
    struct_id = site.find("has_phonons = FALSE", limit=1)[0].struct_id
    assert site.materials.phonons(struct_id) == []
    with pytest.raises(unitcell.NotFound, match="PBE"):
        site.materials.phonon_modes(struct_id, "PBE")


def test_a_merged_material_is_found_under_the_id_it_has_now() -> None:
    assert filter_of("struct_id", 12, {"results": [[7, "TiO2"]]}) == "struct_id = 7"


@pytest.mark.parametrize("text", ["Ti-O", "Ti, O", "Ti;O", "O–Ti", "Ti、O", "Ti-O-"])
def test_elements_may_be_separated_as_on_the_search_page(text: str) -> None:
    assert filter_of("elements", text, {}) == 'elements HAS ALL "O", "Ti" AND elements LENGTH 2'
    assert filter_of("elements", f"{text}-*", {}) == 'elements HAS ALL "O", "Ti"'


def test_materials_are_found_by_elements_formula_and_id(site: Client) -> None:
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


def test_every_field_of_the_filter_language_can_be_fetched(site: Client, tmp_path: Path) -> None:
    # A download has every column, followed by scale, release and missing compounds.
    with site.files.download('formula_reduced = "TiO2"', tmp_path / "tio2.csv").open(encoding="utf-8-sig") as file:
        header, line, *_ = csv.reader(file)
    assert header[:-3] == [*unitcell.FIELDS, *unitcell.WINDOW_FIELDS, *unitcell.ELECTRODE_FIELDS]
    found = site.find('formula_reduced = "TiO2"', fields=header[:-3])
    as_written = dict(zip(header, line, strict=True))
    for name in ("reduction_onset_li", "window_width_mg", "density"):
        assert found[0][name] == (float(as_written[name]) if as_written[name] else None)
    for name in ("prototype", "topology_class", "added", "formula"):
        assert (found[0][name] or "") == as_written[name]
    frame = found.frame()
    assert frame.attrs["units"]["reduction_onset_li"] == "V"
    assert frame.loc[found[0]["struct_id"], "reduction_onset_li"] == found[0]["reduction_onset_li"]
    # `Material` objects have no window and electrode columns. Predictions may be missing, as a worker makes them later.
    material = site.find('formula_reduced = "TiO2"')[0]
    assert all(m.predicted_band_gap > 3 for m in site.find("predicted_band_gap > 3"))
    assert material.prototype == found[0]["prototype"]
    assert len(site.find("nsites >= 1", fields=["struct_id"])) == site.materials.count()


def test_calculated_columns(site: Client) -> None:
    stiffness = "[bulk_modulus / density]"
    found = site.find(f"{stiffness} > 40", fields=["formula", "bulk_modulus", "density", stiffness])
    for row in found:
        assert row[stiffness] == pytest.approx(row["bulk_modulus"] / row["density"])
    frame = found.frame()
    assert list(frame.columns) == ["formula", "bulk_modulus", "density", stiffness]
    assert frame.attrs["units"] == {"bulk_modulus": "GPa", "density": "g/cm³", stiffness: "GPa·cm³/g"}


def test_each_quantity_has_the_same_name_in_all_answers(site: Client) -> None:
    import pandas

    windows = pandas.DataFrame(site.windows.by_elements("Li-O-*")).set_index("struct_id")
    materials = site.find('elements HAS ALL "Li", "O"').frame()
    shared = ["formula", "nsites", "space_group", "point_group", "crystal_system", "hall", "band_gap"]
    assert set(windows.columns) - set(materials.columns) == {"reduction_onset", "oxidation_onset", "work_ion"}
    both = windows[shared].compare(materials.loc[windows.index, shared])
    assert both.empty
    struct_id = int(windows.index[0])
    known = materials.loc[struct_id, "energy_above_hull"]
    scale = site.material(struct_id).energy_scales[0]
    assert (scale.energy_above_hull, scale.scale) == (known, materials.attrs["scale"])
    assert site.windows.of(struct_id).energy_above_hull == known
    assert site.windows.of(struct_id).scale == materials.attrs["scale"]
    near = site.windows.by_elements("Li-O-*", energy_above_hull=(0.001, 0.05))
    assert near
    assert all(0.001 <= row.energy_above_hull <= 0.05 for row in near if row.energy_above_hull is not None)


def test_thousand_crystals_in_one_download(site: Client, tmp_path: Path) -> None:
    path = site.files.download("nsites >= 1", tmp_path / "all.cif")
    blocks = path.read_text().count("\ndata_")
    assert blocks + path.read_text().startswith("data_") == site.materials.count()
    assert [file.name for file in tmp_path.iterdir()] == ["all.cif"]
    assert len(site.files.cifs('elements HAS ONLY "Ti","O"')) == site.materials.count('elements HAS ONLY "Ti","O"')
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
    # Reflection 200 of rock salt: 2θ = 2 asin(λ/a).
    a = site.material(halite.struct_id).lattice.a
    strongest = max(pattern.peaks, key=lambda peak: peak[1])
    assert strongest[0] == pytest.approx(2 * numpy.degrees(numpy.arcsin(1.5406 / a)), abs=0.01)
    # The size of the crystallites changes the widths, not the wavelength.
    small, default = (site.patterns.calculated(halite.struct_id, crystal_size=size) for size in (50, 200))
    assert small.wavelength == default.wavelength
    with pytest.raises(unitcell.UnitcellError, match="wavelength"):
        site.patterns.calculated(halite.struct_id, wavelength=0)
    file = tmp_path / "halite.xy"
    file.write_text("\n".join(f"{x:.4f} {y:.4f}" for x, y in zip(pattern.two_theta, pattern.intensity, strict=True)))
    states: list[tuple[str, float]] = []
    match = site.patterns.match(
        file, radiation="CuKa1", elements="only: Na Cl", on_progress=lambda *state: states.append(state)
    )
    assert match.hits[0].formula == "NaCl"
    assert all(0 <= share <= 1 for _, share in states)
    again = site.patterns.match((pattern.two_theta, pattern.intensity), radiation=1.5406, elements="only: Na Cl")
    assert again.hits[0].struct_id == match.hits[0].struct_id
    # Reference cards list spacings, which for rock salt are a/√(h² + k² + l²).
    lines = [(a / m**0.5, strength) for m, strength in ((4, 100), (8, 55), (12, 15), (3, 13), (24, 11), (20, 15))]
    listed = site.patterns.match(lines=lines, elements="only: Na Cl")
    assert listed.hits[0].struct_id == match.hits[0].struct_id
    with pytest.raises(TypeError, match="either"):
        site.patterns.match()


def test_diagram_window_and_reaction(site: Client) -> None:
    diagram = site.phase_diagrams.of("Ti-O")
    assert diagram.components == ["Ti", "O"]
    assert {"Ti", "TiO2"} <= {phase.formula for phase in diagram.stable}
    assert all(phase.energy_above_hull == 0 for phase in diagram.stable)
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
    lime = site.interfaces.react("CaO", "CO2", temperature=1000)
    assert lime.gibbs is not None
    assert lime.gibbs["temperature"] == 1000
    assert [reactant["gibbs_source"] for reactant in lime.reactants] == ["measured", "gas"]
    hot = site.windows.of(site.materials.by_formula("Li2O").materials[0].struct_id, temperature=1000)
    assert hot.gibbs is not None
    assert hot.equilibria[-1].expected_error is not None
    scales = {scale["functional"]: scale["counted_from"] for scale in site.phase_diagrams.scales()}
    assert scales["experiment-298K"] == 298.15
    oxides = site.materials.find('elements HAS ONLY "Mn", "O"', stable_in_oxygen=(1073.15, 0.21))
    assert 0 < len(oxides) < site.materials.count('elements HAS ONLY "Mn", "O"')
    found = site.coatings.find("LiCoO2", "Li3PS4", include_elements="Li-O", max_energy_above_hull=0, limit=5)
    assert found.coatings[0].worst == max(row.worst for row in found.coatings)
    assert found.direct["energy"] < found.coatings[0].worst
    matrix = site.coatings.matrix(["Li2O", "TiO2", "LiCoO2"])
    assert [(cell["row"], cell["column"]) for cell in matrix.cells] == [(0, 1), (0, 2), (1, 2)]


def test_a_download_has_the_materials_that_are_stable_in_oxygen(site: Client, tmp_path: Path) -> None:
    manganese, air = 'elements HAS ONLY "Mn", "O"', (1073.15, 0.21)
    file = site.files.download(manganese, tmp_path / "mn.jsonl", stable_in_oxygen=air)
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(
        site.materials.find(manganese, stable_in_oxygen=air)
    )


def test_reactions_at_temperature_and_ellingham_lines(site: Client) -> None:
    lime = site.stability.reaction("CaCO3", "CaO + CO2", temperature=1100, pressures={"CO2": 1})
    [balance] = lime.balances
    assert balance.equation == "CaCO3 → CaO + CO2"
    assert balance.measured is not None
    assert balance.measured.turning == [pytest.approx(1164, abs=3)]
    assert balance.measured.at is not None
    diagram = site.stability.ellingham("Fe Ti Al C", temperatures=(300, 2000))
    assert diagram.gas == "O2"
    assert {line.element for line in diagram.lines} == {"Fe", "Ti", "Al", "C"}
    assert all(line.temperatures[0] >= 300 for line in diagram.lines)


def test_pourbaix_diagram_names_the_stable_species_at_a_point(site: Client) -> None:
    iron = site.stability.pourbaix("Fe", energies="measured", ions={"Fe(OH)4[-]": -842})
    assert iron.stable(7, -1) == ["Fe"]
    assert iron.stable(4, -0.3) == ["Fe[2+]"]
    assert iron.stable(9, 0.2) == ["Fe2O3"]
    assert any(species["kind"] == "own" for species in iron.species)
    placed = site.stability.pourbaix("Ti", compound=("TiO3", -2.0))
    assert placed.decomposition_energy(7, 0) > 0


def test_a_diagram_open_to_a_gas_has_no_entries_for_pymatgen(site: Client) -> None:
    diagram = site.phase_diagrams.of("Li-Fe-O", open_to=("O2", 1073, 0.21))
    with pytest.raises(ValueError, match="open_to"):
        diagram.entries()


@pytest.mark.parametrize("components", ["Ti-O", "Li-Fe-O", "Li2O TiO2"])
def test_pymatgen_draws_the_same_diagram(site: Client, components: str) -> None:
    diagram = site.phase_diagrams.of(components)
    entries = diagram.entries()
    theirs = diagram.to_pymatgen()
    stable = {entry.name for entry in theirs.stable_entries}
    if "-" in components:
        assert {phase.formula for phase in diagram.stable} <= stable
        for phase, entry in zip(diagram.phases, entries, strict=True):
            assert theirs.get_e_above_hull(entry) == pytest.approx(phase.energy_above_hull, abs=1e-6)
    assert len(theirs.stable_entries) == len(diagram.stable)


def test_predictions(site: Client, tmp_path: Path) -> None:
    rutile = next(m for m in site.materials.by_formula("TiO2") if m.space_group_number == 136)
    file = tmp_path / "own.cif"
    file.write_text(site.files.cif(rutile.struct_id))
    prediction = site.predictions.of(file)
    gap = prediction.band_gap
    assert gap.low < gap.value < gap.high
    assert (prediction.formula, prediction.nsites, prediction.familiarity) == ("TiO2", 6, "near")
    assert prediction.hull is not None
    assert prediction.hull.scale
    assert prediction.measured_band_gap is None
    same = [file.read_text(), str(file), site.files.crystal(rutile.struct_id).to_pymatgen()]
    assert [site.predictions.of(one).band_gap.value for one in same] == pytest.approx([gap.value] * 3, abs=0.02)
    assert site.predictions.of(site.files.poscar(rutile.struct_id)).formula == "TiO2"
    assert site.predictions.of_material(rutile.struct_id).model == prediction.model
    assert prediction.relaxed is None
    relaxed = site.predictions.of(file, relax=True).relaxed
    assert relaxed is not None
    assert relaxed.energy_after <= relaxed.energy_before
    assert relaxed.hull is not None
    formula = site.predictions.of_formula("LiFePO4")
    assert formula.nsites is None
    # The interval of a measured gap is not valid for wide gaps, so it is left out there.
    assert formula.measured_band_gap is None
    assert site.predictions.of_formula("GaAs").measured_band_gap is not None
    assert site.predictions.model()["model"] == prediction.model
    assert "rows" in site.predictions.score()


def test_design(site: Client) -> None:
    run = site.design.start(["Na", "K", "Cl", "Br"], 2, candidates=20, include_known=True)
    over = site.design.wait(run.id, every=0.5, timeout=300)
    assert (over.status, over.is_over) == ("finished", True)
    assert site.design.runs()[0].id == run.id
    best = site.design.candidates(run.id)[0]
    assert best.rank == 1
    assert best.predicted.band_gap.low <= best.predicted.band_gap.value
    assert best.relaxation is not None
    assert best.relaxation["energy_after"] <= best.relaxation["energy_before"]
    structure = site.design.crystal(run.id, best.rank).to_pymatgen()
    assert len(structure) == best.nsites
    with pytest.raises(unitcell.Refused) as caught:
        site.design.cancel(run.id)
    assert caught.value.code == "design.over"


def test_collections(site: Client) -> None:
    ids = [m.struct_id for m in site.materials.by_formula("TiO2")]
    kept = site.collections.create("oxides", ids[:2], note="for the paper")
    assert (kept.struct_ids, kept.note, kept.count) == (sorted(ids[:2]), "for the paper", 2)
    assert site.collections.remove(kept.id, ids[:1]).struct_ids == ids[1:2]
    assert site.collections.add(kept.id, ids[:1]).count == 2
    key = site.collections.share(kept.id)
    assert key is not None
    assert site.collections.shared(key).id == kept.id
    assert site.collections.get(kept.id).share_key == key
    assert site.collections.share(kept.id, is_shared=False) is None
    assert kept.id in {one.id for one in site.collections.all()}
    site.collections.delete(kept.id)
    search = site.collections.save_search("new oxides", 'elements HAS "O"')
    assert search in site.collections.searches()
    site.collections.delete_search(search.id)


def test_bands_of_graphene(site: Client) -> None:
    net = site.tight_binding.net("hcb")
    bands = site.tight_binding.bands("hcb", t1=-1, t2=0, points=90)
    assert len(bands.energies) == 2 * len(net.sites)
    # With nearest neighbours only: E = ±3|t1| at Γ, and 0 at K.
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
    # A structure that is in the catalogue does not count towards the daily limit.
    assert site.run4u.quota_left() == quota


@pytest.mark.parametrize(
    ("call", "kind", "code"),
    [
        (lambda c: c.materials.by_elements("Xx"), unitcell.Refused, "search.unknown-elements"),
        (lambda c: c.find("band_gab > 1"), unitcell.Refused, "filter.unknown-property"),
        (lambda c: c.material(1999999998), unitcell.NotFound, "material.not-found"),
        (lambda c: c.files.cif(1999999998), unitcell.NotFound, "material.not-found"),
        (lambda c: c.files.cifs("band_gab > 1"), unitcell.Refused, "filter.unknown-property"),
        (lambda c: c.phase_diagrams.of("Ti"), unitcell.Refused, "phase.component-number"),
    ],
)
def test_refusals_state_the_reason(site: Client, call, kind, code: str) -> None:
    with pytest.raises(kind) as caught:
        call(site)
    assert caught.value.code == code
    assert " " in str(caught.value)


def test_a_wrong_key_and_an_unreachable_site_raise_errors(monkeypatch: pytest.MonkeyPatch) -> None:
    with Client(key="uck_wrong") as stranger, pytest.raises(unitcell.NotSignedIn, match="API key is unknown") as caught:
        stranger.find("")
    assert caught.value.status == 401
    monkeypatch.delenv("UNITCELL_KEY")
    with Client() as nobody, pytest.raises(unitcell.NotSignedIn, match="no API key"):
        nobody.find("")
    with Client("http://127.0.0.1:9", max_wait=0) as nobody, pytest.raises(unitcell.UnitcellError):
        nobody.find("")


def test_error_messages_are_in_chinese_on_request() -> None:
    with Client(os.environ["UNITCELL_URL"], language="zh") as client, pytest.raises(unitcell.Refused, match="元素"):
        client.materials.by_elements("Xx")


def test_the_extra_all_includes_the_packages_that_read_dumps() -> None:
    project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    [names] = extras["all"]
    brought = [requirement for name in names[len("unitcell[") : -1].split(",") for requirement in extras[name]]
    for package in ("pandas", "pyarrow", "pymatgen", "ase", "tqdm"):
        assert any(requirement.startswith(package) for requirement in brought)
