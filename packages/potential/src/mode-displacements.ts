/**
 * Motion of the atoms in a phonon mode: the eigenvector of the dynamical matrix divided by √mass, scaled so that the largest
 * amplitude is 1.
 * @param eigenvector of each atom the real parts of x, y, z, then the imaginary parts
 * @param masses u
 */
export function modeDisplacements(
  eigenvector: readonly (readonly number[])[],
  masses: readonly number[],
): number[][] {
  const atoms = eigenvector.map((parts, atom) => parts.map((part) => part / Math.sqrt(masses[atom])));
  const largest = Math.max(...atoms.map((parts) => Math.hypot(...parts)));
  return atoms.map((parts) => parts.map((part) => part / largest));
}
