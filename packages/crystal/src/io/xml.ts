/**
 * Minimal XML parsing for machine-written files: finds elements by name, and their attributes. It does not
 * handle entities, comments or nested elements of the same name; callers refuse files that declare entities.
 */

/**
 * The next opening tag of a name, searched from `from`, and the offset after it. A damaged file may contain many
 * unclosed tags.
 */
function tagFrom(text: string, name: string, from: number): { tag: string; end: number } | null {
  const open = `<${name}`;
  for (let at = text.indexOf(open, from); at >= 0; at = text.indexOf(open, at + 1)) {
    if (/\w/.test(text.charAt(at + open.length))) continue;
    const end = text.indexOf('>', at);
    return end < 0 ? null : { tag: text.slice(at, end), end: end + 1 };
  }
  return null;
}

/**
 * Everything between the first opening tag of a name with these attributes and the next closing tag; null if there is
 * none.
 */
export function inside(text: string, name: string, attributes = ''): string | null {
  let open = tagFrom(text, name, 0);
  while (open && !open.tag.includes(attributes)) open = tagFrom(text, name, open.end);
  const end = open ? text.indexOf(`</${name}>`, open.end) : -1;
  return open && end >= 0 ? text.slice(open.end, end) : null;
}

export interface XmlElement {
  /** The opening tag without its closing bracket. */
  readonly tag: string;
  readonly body: string;
}

/** All elements of a name; elements of that name must not be nested. */
export function xmlElements(text: string, name: string): XmlElement[] {
  const close = `</${name}>`;
  const all: XmlElement[] = [];
  for (let open = tagFrom(text, name, 0); open; ) {
    const end = text.indexOf(close, open.end);
    if (end < 0) break;
    all.push({ tag: open.tag, body: text.slice(open.end, end) });
    open = tagFrom(text, name, end + close.length);
  }
  return all;
}

/** The bodies of all elements of a name; elements of that name must not be nested. */
export const bodies = (text: string, name: string): string[] =>
  xmlElements(text, name).map(({ body }) => body);

/** The value of an attribute of a tag, or of the first tag of a text that has it. */
export const xmlAttribute = (text: string, name: string): string | undefined =>
  new RegExp(`\\s${name}="([^"]{0,200})"`).exec(text)?.[1];

/** Whether the text declares a document type or an entity. */
export const declaresEntities = (text: string): boolean => /<!(?:DOCTYPE|ENTITY)/i.test(text);
