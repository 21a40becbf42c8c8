/**
 * A tight-binding model of a net: one orbital per site,
 * H_ij(k) = ε_i δ_ij + Σ_R t_ij(R) exp(2πi k·R), k in fractions of the reciprocal vectors.
 *
 * Energies and hoppings are in one common unit (the page uses |t|). t1 acts on the edges of the net, whatever their
 * length; t2 on its second neighbours. A Haldane flux φ turns t2 into t2 exp(±iφ), with + if the two links of the path
 * turn left (F. D. M. Haldane, Phys. Rev. Lett. 61 (1988) 2015).
 */
import type { Net } from '../net.ts';
import {
  cross2,
  edgeVector,
  type NetEdge,
  rowTimesMatrix2,
  sortedEdges,
  spokesOf,
} from '../periodic-graph.ts';
import { TightBindingError } from '../tight-binding-error.ts';
import { distanceShells, graphSecondNeighbours, type SecondNeighbourRule } from './second-neighbours.ts';

/** Export of a model as text for other programs. */
const number = (x: number): string => String(Math.round(x * 1e10) / 1e10 + 0);
const complex = ({ re, im }: Hopping): string =>
  im === 0 ? number(re) : `complex(${number(re)}, ${number(im)})`;

/**
 * Python script that builds the model with PythTB (S. Coh, D. Vanderbilt, https://www.physics.rutgers.edu/pythtb/) and
 * plots its bands. PythTB includes the positions in the Bloch phase, which does not change the bands.
 */
export function toPythTbScript(
  model: TightBindingModel,
  path: readonly { readonly label: string; readonly k: readonly [number, number] }[],
): string {
  const { net, onsite } = model;
  const list = (rows: readonly (readonly number[])[]) =>
    rows.map((row) => `    [${row.map(number).join(', ')}],`);
  const label = (text: string) => (text === 'Γ' ? String.raw`r"$\Gamma$"` : `"${text}"`);
  return [
    `# Tight-binding model of the plane net ${net.id} (${net.planeGroup}), lengths in mean edges.`,
    'from pythtb import tb_model',
    'import matplotlib.pyplot as plt',
    '',
    'lattice = [',
    ...list(net.latticeVectors),
    ']',
    'orbitals = [',
    ...list(net.positions),
    ']',
    'model = tb_model(2, 2, lattice, orbitals)',
    `model.set_onsite([${onsite.map(number).join(', ')}])`,
    ...sortedHoppings(model).map(
      (hopping) =>
        `model.set_hop(${complex(hopping)}, ${hopping.from}, ${hopping.to}, [${hopping.dx}, ${hopping.dy}], mode="add")`,
    ),
    '',
    `corners = [${path.map(({ k }) => `[${k.map(number).join(', ')}]`).join(', ')}]`,
    `labels = [${path.map((point) => label(point.label)).join(', ')}]`,
    'k_points, distance, nodes = model.k_path(corners, 201)',
    'bands = model.solve_all(k_points)',
    'for band in bands:',
    '    plt.plot(distance, band)',
    'plt.xticks(nodes, labels)',
    'plt.ylabel("E / |t|")',
    'plt.show()',
    '',
  ].join('\n');
}

/** The model as JSON: schema `unitcell-tight-binding/1`. */
export function toModelJson(model: TightBindingModel): string {
  const { net, onsite } = model;
  return `${JSON.stringify(
    {
      schema: 'unitcell-tight-binding/1',
      convention:
        'H_ij(k) = onsite_i delta_ij + sum of (re + i im) exp(2 pi i k.(dx, dy)) for hops from i to j in cell (dx, dy), plus conjugates',
      net: net.id,
      planeGroup: net.planeGroup,
      latticeVectors: net.latticeVectors,
      sites: net.positions.map((position, site) => ({
        position,
        orbit: net.orbits[net.orbitOf[site]].symbol,
        onsite: onsite[site],
      })),
      hoppings: sortedHoppings(model),
    },
    undefined,
    1,
  )}\n`;
}

/** Largest |t1| and |t2| accepted; both are ratios to the unit of energy. */
export const MAX_HOPPING_RATIO = 1;
/** Largest |on-site energy| accepted, in the same unit; it is far outside any band. */
export const MAX_ONSITE = 10;
/** A two-link path that bends by less than this (sine of the angle) counts as straight and has no flux. */
export const STRAIGHT_TOLERANCE = 1e-4;

export interface ModelOptions {
  readonly net: Net;
  /** Hopping along the edges; −1 by default. */
  readonly t1?: number;
  /** Hopping to second neighbours; 0 by default. */
  readonly t2?: number;
  /** The rule for second neighbours; `graph` by default. */
  readonly t2Rule?: SecondNeighbourRule;
  /** One energy per orbit (in the order of `net.orbits`) or one per site; all 0 by default. */
  readonly onsite?: readonly number[];
  /** Haldane flux φ of second-neighbour paths, radians; 0 by default. */
  readonly haldaneFluxRad?: number;
}

/** Adds (re + i·im) exp(2πi k·(dx, dy)) to H_ij, and its conjugate to H_ji. */
export interface Hopping {
  readonly from: number;
  readonly to: number;
  readonly dx: number;
  readonly dy: number;
  readonly re: number;
  readonly im: number;
}

export interface TightBindingModel {
  readonly net: Net;
  /** One energy per site. */
  readonly onsite: readonly number[];
  readonly hoppings: readonly Hopping[];
}

/**
 * The model with explicit hoppings.
 * @throws TightBindingError `ratio-out-of-range`, `invalid-onsite` or `invalid-option`.
 * @example createModel({ net: netById('kgm'), t1: -1, t2: -0.1 })
 */
export function createModel(options: ModelOptions): TightBindingModel {
  const { net, t1 = -1, t2 = 0, t2Rule = 'graph', haldaneFluxRad = 0 } = options;
  checkRatio('t1', t1);
  checkRatio('t2', t2);
  if (t2Rule !== 'graph' && t2Rule !== 'distance')
    throw new TightBindingError(
      'invalid-option',
      `t2Rule is ${String(t2Rule)}: expected 'graph' or 'distance'`,
    );
  if (!Number.isFinite(haldaneFluxRad))
    throw new TightBindingError(
      'invalid-option',
      `the Haldane flux is ${haldaneFluxRad}: expected an angle in radians`,
    );
  const bonds = (pairs: readonly NetEdge[], t: number): Hopping[] =>
    t === 0 ? [] : pairs.map(([from, to, dx, dy]) => ({ from, to, dx, dy, re: t, im: 0 }));
  const second = t2 === 0 ? [] : secondNeighbours(net, t2Rule);
  const hoppings = [...bonds(net.edges, t1), ...withFlux(net, bonds(second, t2), haldaneFluxRad)];
  return { net, onsite: siteEnergies(net, options.onsite), hoppings };
}

/** Pairs coupled by t2 under the rule. */
export const secondNeighbours = (net: Net, rule: SecondNeighbourRule): readonly NetEdge[] =>
  rule === 'graph'
    ? graphSecondNeighbours({ siteCount: net.positions.length, edges: net.edges })
    : distanceShells(net.positions, net.latticeVectors, 2)[1].pairs;

function checkRatio(name: string, value: number): void {
  if (!(Math.abs(value) <= MAX_HOPPING_RATIO))
    throw new TightBindingError(
      'ratio-out-of-range',
      `the ratio ${name} is ${value}: expected a number from −${MAX_HOPPING_RATIO} to ${MAX_HOPPING_RATIO}`,
      { name, value },
    );
}

function siteEnergies(net: Net, onsite: readonly number[] | undefined): number[] {
  const [siteCount, orbitCount] = [net.positions.length, net.orbits.length];
  if (onsite === undefined) return Array.from({ length: siteCount }, (): number => 0);
  if (onsite.length !== orbitCount && onsite.length !== siteCount)
    throw new TightBindingError(
      'invalid-onsite',
      `${net.id} has ${orbitCount} kinds of site (${net.orbits.map(({ symbol }) => symbol).join(', ')}) and ${siteCount} sites, but ${onsite.length} on-site energies were given: give one per kind or one per site`,
      { expected: orbitCount, got: onsite.length },
    );
  for (const energy of onsite)
    if (!(Math.abs(energy) <= MAX_ONSITE))
      throw new TightBindingError(
        'invalid-onsite',
        `an on-site energy is ${energy}: expected a number from −${MAX_ONSITE} to ${MAX_ONSITE}`,
      );
  return onsite.length === orbitCount ? net.orbitOf.map((orbit) => onsite[orbit]) : [...onsite];
}

/**
 * Gives every second-neighbour hopping a phase whose sign depends on the direction in which its two-link paths turn.
 */
function withFlux(net: Net, hoppings: readonly Hopping[], fluxRad: number): Hopping[] {
  if (fluxRad === 0) return [...hoppings];
  const spokes = spokesOf({ siteCount: net.positions.length, edges: net.edges });
  const vector = (site: number, to: number, dx: number, dy: number) =>
    rowTimesMatrix2(edgeVector([site, to, dx, dy], net.positions), net.latticeVectors);
  return hoppings.map((hopping) => {
    let turns = 0;
    for (const a of spokes[hopping.from])
      for (const b of spokes[a.to]) {
        if (b.to !== hopping.to || a.dx + b.dx !== hopping.dx || a.dy + b.dy !== hopping.dy) continue;
        const sine = cross2(vector(hopping.from, a.to, a.dx, a.dy), vector(a.to, b.to, b.dx, b.dy));
        if (Math.abs(sine) > STRAIGHT_TOLERANCE) turns += Math.sign(sine);
      }
    const phase = Math.sign(turns) * fluxRad;
    return { ...hopping, re: hopping.re * Math.cos(phase), im: hopping.re * Math.sin(phase) };
  });
}

/** All hoppings, each once, in canonical order for export. */
export const sortedHoppings = (model: TightBindingModel): Hopping[] =>
  model.hoppings
    .map((hopping) => {
      const [[from, to, dx, dy]] = sortedEdges([[hopping.from, hopping.to, hopping.dx, hopping.dy]]) as [
        NetEdge,
      ];
      const turned = from !== hopping.from || dx !== hopping.dx || dy !== hopping.dy;
      return { from, to, dx, dy, re: hopping.re, im: turned ? 0 - hopping.im : hopping.im };
    })
    .sort((a, b) => a.from - b.from || a.to - b.to || a.dx - b.dx || a.dy - b.dy);
