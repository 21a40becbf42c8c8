/** A model as text for other programs. */
import { type Hopping, sortedHoppings, type TightBindingModel } from './model.ts';

const number = (x: number): string => String(Math.round(x * 1e10) / 1e10 + 0);
const complex = ({ re, im }: Hopping): string =>
  im === 0 ? number(re) : `complex(${number(re)}, ${number(im)})`;

/**
 * Python script that builds the model with PythTB (S. Coh, D. Vanderbilt, https://www.physics.rutgers.edu/pythtb/)
 * and draws its bands. PythTB adds the positions to the Bloch phase; the bands are the same.
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
