/** The same measurement in every encoding used by instruments gives the same pattern; binary data are refused. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { DiffractionError } from './diffraction-error.ts';
import { decodeText } from './decode-text.ts';
import { readMeasuredPattern } from './read-measured-pattern.ts';

const random = seededRandom(1960);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
/** UTF-16 code units as bytes, little or big endian. */
const utf16 = (text: string, isLittle: boolean): Uint8Array =>
  Uint8Array.from({ length: 2 * text.length }, (_, i) => {
    const unit = text.charCodeAt(i >> 1);
    return (i % 2 === 0) === isLittle ? unit & 0xff : unit >> 8;
  });
const MARK = '\ufeff';

function measurement(): string {
  const points = 40 + Math.floor(200 * random());
  let angle = 5 + 10 * random();
  const lines = Array.from({ length: points }, () => {
    angle += 0.01 + 0.05 * random();
    return `${angle.toFixed(3)} ${Math.round(40 + 1000 * random())}`;
  });
  return `${lines.join('\n')}\n`;
}

describe('decodeText', () => {
  it('reads the same text from UTF-8 and UTF-16, with and without a byte-order mark', () => {
    for (let round = 0; round < 60; round++) {
      const text = measurement();
      for (const bytes of [
        utf8(text),
        utf8(MARK + text),
        utf16(text, true),
        utf16(text, false),
        utf16(MARK + text, true),
        utf16(MARK + text, false),
      ])
        expect(decodeText(bytes)).toBe(text);
    }
  });

  it('reads the same pattern from every encoding, including files with a Chinese heading', () => {
    for (let round = 0; round < 20; round++) {
      const text = `角度 强度\n${measurement()}`;
      const wanted = readMeasuredPattern(utf8(text));
      // 角度 强度 in GBK.
      const heading = Uint8Array.of(0xbd, 0xc7, 0xb6, 0xc8, 0x20, 0xc7, 0xbf, 0xb6, 0xc8);
      const gbk = Uint8Array.from([...heading, ...utf8(text.slice(5))]);
      expect(decodeText(gbk)).toBe(text);
      for (const bytes of [gbk, utf16(text, true), utf16(text, false), utf16(MARK + text, true)]) {
        const found = readMeasuredPattern(bytes);
        expect([...found.x]).toEqual([...wanted.x]);
        expect([...found.y]).toEqual([...wanted.y]);
      }
    }
  });

  it('refuses random bytes that contain zeros, and throws no other error', () => {
    for (let round = 0; round < 300; round++) {
      const bytes = Uint8Array.from({ length: 1 + Math.floor(400 * random()) }, () =>
        Math.floor(256 * random()),
      );
      const refusal = (): unknown => {
        try {
          return decodeText(bytes) && null;
        } catch (error) {
          return error;
        }
      };
      const refused = refusal();
      expect(refused === null || refused instanceof DiffractionError).toBe(true);
    }
  });
});
