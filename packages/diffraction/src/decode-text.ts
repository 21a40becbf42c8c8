/** Decodes the bytes of an uploaded file as text. */
import { type DiffractionError, type NotTextReason, unreadable } from './diffraction-error.ts';

/**
 * Encoding of an uploaded text file: UTF-8, UTF-16 (with or without byte-order mark) or GBK. Binary files are refused.
 */
type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be';

/** The part of the WHATWG Encoding standard used here; every browser and Node have it. */
declare const TextDecoder: new (
  label: string,
  options?: { fatal?: boolean },
) => { decode(bytes: Uint8Array): string };

/** Bytes examined to detect the encoding; enough for any file of numbers. */
const SNIFF_LENGTH = 4096;

/**
 * Smallest share of zero bytes in UTF-16. In ASCII text stored as UTF-16 every second byte is zero; other scripts in
 * comments lower the share.
 */
const UTF16_ZERO_SHARE = 0.3;

const SIGNATURES: readonly (readonly [NotTextReason, string, readonly number[]])[] = [
  ['picture', 'a PNG picture', [0x89, 0x50, 0x4e, 0x47]],
  ['picture', 'a JPEG picture', [0xff, 0xd8, 0xff]],
  ['picture', 'a GIF picture', [0x47, 0x49, 0x46, 0x38]],
  ['document', 'a PDF document', [0x25, 0x50, 0x44, 0x46]],
  ['archive', 'a ZIP archive or Office document', [0x50, 0x4b, 0x03, 0x04]],
  ['archive', 'a gzip archive', [0x1f, 0x8b]],
  ['document', 'an old Office document', [0xd0, 0xcf, 0x11, 0xe0]],
];

function notText(reason: NotTextReason, what: string): DiffractionError {
  return unreadable(
    reason,
    `the file is ${what}, not text: export the pattern as two columns, angle and intensity (lines such as "20.02 1534")`,
  );
}

const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean =>
  start.every((byte, index) => bytes[index] === byte);

function sniff(bytes: Uint8Array): TextEncoding {
  if (startsWith(bytes, [0xff, 0xfe])) return 'utf-16le';
  if (startsWith(bytes, [0xfe, 0xff])) return 'utf-16be';
  for (const [reason, what, signature] of SIGNATURES)
    if (startsWith(bytes, signature)) throw notText(reason, what);
  const zeros: [number, number] = [0, 0];
  const length = Math.min(bytes.length, SNIFF_LENGTH);
  for (let i = 0; i < length; i++) if (bytes[i] === 0) zeros[i % 2 === 0 ? 0 : 1] += 1;
  const half = length / 2;
  if (zeros[1] > UTF16_ZERO_SHARE * half && zeros[0] < 0.05 * half) return 'utf-16le';
  if (zeros[0] > UTF16_ZERO_SHARE * half && zeros[1] < 0.05 * half) return 'utf-16be';
  if (zeros[0] + zeros[1] > 0) throw notText('binary', 'binary');
  return 'utf-8';
}

/**
 * The text of a file. Bytes that are not UTF-8 are read as GBK, the usual encoding of Chinese
 * instrument software; digits are the same in both.
 * @throws DiffractionError `unreadable-pattern` for pictures, archives and other binary files.
 */
export function decodeText(bytes: Uint8Array): string {
  const encoding = sniff(bytes);
  if (encoding !== 'utf-8') return new TextDecoder(encoding).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('gbk').decode(bytes);
  }
}
