/**
 * Microabsorption in powders of coarse grains: G. W. Brindley, Philos. Mag. 36, 347 (1945),
 * doi:10.1080/14786444508520918.
 *
 * A grain absorbs its radiation with its own coefficient instead of the mean of the mixture. Its intensity is
 * multiplied by τ = ⟨exp −(μ − μ̄) x⟩, with x the path of the incident and the diffracted ray inside a sphere.
 */
import { density, type Structure, withNaturalHydrogen } from '@unitcell/crystal';
import { anomalousScattering, elementBySymbol } from '@unitcell/elements';

/** Angle between the rays for which τ is computed, in the middle of a laboratory pattern; τ depends little on it. */
const MIDDLE_TWO_THETA = Math.PI / 3;

/**
 * Points in radius, polar and azimuthal angle; each represents the same volume. The error of τ is at most
 * 3e-4 for |μ − μ̄| R ≤ ½.
 */
const STEPS = { radius: 16, polar: 16, azimuth: 8 } as const;

/**
 * Linear absorption coefficient (1/cm) of a crystal at the Kα line of a tube (Å), from the total mass attenuation;
 * undefined for elements or wavelengths without a table. An atom of deuterium absorbs like one of hydrogen.
 */
export function linearAbsorption(given: Structure, wavelength: number): number | undefined {
  const structure = withNaturalHydrogen(given);
  let mass = 0;
  let attenuated = 0;
  for (const { species } of structure.sites)
    for (const { element, occupancy } of species) {
      const found = anomalousScattering(element, wavelength);
      if (!found) return undefined;
      const amount = occupancy * elementBySymbol(element).atomicMass;
      mass += amount;
      attenuated += amount * found.massAttenuation;
    }
  return mass > 0 ? (attenuated / mass) * density(structure) : undefined;
}

/**
 * Brindley's τ of spheres.
 * @param contrast μ − μ̄ in 1/cm
 * @param diameterUm diameter of the grains in µm
 */
export function brindleyFactor(contrast: number, diameterUm: number): number {
  const k = (contrast * diameterUm * 1e-4) / 2;
  let sum = 0;
  const [cosine, sine] = [Math.cos(MIDDLE_TWO_THETA), Math.sin(MIDDLE_TWO_THETA)];
  for (let i = 0; i < STEPS.radius; i++) {
    const r = Math.cbrt((i + 0.5) / STEPS.radius);
    for (let j = 0; j < STEPS.polar; j++) {
      const polar = -1 + (2 * (j + 0.5)) / STEPS.polar;
      const across = Math.sqrt(1 - polar * polar);
      for (let a = 0; a < STEPS.azimuth; a++) {
        const azimuth = Math.cos((2 * Math.PI * (a + 0.5)) / STEPS.azimuth);
        // Components of the point along the incident and the diffracted ray.
        const along = r * polar;
        const out = r * (polar * cosine + across * azimuth * sine);
        const path = along + Math.sqrt(along * along - r * r + 1) - out + Math.sqrt(out * out - r * r + 1);
        sum += Math.exp(-k * path);
      }
    }
  }
  return sum / (STEPS.radius * STEPS.polar * STEPS.azimuth);
}
