/** Worker thread: bands of large nets. */
import type { BandData } from '@unitcell/contract/tight-binding';
import { bandStructure, type BandStructureOptions, toBandStructureWire } from '@unitcell/tight-binding';

export function calculateBands(options: BandStructureOptions): string {
  const { k_dist, plotly_data, hsp_nodes, hsp_labels } = toBandStructureWire(bandStructure(options));
  return JSON.stringify({
    error: 'false',
    message: '',
    grid_id: options.net.id,
    k_dist,
    plotly_data,
    hsp_nodes,
    hsp_labels,
  } satisfies { readonly [Field in keyof BandData]: unknown });
}
