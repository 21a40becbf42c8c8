import { materialDetail } from '@unitcell/contract';
import answers from '../../../testing/answers.json';
import { expect, it } from 'vitest';
import { brillouinZoneSection } from './brillouin-zone-section.tsx';

const example = materialDetail.parse(answers.getStructDetail);

it.each([
  ['block', 'block', 'bands-pbe'],
  ['block', 'none', 'bands-pbe'],
  ['none', 'block', 'bands-hse'],
  ['none', 'none', null],
] as const)('with PBE bands %s and HSE bands %s the zone stands in %s', (pbe, hse, holder) => {
  const elec_diagram = {
    ...example.elec_diagram,
    pbe_elec_diagram_display: pbe,
    hse_elec_diagram_display: hse,
  };
  expect(brillouinZoneSection.within?.({ ...example, elec_diagram })).toBe(holder);
});
