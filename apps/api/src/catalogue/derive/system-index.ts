/** Finds the existing chemical systems within and around a chemical system. */

export interface SystemIndex {
  /** Existing systems of some, but not all, elements of `system`. */
  properSubsets(system: string): readonly string[];
  /** Existing systems that contain all elements of `system` and at least one more. */
  properSupersets(system: string): readonly string[];
}

/** Above this number of elements, scanning the existing systems is cheaper than listing every subset. */
const NAMEABLE_ELEMENTS = 10;

const elementsOf = (system: string): string[] => system.split('-');

function* subsetsOf(elements: readonly string[]): Generator<string> {
  const all = 2 ** elements.length - 1;
  for (let mask = 1; mask < all; mask++) {
    let name = '';
    for (let i = 0; i < elements.length; i++)
      if (mask & (1 << i)) name += name === '' ? elements[i] : `-${elements[i]}`;
    yield name;
  }
}

export function systemIndex(systems: Iterable<string>): SystemIndex {
  const existing = new Set(systems);
  const byElement = new Map<string, string[]>();
  for (const system of existing)
    for (const element of elementsOf(system)) {
      const list = byElement.get(element);
      if (list) list.push(system);
      else byElement.set(element, [system]);
    }
  return {
    properSubsets(system) {
      const elements = elementsOf(system);
      if (elements.length <= NAMEABLE_ELEMENTS)
        return [...subsetsOf(elements)].filter((name) => existing.has(name));
      const own = new Set(elements);
      return [...existing].filter(
        (name) => name !== system && elementsOf(name).every((element) => own.has(element)),
      );
    },
    properSupersets(system) {
      const elements = elementsOf(system);
      const rarest = elements
        .map((element) => byElement.get(element) ?? [])
        .reduce((best, list) => (list.length < best.length ? list : best));
      return rarest.filter((name) => {
        if (name === system) return false;
        const parts = new Set(elementsOf(name));
        return elements.every((element) => parts.has(element));
      });
    },
  };
}
