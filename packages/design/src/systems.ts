/** Sets of elements to look into. */

/** All sets of `size` of the elements that hold every one of `required`, in the order of the list. */
export function chemicalSystems(
  elements: readonly string[],
  size: number,
  required: readonly string[] = [],
): string[][] {
  const sets: string[][] = [];
  const visit = (from: number, chosen: readonly string[]): void => {
    if (chosen.length === size) {
      if (required.every((element) => chosen.includes(element))) sets.push([...chosen]);
      return;
    }
    for (let next = from; next < elements.length; next++) visit(next + 1, [...chosen, elements[next]]);
  };
  visit(0, []);
  return sets;
}

/** All orders of a list. */
export function* permutations<T>(list: readonly T[]): Generator<readonly T[]> {
  if (list.length <= 1) {
    yield list;
    return;
  }
  for (const [place, first] of list.entries())
    for (const rest of permutations([...list.slice(0, place), ...list.slice(place + 1)]))
      yield [first, ...rest];
}
