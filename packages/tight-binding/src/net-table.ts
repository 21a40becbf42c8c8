/**
 * The catalogue: one line of text per net in `data/`, written by workshop/nets/generate.ts, each parsed
 * when it is asked for. The named nets are small enough to load with a page; the full enumeration is a chunk of its own.
 */
import { namedNetLines } from './data/named-nets.ts';
import type { Net } from './net.ts';
import { namesOfNetLine, parseNetLine } from './net-line.ts';
import { TightBindingError } from './tight-binding-error.ts';

/** By place in the table; a page shows one of hundreds, and parses that. */
const parsed: Net[] = [];
let places: ReadonlyMap<string, number> | undefined;
let named: readonly Net[] | undefined;

/** Case and the choice between spaces and hyphens do not matter. */
const searchKey = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '-');

const netAt = (place: number): Net => (parsed[place] ??= parseNetLine(namedNetLines[place]));

function placesByName(): ReadonlyMap<string, number> {
  if (!places) {
    const namesOf = namedNetLines.map(namesOfNetLine);
    places = new Map([
      ...namesOf.flatMap(({ names }, place) => names.map((name) => [searchKey(name), place] as const)),
      // An id always wins over another net's alias.
      ...namesOf.map(({ id }, place) => [searchKey(id), place] as const),
    ]);
  }
  return places;
}

/** All named nets, in alphabetical order of their ids. */
export const listNets = (): readonly Net[] => (named ??= namedNetLines.map((_line, place) => netAt(place)));

/** The named net with this id or alias, or undefined; case does not matter, nor a hyphen for a space. */
export function findNet(id: string): Net | undefined {
  const place = placesByName().get(searchKey(id));
  return place === undefined ? undefined : netAt(place);
}

/**
 * The named net with this id or alias.
 * @throws TightBindingError `unknown-net`, naming the nearest ids.
 * @example netById('kgm').planeGroup // 'p6mm'
 * @example netById('star').id // 'hca'
 */
export function netById(id: string): Net {
  const net = findNet(id);
  if (net) return net;
  const text = id.trim().toLowerCase().slice(0, 40);
  const similar = listNets()
    .map((other) => other.id)
    .filter((other) => other.startsWith(text.slice(0, 2)))
    .slice(0, 5);
  const hint = similar.length > 0 ? ` Similar: ${similar.join(', ')}.` : '';
  throw new TightBindingError('unknown-net', `there is no lattice "${text}".${hint}`, { id: text });
}

let complete: Promise<readonly Net[]> | undefined;

/** Every named net and, after them, every further proper net of the enumeration up to 12 chambers (loaded on demand). */
export function loadAllNets(): Promise<readonly Net[]> {
  complete ??= import('./data/all-nets.ts').then(({ otherNetLines }) => [
    ...listNets(),
    ...otherNetLines.map(parseNetLine),
  ]);
  return complete;
}
