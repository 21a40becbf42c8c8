/**
 * VASP inputs: INCAR, KPOINTS and POSCAR. The POTCAR belongs to the licence holder; it is assembled from the
 * licence holder's files, in the order of species used here.
 *
 * G. Kresse, J. Furthmüller, Phys. Rev. B 54 (1996) 11169, doi:10.1103/PhysRevB.54.11169; tags as documented at
 * vasp.at/wiki.
 */
import { type Structure, writePoscar } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM, HARTREE_EV } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import type { StepRequest } from '../calculator.ts';
import { CalculatorError } from '../error.ts';
import { PRESETS } from '../presets.ts';
import { bandCount, type DeckStructure, deckStructure, meshOf, SMEARING_HA } from '../sampling.ts';

/** Species in the order of the POSCAR, with every element once. */
export function groupedBySpecies(structure: Structure): { structure: Structure; order: readonly number[] } {
  const { elements, siteElements } = deckStructure(structure);
  const order = elements.flatMap((element) =>
    siteElements.flatMap((one, index) => (one === element ? [index] : [])),
  );
  return { structure: { ...structure, sites: order.map((index) => structure.sites[index]) }, order };
}

const tag = (name: string, value: string | number | boolean): string =>
  `${name} = ${typeof value === 'boolean' ? (value ? '.TRUE.' : '.FALSE.') : value}`;

function mixingTags({ workarounds }: StepRequest): string[] {
  if (workarounds.includes('safest-mixing'))
    return [tag('ALGO', 'All'), tag('AMIX', 0.1), tag('BMIX', 0.0001)];
  if (workarounds.includes('gentle-mixing')) return [tag('ALGO', 'All')];
  return [tag('ALGO', 'Normal')];
}

function stepTags(request: StepRequest): string[] {
  const forceEvPerAngstrom =
    (PRESETS[request.preset].forceToleranceHaPerBohr * HARTREE_EV) / BOHR_RADIUS_ANGSTROM;
  switch (request.step) {
    case 'relax':
      return [
        tag('IBRION', request.workarounds.includes('plain-bfgs') ? 1 : 2),
        tag('ISIF', 3),
        tag('NSW', 60),
        tag('EDIFFG', -Number(forceEvPerAngstrom.toFixed(4))),
        tag('LCHARG', false),
        tag('LWAVE', false),
      ];
    case 'static':
      return [tag('IBRION', -1), tag('NSW', 0), tag('LCHARG', true), tag('LWAVE', false)];
    case 'bands':
      return [tag('IBRION', -1), tag('NSW', 0), tag('ICHARG', 11), tag('LCHARG', false), tag('LWAVE', false)];
    default:
      return [
        tag('IBRION', -1),
        tag('NSW', 0),
        tag('ICHARG', 11),
        tag('LORBIT', 11),
        tag('NEDOS', 2001),
        tag('LCHARG', false),
        tag('LWAVE', false),
      ];
  }
}

export function vaspIncar(request: StepRequest, parts: DeckStructure): string {
  const { preset, step, moments } = request;
  const grouped = groupedBySpecies(request.structure).order;
  return `${[
    tag('SYSTEM', `${request.title.replaceAll(/[^\w .:()+-]/g, '_').slice(0, 60)} ${step}`),
    tag('ENCUT', Number((PRESETS[preset].cutoffHa * HARTREE_EV).toFixed(1))),
    tag('PREC', 'Accurate'),
    tag('GGA', 'PE'),
    tag('EDIFF', step === 'relax' ? '1E-6' : '1E-7'),
    tag('NELM', 120),
    ...mixingTags(request),
    // The tetrahedron method needs a Γ-centred mesh, as returned by meshOf; it cannot be used along a path.
    ...(step === 'dos'
      ? [tag('ISMEAR', -5)]
      : [tag('ISMEAR', 0), tag('SIGMA', Number((SMEARING_HA * HARTREE_EV).toFixed(4)))]),
    tag('NBANDS', bandCount(request, parts)),
    ...(moments
      ? [
          tag('ISPIN', 2),
          tag('MAGMOM', grouped.map((index) => moments[index].toFixed(2)).join(' ')),
          // Writes the moments of the sites.
          ...(step === 'dos' ? [] : [tag('LORBIT', 11)]),
        ]
      : [tag('ISPIN', 1)]),
    ...stepTags(request),
  ].join('\n')}\n`;
}

const explicit = (points: readonly Vec3[]): string =>
  `band path\n${points.length}\nReciprocal\n${points.map((point) => `${point.map((value) => value.toFixed(8)).join(' ')} 1`).join('\n')}\n`;

export function vaspKpoints(request: StepRequest): string {
  if (request.step !== 'bands') return `Gamma-centred mesh\n0\nGamma\n${meshOf(request).join(' ')}\n0 0 0\n`;
  if (!request.kPoints?.length)
    throw new CalculatorError('structure', 'no k-points were given; a band structure needs a path');
  return explicit(request.kPoints);
}

/** POSCAR with its sites grouped by species. */
export const vaspPoscar = (request: StepRequest): string =>
  writePoscar(groupedBySpecies(request.structure).structure, { name: request.title });
