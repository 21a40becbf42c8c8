import { expect, it } from 'vitest';
import { radiationSource } from './radiation.ts';

it.each(['CuKa1', 'cuka1', 'CuKα1', 'Cu Ka1', 'Cu-Kα1', ' Cu  Kα1 '])(
  'reads the source %j as instruments write it',
  (name) => {
    expect(radiationSource(name).id).toBe('CuKa1');
  },
);
