/** The primitive cells of a supercell, in a fixed order. */
import { determinant3, type Mat3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';

export interface SupercellCells {
  /** Lattice translations, with the third axis fastest. For a diagonal matrix they form a block of cells. */
  readonly cells: readonly Vec3[];
  /** Index of the cell at a lattice translation, after wrapping into the supercell. */
  readonly indexOf: (translation: Vec3) => number;
}

/**
 * Upper triangular rows with a positive diagonal that span the same lattice (Hermite normal form). Every cell
 * then has one representative in the block given by the diagonal.
 */
function triangular(rows: Mat3): Mat3 {
  const basis: Vec3[] = [...rows];
  for (let column = 0; column < 3; column++)
    for (;;) {
      const below = basis.slice(column).filter((row) => row[column] !== 0);
      const pivot = below.reduce((a, b) => (Math.abs(b[column]) < Math.abs(a[column]) ? b : a));
      const at = basis.indexOf(pivot);
      [basis[column], basis[at]] = [basis[at], basis[column]];
      if (below.length === 1) {
        if (pivot[column] < 0) basis[column] = scale3(pivot, -1);
        break;
      }
      for (let row = column + 1; row < 3; row++)
        basis[row] = subtract3(basis[row], scale3(pivot, Math.trunc(basis[row][column] / pivot[column])));
    }
  return [basis[0], basis[1], basis[2]];
}

/**
 * @param supercell rows are vectors of the supercell in units of those of the cell: integers, with a non-zero
 * determinant
 * @example supercellCells([[2, 0, 0], [0, 1, 0], [0, 0, 1]]).cells // [0, 0, 0], [1, 0, 0]
 */
export function supercellCells(supercell: Mat3): SupercellCells {
  if (!supercell.flat().every(Number.isInteger) || determinant3(supercell) === 0)
    throw new RangeError('a supercell is a matrix of whole numbers with a volume');
  const basis = triangular(supercell);
  const [nx, ny, nz] = [basis[0][0], basis[1][1], basis[2][2]];
  const cells: Vec3[] = [];
  for (let x = 0; x < nx; x++)
    for (let y = 0; y < ny; y++) for (let z = 0; z < nz; z++) cells.push([x, y, z]);
  const indexOf = (translation: Vec3): number => {
    let rest = translation;
    for (const axis of [0, 1, 2] as const)
      rest = subtract3(rest, scale3(basis[axis], Math.floor(rest[axis] / basis[axis][axis])));
    return (rest[0] * ny + rest[1]) * nz + rest[2];
  };
  return { cells, indexOf };
}
