/** Browser storage; if it is full or forbidden, values live as long as the page. */
const memory = new Map<string, string>();

const keyOf = (area: 'local' | 'session', key: string): string => `${area}:${key}`;

const storageOf = (area: 'local' | 'session'): Storage =>
  area === 'local' ? globalThis.localStorage : globalThis.sessionStorage;

export function readStored(key: string, area: 'local' | 'session' = 'local'): string | null {
  try {
    return storageOf(area).getItem(key) ?? memory.get(keyOf(area, key)) ?? null;
  } catch {
    return memory.get(keyOf(area, key)) ?? null;
  }
}

/** Stores a value, or removes it when it is null. */
export function writeStored(key: string, value: string | null, area: 'local' | 'session' = 'local'): void {
  const inMemory = keyOf(area, key);
  memory.delete(inMemory);
  try {
    if (value === null) storageOf(area).removeItem(key);
    else storageOf(area).setItem(key, value);
  } catch {
    if (value !== null) memory.set(inMemory, value);
  }
}
