"""The fields of a material that filters can use; written by workshop/generators/material-fields.ts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Material:
    """One material; None where a value is not known. Energies are those of ``energy_scale``.

    Attributes:
        struct_id: Number of the material in this database.
        formula: Chemical formula in the order chemists write it.
        formula_reduced: Formula with the smallest whole numbers, elements by electronegativity.
        formula_anonymous: Reduced formula with letters for the elements, smallest amount first: ABC3.
        chemical_system: Symbols of the elements in alphabetical order, joined by hyphens.
        elements: Symbols of the elements in alphabetical order.
        nelements: How many elements the material is made of.
        nsites: Sites of the primitive cell.
        space_group_number: Number of the space group in the International Tables, 1 to 230.
        space_group: Short Hermann–Mauguin symbol of the space group.
        hall: Hall symbol: space group with its setting and origin.
        point_group: Hermann–Mauguin symbol of the crystal class.
        crystal_system: One of the seven crystal systems.
        lattice_type: Lattice system: as the crystal system, but trigonal crystals are hexagonal or rhombohedral.
        volume: [Å³] Volume of the primitive cell.
        density: [g/cm³] Mass of the cell over its volume, with standard atomic weights.
        functional: Energy scale of the energies shown; energies of different scales cannot be compared.
        energy_per_atom: [eV/atom] Total energy per atom.
        formation_energy_per_atom: [eV/atom] Energy per atom released or taken up when the material forms from its elements.
        energy_above_hull: [eV/atom] Energy per atom above the stable phases of the same composition; 0 is stable.
        energy_vdw: [eV] Total energy of the primitive cell (of the cell given, in a line) with van der Waals interactions.
        band_gap: [eV] Energy between the highest occupied and the lowest empty state; 0 for a metal.
        band_gap_type: Whether the two states of the gap lie at the same k-point.
        fermi_energy: [eV] Fermi energy on the scale of the calculation, whose zero differs between programs.
        total_magnetization: [μB] Magnetic moment of the primitive cell (of the cell given, in a line of import or export).
        is_hubbard: A Hubbard U was used for some element.
        has_band: A band structure is known.
        has_hse: A band structure of a hybrid functional is known.
        has_epsilon: A dielectric tensor is known.
        has_piezo: A piezoelectric tensor is known.
        has_elastic: An elastic tensor is known.
        has_phonons: A calculated phonon spectrum is known.
        has_topology: A table of topological data is known.
        bulk_modulus: [GPa] Hill's mean of the bounds of Voigt and Reuss, from the elastic tensor; empty where the source of the tensor was not looked up.
        shear_modulus: [GPa] Hill's mean of the bounds of Voigt and Reuss, from the elastic tensor; empty where the source of the tensor was not looked up.
        dielectric_total: Mean of the diagonal of the static dielectric tensor, electrons and ions; empty where the part of the ions is not known.
        dielectric_electronic: Mean of the diagonal of the dielectric tensor with clamped ions; its root is the refractive index.
        name_en: Name people use, in English.
        name_zh: Name people use, in Chinese.
        source_name: Collection the material was taken from.
        source_id: Its identifier in that collection.
        source_licence: Licence its data are under.
        source_url: Address of its page in that collection.
        observed: Whether the compound has been made (`provenance.observed.status` of its line); empty where that is not established.
        has_dos: A density of states is known.
        topology_class: Class in the first row of its table of topological data.
        prototype: Space group and occupied Wyckoff positions, whatever the elements: 225:a4 b4.
        has_predicted: The network of the site predicts values for it.
        added: When it was added to the catalogue, ISO 8601 in UTC.
        predicted_formation_energy: [eV/atom] Formation energy predicted by the network of the site, in the scheme of the Materials Project of 2018 (PBE, PBE+U).
        predicted_band_gap: [eV] Band gap of PBE predicted by the network of the site; smaller than a measured gap.
        predicted_bulk_modulus: [GPa] Bulk modulus (Voigt-Reuss-Hill) predicted by the network of the site.
        predicted_shear_modulus: [GPa] Shear modulus (Voigt-Reuss-Hill) predicted by the network of the site.
        predicted_volume_change: [%] Volume of the relaxed cell relative to the stored one, predicted by SevenNet-0.
        predicted_max_force: [eV/Å] Largest force on an atom of the structure as given, predicted by SevenNet-0; large where the potential disagrees with the structure.
        predicted_bulk_modulus_sevennet: [GPa] Bulk modulus (Voigt-Reuss-Hill) of the elastic tensor predicted by SevenNet-0.
        predicted_shear_modulus_sevennet: [GPa] Shear modulus (Voigt-Reuss-Hill) of the elastic tensor predicted by SevenNet-0; typically a quarter too low for compounds, unreliable for metals.
        predicted_debye_temperature: [K] Debye temperature from the speeds of sound of the elastic tensor predicted by SevenNet-0.
        predicted_lowest_frequency: [THz] Lowest phonon frequency predicted by SevenNet-0 at the wave vectors that fit the supercell, without the sound waves at Γ; negative: imaginary.
        predicted_heat_capacity: [J/(mol·K)] Heat capacity for each mole of atoms at 300 K and constant volume from phonons predicted by SevenNet-0; at most 24.94.
        oxygen_potential_min: [eV] Chemical potential of O, against half an O2 of the scale, below which the material gives off oxygen; empty when it contains none.
        oxygen_potential_max: [eV] Chemical potential of O, against half an O2 of the scale, above which the material takes up oxygen; at most 0. Empty when the database has no oxide of one of its elements.
        decomposition_energy_in_water: [eV/atom] Energy above the stable solids and ions in water at pH 7 and 0 V against SHE (25 °C, 1e-6 mol/l); 0 is stable.
        energy_scale: Scale of the energies; those of different scales cannot be compared.
    """

    struct_id: int
    formula: str
    formula_reduced: str
    formula_anonymous: str
    chemical_system: str
    elements: list[str]
    nelements: int
    nsites: int
    space_group_number: int
    space_group: str
    hall: str
    point_group: str
    crystal_system: str
    lattice_type: str
    volume: float
    density: float
    functional: str | None
    energy_per_atom: float | None
    formation_energy_per_atom: float | None
    energy_above_hull: float | None
    energy_vdw: float | None
    band_gap: float | None
    band_gap_type: str | None
    fermi_energy: float | None
    total_magnetization: float | None
    is_hubbard: bool
    has_band: bool
    has_hse: bool
    has_epsilon: bool
    has_piezo: bool
    has_elastic: bool
    has_phonons: bool
    has_topology: bool
    bulk_modulus: float | None
    shear_modulus: float | None
    dielectric_total: float | None
    dielectric_electronic: float | None
    name_en: str | None
    name_zh: str | None
    source_name: str
    source_id: str
    source_licence: str
    source_url: str | None
    observed: str | None
    has_dos: bool
    topology_class: str | None
    prototype: str | None
    has_predicted: bool
    added: str
    predicted_formation_energy: float | None
    predicted_band_gap: float | None
    predicted_bulk_modulus: float | None
    predicted_shear_modulus: float | None
    predicted_volume_change: float | None
    predicted_max_force: float | None
    predicted_bulk_modulus_sevennet: float | None
    predicted_shear_modulus_sevennet: float | None
    predicted_debye_temperature: float | None
    predicted_lowest_frequency: float | None
    predicted_heat_capacity: float | None
    oxygen_potential_min: float | None
    oxygen_potential_max: float | None
    decomposition_energy_in_water: float | None
    energy_scale: str


UNITS: dict[str, str] = {
    "volume": "Å³",
    "density": "g/cm³",
    "energy_per_atom": "eV/atom",
    "formation_energy_per_atom": "eV/atom",
    "energy_above_hull": "eV/atom",
    "energy_vdw": "eV",
    "band_gap": "eV",
    "fermi_energy": "eV",
    "total_magnetization": "μB",
    "bulk_modulus": "GPa",
    "shear_modulus": "GPa",
    "dielectric_total": "",
    "dielectric_electronic": "",
    "predicted_formation_energy": "eV/atom",
    "predicted_band_gap": "eV",
    "predicted_bulk_modulus": "GPa",
    "predicted_shear_modulus": "GPa",
    "predicted_volume_change": "%",
    "predicted_max_force": "eV/Å",
    "predicted_bulk_modulus_sevennet": "GPa",
    "predicted_shear_modulus_sevennet": "GPa",
    "predicted_debye_temperature": "K",
    "predicted_lowest_frequency": "THz",
    "predicted_heat_capacity": "J/(mol·K)",
    "oxygen_potential_min": "eV",
    "oxygen_potential_max": "eV",
    "decomposition_energy_in_water": "eV/atom",
    "reduction_onset_li": "V",
    "oxidation_onset_li": "V",
    "window_width_li": "V",
    "reduction_onset_na": "V",
    "oxidation_onset_na": "V",
    "window_width_na": "V",
    "reduction_onset_k": "V",
    "oxidation_onset_k": "V",
    "window_width_k": "V",
    "reduction_onset_mg": "V",
    "oxidation_onset_mg": "V",
    "window_width_mg": "V",
    "reduction_onset_ca": "V",
    "oxidation_onset_ca": "V",
    "window_width_ca": "V",
    "reduction_onset_zn": "V",
    "oxidation_onset_zn": "V",
    "window_width_zn": "V",
    "reduction_onset_al": "V",
    "oxidation_onset_al": "V",
    "window_width_al": "V",
    "electrode_voltage_li": "V",
    "electrode_capacity_li": "mAh/g",
    "electrode_volume_capacity_li": "mAh/cm³",
    "electrode_specific_energy_li": "Wh/kg",
    "electrode_volume_change_li": "%",
    "electrode_above_hull_li": "eV/atom",
    "electrode_voltage_na": "V",
    "electrode_capacity_na": "mAh/g",
    "electrode_volume_capacity_na": "mAh/cm³",
    "electrode_specific_energy_na": "Wh/kg",
    "electrode_volume_change_na": "%",
    "electrode_above_hull_na": "eV/atom",
    "electrode_voltage_k": "V",
    "electrode_capacity_k": "mAh/g",
    "electrode_volume_capacity_k": "mAh/cm³",
    "electrode_specific_energy_k": "Wh/kg",
    "electrode_volume_change_k": "%",
    "electrode_above_hull_k": "eV/atom",
    "electrode_voltage_mg": "V",
    "electrode_capacity_mg": "mAh/g",
    "electrode_volume_capacity_mg": "mAh/cm³",
    "electrode_specific_energy_mg": "Wh/kg",
    "electrode_volume_change_mg": "%",
    "electrode_above_hull_mg": "eV/atom",
    "electrode_voltage_ca": "V",
    "electrode_capacity_ca": "mAh/g",
    "electrode_volume_capacity_ca": "mAh/cm³",
    "electrode_specific_energy_ca": "Wh/kg",
    "electrode_volume_change_ca": "%",
    "electrode_above_hull_ca": "eV/atom",
    "electrode_voltage_zn": "V",
    "electrode_capacity_zn": "mAh/g",
    "electrode_volume_capacity_zn": "mAh/cm³",
    "electrode_specific_energy_zn": "Wh/kg",
    "electrode_volume_change_zn": "%",
    "electrode_above_hull_zn": "eV/atom",
    "electrode_voltage_al": "V",
    "electrode_capacity_al": "mAh/g",
    "electrode_volume_capacity_al": "mAh/cm³",
    "electrode_specific_energy_al": "Wh/kg",
    "electrode_volume_change_al": "%",
    "electrode_above_hull_al": "eV/atom",
}
"""Unit of each number; empty for a ratio."""

FIELDS: tuple[str, ...] = (
    "struct_id",
    "formula",
    "formula_reduced",
    "formula_anonymous",
    "chemical_system",
    "elements",
    "nelements",
    "nsites",
    "space_group_number",
    "space_group",
    "hall",
    "point_group",
    "crystal_system",
    "lattice_type",
    "volume",
    "density",
    "functional",
    "energy_per_atom",
    "formation_energy_per_atom",
    "energy_above_hull",
    "energy_vdw",
    "band_gap",
    "band_gap_type",
    "fermi_energy",
    "total_magnetization",
    "is_hubbard",
    "has_band",
    "has_hse",
    "has_epsilon",
    "has_piezo",
    "has_elastic",
    "has_phonons",
    "has_topology",
    "bulk_modulus",
    "shear_modulus",
    "dielectric_total",
    "dielectric_electronic",
    "name_en",
    "name_zh",
    "source_name",
    "source_id",
    "source_licence",
    "source_url",
    "observed",
    "has_dos",
    "topology_class",
    "prototype",
    "has_predicted",
    "added",
    "predicted_formation_energy",
    "predicted_band_gap",
    "predicted_bulk_modulus",
    "predicted_shear_modulus",
    "predicted_volume_change",
    "predicted_max_force",
    "predicted_bulk_modulus_sevennet",
    "predicted_shear_modulus_sevennet",
    "predicted_debye_temperature",
    "predicted_lowest_frequency",
    "predicted_heat_capacity",
    "oxygen_potential_min",
    "oxygen_potential_max",
    "decomposition_energy_in_water",
)
"""The columns of a `Material`."""

WINDOW_FIELDS: tuple[str, ...] = (
    "reduction_onset_li",
    "oxidation_onset_li",
    "window_width_li",
    "reduction_onset_na",
    "oxidation_onset_na",
    "window_width_na",
    "reduction_onset_k",
    "oxidation_onset_k",
    "window_width_k",
    "reduction_onset_mg",
    "oxidation_onset_mg",
    "window_width_mg",
    "reduction_onset_ca",
    "oxidation_onset_ca",
    "window_width_ca",
    "reduction_onset_zn",
    "oxidation_onset_zn",
    "window_width_zn",
    "reduction_onset_al",
    "oxidation_onset_al",
    "window_width_al",
)
"""Further columns, to be named in ``fields=``: electrochemical windows in V against the metal of the ion."""

ELECTRODE_FIELDS: tuple[str, ...] = (
    "electrode_voltage_li",
    "electrode_capacity_li",
    "electrode_volume_capacity_li",
    "electrode_specific_energy_li",
    "electrode_volume_change_li",
    "electrode_above_hull_li",
    "electrode_framework_li",
    "electrode_voltage_na",
    "electrode_capacity_na",
    "electrode_volume_capacity_na",
    "electrode_specific_energy_na",
    "electrode_volume_change_na",
    "electrode_above_hull_na",
    "electrode_framework_na",
    "electrode_voltage_k",
    "electrode_capacity_k",
    "electrode_volume_capacity_k",
    "electrode_specific_energy_k",
    "electrode_volume_change_k",
    "electrode_above_hull_k",
    "electrode_framework_k",
    "electrode_voltage_mg",
    "electrode_capacity_mg",
    "electrode_volume_capacity_mg",
    "electrode_specific_energy_mg",
    "electrode_volume_change_mg",
    "electrode_above_hull_mg",
    "electrode_framework_mg",
    "electrode_voltage_ca",
    "electrode_capacity_ca",
    "electrode_volume_capacity_ca",
    "electrode_specific_energy_ca",
    "electrode_volume_change_ca",
    "electrode_above_hull_ca",
    "electrode_framework_ca",
    "electrode_voltage_zn",
    "electrode_capacity_zn",
    "electrode_volume_capacity_zn",
    "electrode_specific_energy_zn",
    "electrode_volume_change_zn",
    "electrode_above_hull_zn",
    "electrode_framework_zn",
    "electrode_voltage_al",
    "electrode_capacity_al",
    "electrode_volume_capacity_al",
    "electrode_specific_energy_al",
    "electrode_volume_change_al",
    "electrode_above_hull_al",
    "electrode_framework_al",
)
"""Further columns, to be named in ``fields=``: the insertion electrode whose discharged end the material is, by ion."""
