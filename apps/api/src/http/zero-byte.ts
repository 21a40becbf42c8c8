/** PostgreSQL keeps every character in a text but the zero byte, and refuses the statement that holds one. */

/**
 * Where the first text or key with a zero byte stands in a JSON value, as `a.b.0`; undefined where there is none.
 * Without recursion: bodies may be nested as deeply as they are long.
 */
export function zeroByteIn(value: unknown): string | undefined {
  const open: [path: string, value: unknown][] = [['', value]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [path, found] = next;
    if (typeof found === 'string' && found.includes('\0')) return path || 'body';
    if (typeof found !== 'object' || found === null) continue;
    for (const [key, inner] of Object.entries(found)) {
      if (key.includes('\0')) return path || 'body';
      // Numbers are most of a long pattern: they need no path.
      if (typeof inner === 'string' || typeof inner === 'object')
        open.push([path ? `${path}.${key}` : key, inner]);
    }
  }
  return undefined;
}
