-- The next derivation removes upper limits of the oxygen potential that no known oxide decides.
INSERT INTO "dirty_window" ("chemical_system", "functional", "stable_changed")
SELECT DISTINCT "chemical_system", "functional", false FROM "material_energy" WHERE "oxygen_potential_max" IS NOT NULL
ON CONFLICT DO NOTHING;
