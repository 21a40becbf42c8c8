import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  csvWithOrigin,
  jsonWithOrigin,
  type OriginFact,
  originLine,
  pngWithOrigin,
  svgWithOrigin,
} from './file-origin.ts';
import { toCsv } from './download.ts';

const FACTS: readonly OriginFact[] = [
  ['entry', 'Unitcell entry 142: TiO2, P4_2/mnm (136)'],
  ['address', 'https://cells.example/matdatades/142?a=1&b=2'],
  ['source', 'Grégoire & "Sons" <1963>,\nvol. 1, ε∞'],
  ['licence', 'CC BY 4.0'],
  ['scale', 'PBE (MP 2018)'],
];

describe('a file with its origin', () => {
  it('CSV has comment lines before the header and an unchanged table', () => {
    const csv = toCsv(['a', 'b'], [[1, 'x,y']]);
    const lines = csvWithOrigin(csv, FACTS).split('\r\n');
    expect(lines.filter((line) => line.startsWith('# '))).toHaveLength(FACTS.length);
    expect(lines.filter((line) => !line.startsWith('#')).join('\r\n')).toBe(csv);
    expect(lines).toContain('# source: Grégoire & "Sons" <1963>, vol. 1, ε∞');
  });

  it('JSON has unchanged content and its origin', () => {
    const { file_origin: origin, ...content } = JSON.parse(jsonWithOrigin({ struct_id: 142 }, FACTS));
    expect(content).toEqual({ struct_id: 142 });
    expect(origin.map(({ label, text }: Record<string, string>) => [label, text])).toEqual(FACTS);
  });

  it('SVG has metadata that a parser can read, and an unchanged drawing', () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="10"><path d="M0 0"/></svg>';
    const stamped = svgWithOrigin(svg, FACTS);
    const unescaped = stamped
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    for (const [, text] of FACTS) expect(unescaped).toContain(text);
    expect(stamped.replace(/<metadata>.*<\/metadata>/s, '')).toBe(svg);
    expect(stamped).toContain('<dc:rights>CC BY 4.0</dc:rights>');
  });

  it('PNG has text chunks with valid checksums before unchanged image data', () => {
    const png = onePixel();
    const stamped = pngWithOrigin(png, FACTS);
    const chunks = chunksOf(stamped);
    expect(chunks.map(({ type }) => type)).toEqual(['IHDR', ...FACTS.map(() => 'iTXt'), 'IDAT', 'IEND']);
    for (const { isSound } of chunks) expect(isSound).toBe(true);
    const texts = chunks
      .filter(({ type }) => type === 'iTXt')
      .map(({ data }) => new TextDecoder().decode(data).split('\0\0\0\0\0'));
    expect(texts).toEqual(FACTS.map(([label, text]) => [label[0]!.toUpperCase() + label.slice(1), text]));
    expect(chunksOf(png)).toEqual(chunks.filter(({ type }) => type !== 'iTXt'));
  });

  it('data that is not PNG is unchanged; one line contains all facts', () => {
    const other = new Uint8Array([1, 2, 3]);
    expect(pngWithOrigin(other, FACTS)).toBe(other);
    expect(originLine(FACTS)).not.toMatch(/[\r\n]/);
    expect(originLine(FACTS)).toContain('| CC BY 4.0 |');
  });
});

/** CRC-32 bit by bit, without a table. */
function crcOf(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (0xed_b8_83_20 & -(crc & 1));
  }
  return ~crc >>> 0;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const body = new Uint8Array([...new TextEncoder().encode(type), ...data]);
  const whole = new Uint8Array(body.length + 8);
  new DataView(whole.buffer).setUint32(0, data.length);
  whole.set(body, 4);
  new DataView(whole.buffer).setUint32(body.length + 4, crcOf(body));
  return whole;
}

const onePixel = (): Uint8Array =>
  new Uint8Array([
    ...Buffer.from('89504e470d0a1a0a', 'hex'),
    ...chunk('IHDR', new Uint8Array([0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0])),
    ...chunk('IDAT', deflateSync(new Uint8Array([0, 255]))),
    ...chunk('IEND', new Uint8Array()),
  ]);

function chunksOf(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset);
  const chunks = [];
  for (let at = 8; at < png.length; ) {
    const length = view.getUint32(at);
    const body = png.slice(at + 4, at + 8 + length);
    const isSound = view.getUint32(at + 8 + length) === crcOf(body);
    chunks.push({ type: new TextDecoder().decode(body.slice(0, 4)), data: body.slice(4), isSound });
    at += length + 12;
  }
  return chunks;
}
