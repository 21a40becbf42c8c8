/** Positions in the index of materials that pass an element filter. */

/** Both lists rising; ids that the index does not hold are left out. The result is shared between threads. */
export function positionsOf(ids: Uint32Array, indexed: Uint32Array): Uint32Array {
  const found = new Uint32Array(new SharedArrayBuffer(4 * Math.min(ids.length, indexed.length)));
  let count = 0;
  let at = 0;
  for (const id of ids) {
    // Few ids are looked up, many are walked along.
    if (ids.length * 20 < indexed.length) at = firstAtLeast(indexed, id, at);
    else while (at < indexed.length && indexed[at]! < id) at++;
    if (indexed[at] === id) found[count++] = at;
  }
  return found.subarray(0, count);
}

function firstAtLeast(sorted: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
