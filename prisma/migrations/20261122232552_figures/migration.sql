-- What is calculated from cells, tensors and energies is rounded once (packages/material/src/figures.ts); so is what is here already.
UPDATE material SET
  volume = round(volume::numeric, 6)::float8,
  density = round(density::numeric, 6)::float8,
  bulk_modulus = round(bulk_modulus::numeric, 4)::float8,
  shear_modulus = round(shear_modulus::numeric, 4)::float8,
  dielectric_total = round(dielectric_total::numeric, 6)::float8,
  dielectric_electronic = round(dielectric_electronic::numeric, 6)::float8;

-- Given formation energies stay as they were given.
UPDATE material_energy SET formation_energy_per_atom = round(formation_energy_per_atom::numeric, 8)::float8
WHERE given_formation_energy IS NULL AND formation_energy_per_atom IS NOT NULL;
UPDATE material SET formation_energy_per_atom = energy.formation_energy_per_atom
FROM material_energy AS energy
WHERE energy.struct_id = material.struct_id AND energy.functional = material.functional
  AND energy.given_formation_energy IS NULL AND energy.formation_energy_per_atom IS NOT NULL;
