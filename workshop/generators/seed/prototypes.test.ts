/**
 * Compares "same prototype" for 203 pairs of the seed data with equal keys with the anonymous matching of
 * pymatgen 2026.10.16 (StructureMatcher.fit_anonymous, ltol 0.3, stol 0.3, angle_tol 8). Numbers are
 * compounds: `87-1630`.
 */
import { FARTHEST_OF_PROTOTYPE } from '@unitcell/contract/matdata/rules';
import { arrangementDistance, arrangementOf } from '@unitcell/crystal';
import { catalogueCells, prototypeKey } from '@unitcell/symmetry';
import { describe, expect, it } from 'vitest';
import { buildStructure } from './build-structure.ts';
import { readCompounds } from './seed-files.ts';

const SAME = `
  11-79 1563-1641 415-523 637-971 167-192 136-1119 167-676 188-1480 605-615 422-431 1-4 67-69 304-601 71-84
  944-1435 818-1168 402-610 505-1443 123-601 493-656 774-1094 528-676 163-1119 496-794 490-673 155-608
  1033-1061 133-539 133-543 797-1126 108-562 237-748 539-593 978-1571 447-851 10-14 495-593 486-979 792-793
  198-438 47-48 122-1600 1024-1124 9-18 540-609 140-499 966-1443 163-600 423-1383 123-489 31-35 134-599
  519-524 123-794 495-979 495-539 8-29 26-79 166-669 245-1500 401-488 29-662 601-1094 166-668 638-751 71-82
  1123-1342 931-1064 213-749 518-521 5-24 124-489 440-711 440-657 1360-1629 951-1559 597-1034 426-1092
  213-1214 418-534 109-186 248-843 167-529 610-673 990-1028 158-729 6-13 492-979 751-1211 673-1094 487-593
  437-1119 521-676 525-535 167-498 439-711 1040-1253 135-405 158-601 167-497 1168-1303 657-770 546-547
  607-792 198-711 543-593 950-997 639-1642 44-81 401-543 1328-1489 794-1119 624-1469 405-539 6-27 1489-1596
  123-774 488-626 450-512 671-1569 656-929 304-488 599-774 488-793 522-531 304-795 286-967 286-1608 10-24
  163-794 494-1631 608-774 543-626 135-609 595-809 166-196 641-1567 123-304 491-795 657-1399 158-405
  175-1351 223-1411 729-945 493-593 134-135 543-610 492-868 795-945 535-678 487-609 520-804 142-1548 133-134
  1404-1601 488-868 1129-1346 402-1022 1510-1559 198-440 490-492 596-597 88-1182 568-1057 640-1324
`;

const OTHER = `
  87-1630 140-1092 106-1406 278-950 432-1283 555-799 714-1347 441-807 1402-1587 541-627 105-1092 278-1624
  1092-1548 1066-1599 278-1404 42-62 334-1356 805-1126 542-1019 897-950 550-1322 88-465 139-694 674-1570
  392-465 206-685 630-813 1440-1609 1066-1642 1315-1601 1373-1624 997-1315 223-240 714-867 248-278 88-867
  714-1131 153-630
`;

const compounds = new Map(readCompounds().map((compound) => [compound.structId, compound]));
const structures = new Map<number, ReturnType<typeof buildStructure>>();
function structureOf(id: number) {
  const known = structures.get(id) ?? buildStructure(compounds.get(id)!);
  structures.set(id, known);
  return known;
}
const formulaOf = (id: number): string => compounds.get(id)!.formula;

function keyOf(id: number): string {
  const { conventional, idealised } = catalogueCells(structureOf(id));
  return prototypeKey(conventional.structure, conventional.wyckoffs, idealised.spaceGroup.number);
}

const pairsOf = (text: string): readonly (readonly [number, number])[] =>
  text
    .trim()
    .split(/\s+/)
    .map((pair) => {
      const [a, b] = pair.split('-').map(Number);
      return [a, b];
    });
const isNear = ([a, b]: readonly [number, number]): boolean =>
  arrangementDistance(arrangementOf(structureOf(a)), arrangementOf(structureOf(b))) <= FARTHEST_OF_PROTOTYPE;
const named = (pairs: readonly (readonly [number, number])[]): string[] =>
  pairs.map((pair) => pair.map(formulaOf).sort().join(' ')).sort();

describe('the prototype of a crystal', () => {
  it('has one key for all pairs of one structure type', () => {
    const apart = pairsOf(SAME).filter(([a, b]) => keyOf(a) !== keyOf(b));
    expect(named(apart)).toEqual([]);
  });

  it('includes the pairs that pymatgen matches, except for some with different axial ratios', () => {
    // Most of these are distinct types: CaC2 (C11a) and MoSi2 (C11b), InCl and CrB, Sm3Co and Fe3C.
    expect(named(pairsOf(SAME).filter((pair) => !isNear(pair)))).toEqual([
      'CaC2 MoSi2',
      'CaSi InCl',
      'CoP TiB',
      'Ga3Ni2 Mg3Sb2',
      'KF2 PbO2',
      'Li2O2 ZrP',
      'NiAl3 Sm3Co',
      'SiNi2 ZrP2',
    ]);
  });

  it('excludes pairs that pymatgen does not match, except for those close to its tolerance', () => {
    expect(named(pairsOf(OTHER).filter(isNear))).toEqual(['Co3(PO4)2 Ni3(PO4)2', 'MoO3 NaCl3', 'SiRh YPt']);
  });

  it('distinguishes the two stackings of 2H disulfides', () => {
    // MoS2 and NbSe2 both have space group 194; only in NbSe2 are metal atoms directly above each other.
    expect(keyOf(199)).not.toBe(keyOf(560));
  });
});
