import { expect, it } from 'vitest';
import { readScale, withScale } from './scale-parameter.ts';

it('an address names its scale, or none for the one of the site', () => {
  expect(withScale('/matdatades/7', null)).toBe('/matdatades/7');
  const path = withScale('/Ec_windowDetail/7/Li', 'PBE (MP 2018)');
  expect(path).toBe('/Ec_windowDetail/7/Li?scale=PBE+%28MP+2018%29');
  expect(readScale(new URL(path, 'http://localhost').searchParams)).toBe('PBE (MP 2018)');
  for (const query of ['', 'scale=', 'scale=+']) expect(readScale(new URLSearchParams(query))).toBeNull();
});
