/** A Unitcell site for programs: `const site = connect({ url, key })`. By `fetch` alone, in Node and in browsers. */
import {
  type CallRequest,
  getBandData,
  getEcwDetail,
  getChemicalPotentials,
  getEnergyScales,
  getLatticeStructure,
  interfaceReceive,
  phaseDiagramHandle,
  placeCompound,
  searchWindowsByElements,
  searchWindowsByFormula,
} from '@unitcell/contract';
import { type ConnectionOptions, connection, type SendOptions } from './connection.ts';
import { files } from './files.ts';
import { materials } from './materials.ts';
import { patterns } from './patterns.ts';
import { run4u } from './run4u.ts';

export type Client = ReturnType<typeof connect>;

/** Requests and answers are those of the contract; every function throws a SiteError for a refusal. */
export function connect(options: ConnectionOptions) {
  const line = connection(options);
  const { call } = line;
  return {
    ...line,
    materials: materials(line),
    files: files(line),
    patterns: patterns(line),
    phaseDiagrams: {
      /** Two to four elements or compounds: `Li-Fe-O`, `Li2O MnO2`. */
      of: (include: string, sending?: SendOptions) => call(phaseDiagramHandle, { include }, sending),
      place: (body: CallRequest<typeof placeCompound>, sending?: SendOptions) =>
        call(placeCompound, body, sending),
      /** At which a compound on the hull of these elements is stable. */
      chemicalPotentials: (body: CallRequest<typeof getChemicalPotentials>, sending?: SendOptions) =>
        call(getChemicalPotentials, body, sending),
      scales: (sending?: SendOptions) => call(getEnergyScales, undefined, sending),
    },
    windows: {
      /** Against Li unless another working ion is named. */
      of: (body: CallRequest<typeof getEcwDetail>, sending?: SendOptions) =>
        call(getEcwDetail, body, sending),
      byElements: (body: CallRequest<typeof searchWindowsByElements>, sending?: SendOptions) =>
        call(searchWindowsByElements, body, sending),
      byFormula: (body: CallRequest<typeof searchWindowsByFormula>, sending?: SendOptions) =>
        call(searchWindowsByFormula, body, sending),
    },
    interfaces: {
      react: (body: CallRequest<typeof interfaceReceive>, sending?: SendOptions) =>
        call(interfaceReceive, body, sending),
    },
    tightBinding: {
      net: (gridId: string, sending?: SendOptions) => call(getLatticeStructure, { grid_id: gridId }, sending),
      bands: (body: CallRequest<typeof getBandData>, sending?: SendOptions) =>
        call(getBandData, body, sending),
    },
    run4u: run4u(line),
  };
}
