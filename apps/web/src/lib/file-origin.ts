/** Provenance written into exported files, in the metadata format of each file type. */

/** A label of file metadata and its text: `['licence', 'CC BY 4.0']`. Always in English, as usual in file formats. */
export type OriginFact = readonly [label: string, text: string];

const lineOf = ([label, text]: OriginFact): string => `${label}: ${text.replaceAll(/\s+/g, ' ').trim()}`;

/** Lines that begin with `#` before the header, which statistics programs read as comments. */
export const csvWithOrigin = (csv: string, facts: readonly OriginFact[]): string =>
  [...facts.map((fact) => `# ${lineOf(fact)}`), csv].join('\r\n');

/** Adds a member `file_origin` to the exported object. */
export const jsonWithOrigin = (content: object, facts: readonly OriginFact[]): string =>
  JSON.stringify({ file_origin: facts.map(([label, text]) => ({ label, text })), ...content }, null, 2);

const XML: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** Text as content of an XML or HTML element, or of an attribute in double quotation marks. */
export const escapeXml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => XML[sign] ?? sign);

/** The Dublin Core element for each fact. */
const DUBLIN_CORE: Readonly<Record<string, string>> = {
  entry: 'title',
  address: 'identifier',
  source: 'source',
  licence: 'rights',
  downloaded: 'date',
};

/** Adds `<metadata>` in RDF with Dublin Core, which drawing programs show as the properties of the document. */
export function svgWithOrigin(svg: string, facts: readonly OriginFact[]): string {
  const elements = facts.map((fact) => {
    const name = DUBLIN_CORE[fact[0]];
    return name === undefined
      ? `<dc:description>${escapeXml(lineOf(fact))}</dc:description>`
      : `<dc:${name}>${escapeXml(fact[1])}</dc:${name}>`;
  });
  const metadata = `<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description>${elements.join('')}</rdf:Description></rdf:RDF></metadata>`;
  return svg.replace(/<svg\b[^>]*>/, (tag) => `${tag}${metadata}`);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xed_b8_83_20 ^ (crc >>> 1) : crc >>> 1;
  return crc;
});

/** CRC-32 of PNG chunks (ISO 3309). */
function crc32(bytes: Uint8Array): number {
  let crc = 0xff_ff_ff_ff;
  for (const byte of bytes) crc = (CRC_TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xff_ff_ff_ff) >>> 0;
}

/** A chunk of international text: keyword, uncompressed, no language, UTF-8. */
function textChunk([label, text]: OriginFact): Uint8Array {
  const encoder = new TextEncoder();
  const keyword = label.charAt(0).toUpperCase() + label.slice(1);
  const body = encoder.encode(`iTXt${keyword}\0\0\0\0\0${text}`);
  const chunk = new Uint8Array(body.length + 8);
  const view = new DataView(chunk.buffer);
  view.setUint32(0, body.length - 4);
  chunk.set(body, 4);
  view.setUint32(body.length + 4, crc32(body));
  return chunk;
}

/** Length in bytes of the PNG signature and header, after which text chunks are inserted. */
const PNG_HEAD = 33;
const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47];

/** Adds text chunks, which picture viewers and reference managers show; other bytes are unchanged. */
export function pngWithOrigin(png: Uint8Array, facts: readonly OriginFact[]): Uint8Array {
  if (PNG_SIGNATURE.some((byte, at) => png[at] !== byte)) return png;
  const parts = [png.subarray(0, PNG_HEAD), ...facts.map(textChunk), png.subarray(PNG_HEAD)];
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** All facts in one line, for formats that have room for only one. */
export const originLine = (facts: readonly OriginFact[]): string =>
  facts.map(([, text]) => text.replaceAll(/\s+/g, ' ').trim()).join(' | ');
