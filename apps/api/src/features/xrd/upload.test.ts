import {
  type ReceivedPattern,
  receivedPattern,
  withoutBackground,
  xrdDataAnswer,
} from '@unitcell/contract/xrd';
import { seededRandom } from '@unitcell/numerics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { asText, measure, uploadOf } from './testing/synthetic-pattern.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
});
afterAll(() => test.close());

async function upload(content: string | Uint8Array, language = 'en', field?: string, name?: string) {
  const { payload, headers } = uploadOf(content, field, name);
  const answer = await test.app.inject({
    method: 'POST',
    url: '/api/xrd/xrd_receive/',
    payload,
    headers: { ...headers, authorization: `token ${token}`, 'accept-language': language },
  });
  return { status: answer.statusCode, body: answer.json<ReceivedPattern & { code?: string }>() };
}

const lines = [
  { twoThetaDeg: 27.35, intensity: 10 },
  { twoThetaDeg: 31.69, intensity: 100 },
  { twoThetaDeg: 45.45, intensity: 60 },
];
const scan = measure(lines);
const text = asText(scan);

describe('uploads with unterminated parts', () => {
  const { payload, headers } = uploadOf(text);
  const type = headers['content-type'];
  it.each([
    ['another boundary', payload, 'multipart/form-data; boundary=zzz'],
    ['no boundary', payload, 'multipart/form-data'],
    ['no end', payload.subarray(0, payload.length - 30), type],
    ['a cut head', payload.subarray(0, 40), type],
    ['nothing', Buffer.alloc(0), type],
  ])('%s: answers every upload with 400 or a message', async (_name, body, contentType) => {
    for (const url of ['/api/xrd/xrd_receive/', '/api/run4u/run4u_handle/', '/api/arkid/upload_avatar/']) {
      const answer = await test.app.inject({
        method: 'POST',
        url,
        payload: body,
        headers: { 'content-type': contentType, authorization: `token ${token}`, 'accept-language': 'en' },
      });
      expect([url, answer.statusCode < 500]).toEqual([url, true]);
      const { error, message } = answer.json<{ error: string; message: string }>();
      expect(error).toBe('true');
      expect(message).toMatch(/[a-z]{3,}.*\.$/);
    }
  });
});

/** A Rigaku RAS file of the scan. */
const ras = (axis: string, anode = 'Co'): string => `*RAS_DATA_START
*RAS_HEADER_START
*HW_XG_TARGET_NAME "${anode}"
*HW_XG_WAVE_LENGTH_ALPHA1 "1.788965"
*HW_XG_WAVE_LENGTH_ALPHA2 "1.792850"
*MEAS_SCAN_AXIS_X_INTERNAL "${axis}"
*RAS_HEADER_END
*RAS_INT_START
${asText(scan)
  .split('\n')
  .map((line) => `${line} 1.0000`)
  .join('\n')}
*RAS_INT_END
*RAS_DATA_END
`;

describe('xrd_receive', () => {
  it('returns the pattern of a plain file, within the contract', async () => {
    const { status, body } = await upload(text, 'en', 'xrd-file', 'halite.txt');
    expect(status).toBe(200);
    expect(receivedPattern.parse(body)).toEqual(body);
    expect(body).toMatchObject({ error: 'false', name: 'pristine', file_name: 'halite.txt', warnings: [] });
    expect(body.x).toEqual(scan.x);
    expect(body.y).toEqual(scan.y);
  });

  it.each([
    ['headers, CRLF and tabs', `Sample 7\r\n# Cu Ka\r\n${asText(scan, '\t').replaceAll('\n', '\r\n')}`],
    ['CR alone and semicolons', asText(scan, ';').replaceAll('\n', '\r')],
    ['decimal commas', text.replaceAll('.', ',')],
    ['comma-separated values', asText(scan, ',')],
    ['UTF-16', Buffer.from(`\uFEFF${text}`, 'utf16le')],
    ['GBK comments', Buffer.concat([Buffer.from([0xd1, 0xf9, 0xc6, 0xb7, 0x0a]), Buffer.from(text)])],
    ['falling angles', text.split('\n').reverse().join('\n')],
    ['a third column', text.replaceAll('\n', ' 3\n').concat(' 3')],
  ])('reads %s to the same pattern', async (_name, content) => {
    const { body } = await upload(content);
    expect([body.error, body.message]).toEqual(['false', '']);
    expect(body.x).toEqual(scan.x);
    expect(body.y).toEqual(scan.y);
  });

  it('describes how the file was read', async () => {
    const { body } = await upload(`angle intensity\n10.00 77\n${text}`);
    expect(body.warnings).toEqual([
      'Header, comment or odd lines skipped: 1.',
      'Repeated angles averaged: 1.',
    ]);
  });

  it('returns the standard deviations of a file and says that a refinement uses them', async () => {
    const rows = scan.x.map((x, i) => `${x} ${scan.y[i]} ${(0.5 * Math.sqrt(scan.y[i]!)).toFixed(4)}`);
    const { body } = await upload(rows.join('\n'));
    expect(receivedPattern.parse(body)).toEqual(body);
    expect(body.sigmas?.length).toBe(scan.x.length);
    expect(body.sigmas?.[9]).toBeCloseTo(0.5 * Math.sqrt(scan.y[9]!), 3);
    expect(body.warnings).toEqual([
      'The file states standard deviations σ: a refinement weights each point by 1/σ².',
    ]);
  });

  it('averages a file with too many points and adds a note', async () => {
    const many = Array.from({ length: 90_000 }, (_, i) => `${(10 + i / 1000).toFixed(3)} ${i % 997}`);
    const { body } = await upload(many.join('\n'));
    expect(body.x.length).toBe(18_000);
    expect(body.x[0]).toBeCloseTo(10.002, 6);
    expect(body.warnings).toEqual(['90000 points were averaged to 18000.']);
    // The mean of 100 to 104 counts has the variance of their sum over 25.
    expect(body.y[20]).toBe(102);
    expect(body.sigmas?.[20]).toBeCloseTo(Math.sqrt(510) / 5, 3);
  });

  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
  it.each([
    ['an empty file', '', 'xrd.file.empty', /"20.02 1534"/],
    ['2 MB of one column', '1534\n'.repeat(400_000), 'xrd.file.columns', /Line 1 .*"20.02 1534"/],
    ['a constant pattern', scan.x.map((x) => `${x} 5`).join('\n'), 'xrd.file.constant', /are 5/],
    ['three points', '10 1\n20 2\n30 3', 'xrd.file.too-few', /only 3 .*20 lines/],
    ['angles beyond 180', text.replace('79.98', '181.5'), 'xrd.file.angle', /181.5/],
    ['negative intensities', text.replace(/31\.68 \d+/, '31.68 -900'), 'xrd.file.negative', /-900/],
    ['an infinite intensity', text.replace(/31\.68 \d+/, '31.68 inf'), 'xrd.file.not-finite', /Line 1085/],
    ['a number too large', text.replace(/31\.68 \d+/, '31.68 1e999'), 'xrd.file.not-finite', /Line 1085/],
    ['HTML', '<!doctype html><html><p>10 20', 'xrd.file.markup', /web page.*"20.02 1534"/],
    ['prose', 'This is\nno pattern\n', 'xrd.file.no-numbers', /"This is"/],
    ['a picture', png, 'xrd.file.picture', /picture/],
    ['a PDF', Buffer.from('%PDF-1.7\n\u0000'), 'xrd.file.document', /PDF/],
    ['a ZIP archive', Buffer.from('504b030414000000', 'hex'), 'xrd.file.archive', /archive/],
    ['a RAW file', Buffer.from('RAW1.01\u0000'), 'xrd.file.instrument-file', /Bruker/],
    ['a rocking curve', ras('Omega'), 'xrd.file.not-two-theta', /Rigaku RAS .* over Omega/],
    ['zero bytes', new Uint8Array(1000), 'xrd.file.binary', /binary/],
    ['more than 2 MB', '10.00 1534\n'.repeat(200_000), 'xrd.too-large', /2 MB/],
  ])('rejects %s with a message', async (_name, content, code, message) => {
    const { status, body } = await upload(content);
    expect([status, body.error, body.code]).toEqual([200, 'true', code]);
    expect(body.message).toMatch(message);
    expect(body.message).not.toMatch(/\{\{/);
    const chinese = (await upload(content, 'zh')).body.message;
    expect(chinese).toMatch(/[一-鿿]/);
    expect(chinese).not.toMatch(/\{\{/);
  });

  it('returns the pattern in an instrument file and what the file states about the measurement', async () => {
    const { body } = await upload(ras('TwoThetaTheta'), 'en', 'xrd-file', 'scan.txt');
    expect(receivedPattern.parse(body)).toEqual(body);
    expect([body.x, body.y]).toEqual([scan.x, scan.y]);
    expect(body.measurement).toMatchObject({
      format: 'Rigaku RAS',
      axis: 'TwoThetaTheta',
      anode: 'Co',
      k_alpha1: 1.788965,
      radiation: 'CoKa',
      wavelengths: [
        { wavelength: 1.788965, weight: 1 },
        { wavelength: 1.79285, weight: 0.5 },
      ],
    });
  });

  it('states no radiation if the statements of the file contradict each other, and reports this', async () => {
    const { body } = await upload(ras('TwoThetaTheta', 'Cu'));
    expect(body.measurement).not.toHaveProperty('radiation');
    expect(body.warnings).toEqual([expect.stringMatching(/contradicts itself: anode Cu, .* 1\.788965/)]);
  });

  it('reports a missing or misnamed file', async () => {
    expect((await upload(text, 'en', 'cif-file')).body.code).toBe('xrd.no-file');
    expect((await test.post('/api/xrd/xrd_receive/', {}, { token })).json().code).not.toBe('server.failed');
  });

  it('returns a pattern or a message for every file of a seeded fuzz test', async () => {
    const random = seededRandom(20_2608);
    const bytes = Buffer.from(text.slice(0, 4000));
    for (let round = 0; round < 80; round++) {
      const mangled = Buffer.from(bytes.subarray(0, 20 + Math.floor(random() * (bytes.length - 20))));
      const changes = Math.floor(random() * 12);
      for (let i = 0; i < changes; i++)
        mangled[Math.floor(random() * mangled.length)] = Math.floor(random() * 256);
      const { status, body } = await upload(mangled);
      expect(status).toBe(200);
      const isPattern = body.error === 'false' && receivedPattern.safeParse(body).success;
      const isMessage =
        (body as { error: string }).error === 'true' && body.code?.startsWith('xrd.') && body.message !== '';
      expect(isPattern || isMessage).toBe(true);
    }
  });
});

describe('xrd_nor_data', () => {
  it('scales the strongest point to 100', async () => {
    const answer = await test.post('/api/xrd/xrd_nor_data/', { xrd_data: scan }, { token });
    const body = xrdDataAnswer.parse(answer.json());
    expect(body.name).toBe('normlized');
    expect(Math.max(...body.y)).toBe(100);
    expect(body.x).toEqual(scan.x);
    expect(body.y[100]! / body.y[200]!).toBeCloseTo(scan.y[100]! / scan.y[200]!, 4);
  });
});

describe('xrd_remove_bg', () => {
  const remove = async (isNormalize: boolean | string) =>
    withoutBackground.parse(
      (await test.post('/api/xrd/xrd_remove_bg/', { xrd_data: scan, isNormalize }, { token })).json(),
    );

  it('subtracts the background and returns it', async () => {
    const body = await remove(false);
    expect(body).toMatchObject({ error: 'false', name: 'pristine', background_removed: true });
    // The background falls from 100 to 33 counts.
    expect(body.background[20]).toBeGreaterThan(70);
    expect(body.background[20]).toBeLessThan(120);
    expect(body.background.at(-20)).toBeLessThan(50);
    const differences = body.y.map((y, i) => (y > 0 ? Math.abs(y + body.background[i]! - scan.y[i]!) : 0));
    expect(Math.max(...differences)).toBeLessThan(0.01);
  });

  it('also normalises when the flag is set, as a boolean or as text', async () => {
    for (const flag of [true, 'true']) {
      const body = await remove(flag);
      expect(body.name).toBe('normlized');
      expect(Math.max(...body.y)).toBe(100);
    }
    expect((await remove('false')).name).toBe('pristine');
  });
});

describe.each(['xrd_nor_data', 'xrd_remove_bg'])('%s', (path) => {
  const send = (xrd_data: unknown) => test.post(`/api/xrd/${path}/`, { xrd_data }, { token });
  const x = scan.x.slice(0, 40);
  const y = scan.y.slice(0, 40);

  it.each([
    ['unequal lengths', { x, y: y.slice(1) }, 'xrd.data.lengths'],
    ['too few points', { x: x.slice(0, 3), y: y.slice(0, 3) }, 'xrd.data.too-few'],
    ['too many points', { x: Array(20_001).fill(1), y: Array(20_001).fill(1) }, 'xrd.data.too-many'],
    ['an angle beyond 180', { x: [...x.slice(0, -1), 180.5], y }, 'xrd.data.angle'],
    ['a negative angle', { x: [-1, ...x.slice(1)], y }, 'xrd.data.angle'],
    ['falling angles', { x: x.toReversed(), y }, 'xrd.data.order'],
    ['a constant pattern', { x, y: y.map(() => 7) }, 'xrd.data.constant'],
    ['negative intensities', { x, y: [-500, ...y.slice(1)] }, 'xrd.data.negative'],
    ['intensities whose squares overflow', { x, y: y.map((count) => 1e297 * count) }, 'xrd.data.negative'],
  ])('rejects %s with a message', async (_name, data, code) => {
    const answer = await send(data);
    expect([answer.statusCode, answer.json().code]).toEqual([200, code]);
    expect(answer.json().message).not.toMatch(/\{\{/);
  });

  it('returns 400 for values that are not numbers', async () => {
    for (const bad of [{ x, y: [null, ...y.slice(1)] }, { x, y: 'many' }, { y }, [], 'text']) {
      const answer = await send(bad);
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'request.invalid']);
    }
    const infinite = JSON.stringify({ xrd_data: { x, y } }).replace(`"y":[${y[0]}`, '"y":[1e999');
    expect((await test.post(`/api/xrd/${path}/`, infinite, { token })).statusCode).toBe(400);
  });
});
