/** The visitor's own compound, typed in or read from an uploaded entry. */
import { atomCount, type Composition, CrystalError, displayFormula, parseFormula } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { readNumber } from '../../lib/format.ts';

export type EnergyKind = 'formation' | 'total';

export interface OwnCompound {
  readonly formula: string;
  /** eV/atom */
  readonly energyPerAtom: number;
  readonly energyKind: EnergyKind;
}

/** The compound in an address, `own=LiMnO2&E=-1.95`, with `kind=total` for a total energy; null if it is incomplete. */
export function readOwnCompound(parameters: URLSearchParams): OwnCompound | null {
  const formula = parameters.get('own')?.trim() ?? '';
  const energyPerAtom = readNumber(parameters.get('E') ?? '');
  if (formula === '' || energyPerAtom === null) return null;
  return { formula, energyPerAtom, energyKind: parameters.get('kind') === 'total' ? 'total' : 'formation' };
}

/** The parameters of an address for a compound. */
export const ownParameters = ({
  formula,
  energyPerAtom,
  energyKind,
}: OwnCompound): Readonly<Record<string, string>> => ({
  own: formula,
  E: String(energyPerAtom),
  ...(energyKind === 'total' ? { kind: energyKind } : {}),
});

/** Maximum size of an entry file in bytes; an entry with a structure has a few thousand bytes. */
export const MAX_ENTRY_BYTES = 1_000_000;

interface LooseEntry {
  readonly formula?: unknown;
  readonly composition?: unknown;
  readonly structure?: { readonly sites?: readonly { readonly species?: readonly LooseSpecies[] }[] };
  readonly energy?: unknown;
  readonly correction?: unknown;
  readonly energy_per_atom?: unknown;
  readonly formation_energy_per_atom?: unknown;
}
interface LooseSpecies {
  readonly element?: unknown;
  readonly occu?: unknown;
}

const isAmounts = (value: unknown): value is Record<string, number> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.keys(value).length > 0 &&
  Object.keys(value).every(isElementSymbol) &&
  Object.values(value).every((amount) => typeof amount === 'number' && amount > 0);

function compositionOf(entry: LooseEntry): Composition | null {
  if (isAmounts(entry.composition)) return entry.composition;
  const text = typeof entry.formula === 'string' ? entry.formula : entry.composition;
  if (typeof text === 'string') return parseFormula(text);
  const amounts: Record<string, number> = {};
  for (const site of entry.structure?.sites ?? [])
    for (const { element, occu } of site.species ?? [])
      if (typeof element === 'string') amounts[element] = (amounts[element] ?? 0) + (Number(occu) || 1);
  return isAmounts(amounts) ? amounts : null;
}

/**
 * Reads an entry as JSON: a line of our import format, or a computed entry with `composition` and `energy` (eV for that
 * composition; a `correction` is added). Null without a composition or an energy.
 */
export function readEntry(text: string): OwnCompound | null {
  try {
    const parsed: unknown = JSON.parse(text.trim().split('\n')[0]?.startsWith('{') ? firstJson(text) : text);
    const entry = (Array.isArray(parsed) ? parsed[0] : parsed) as LooseEntry | null;
    if (typeof entry !== 'object' || entry === null) return null;
    const composition = compositionOf(entry);
    if (composition === null) return null;
    const formula = displayFormula(composition);
    const number = (value: unknown): number | null =>
      typeof value === 'number' && Number.isFinite(value) ? value : null;
    const formation = number(entry.formation_energy_per_atom);
    if (formation !== null) return { formula, energyPerAtom: formation, energyKind: 'formation' };
    const perAtom = number(entry.energy_per_atom);
    const energy = number(entry.energy);
    if (energy === null && perAtom === null) return null;
    const total =
      energy === null ? (perAtom ?? 0) : (energy + (number(entry.correction) ?? 0)) / atomCount(composition);
    return { formula, energyPerAtom: total, energyKind: 'total' };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof CrystalError) return null;
    throw error;
  }
}

/** A whole JSON document, or the first line of a JSONL file. */
function firstJson(text: string): string {
  try {
    JSON.parse(text);
    return text;
  } catch {
    return text.trim().split('\n')[0] ?? '';
  }
}
