import { examples } from '@unitcell/contract/examples';
import { drawPourbaix } from '@unitcell/contract/stability';
import { MAX_OWN_IONS } from '@unitcell/contract/stability/rules';
import { describe, expect, it } from 'vitest';
import { textHeight, textWidth } from '../../viz/plot/rich-text.tsx';
import { readEllingham, writeEllingham } from './ellingham-address.ts';
import { readIons, readPourbaix, writePourbaix } from './pourbaix-address.ts';
import { hasMapArea, pourbaixFigure, speciesText } from './pourbaix-figure.ts';
import { readReaction, splitEquation, writeReaction } from './components/reaction-page.tsx';

describe('the address of a reaction', () => {
  it.each([
    'from=CaCO3&to=CaO%2CCO2&T=1100',
    'from=Fe2O3%2CC&to=Fe%2CCO&T=1000&p=CO%3A0.1&n=2&scale=PBE',
    '',
  ])('%j round-trips', (address) => {
    expect(writeReaction(readReaction(new URLSearchParams(address))).toString()).toBe(address);
  });

  it.each(['T=-5', 'T=x', 'p=CO2:0', 'p=CO2', 'n=0', 'n=1.5'])('%j falls back to the default', (address) => {
    expect(readReaction(new URLSearchParams(address))).toEqual(readReaction(new URLSearchParams()));
  });

  it('a pasted equation fills both sides', () => {
    expect(splitEquation('CaCO3 → CaO + CO2')).toEqual(['CaCO3', 'CaO + CO2']);
    expect(splitEquation('2 H2 + O2 = 2 H2O')).toEqual(['2 H2 + O2', '2 H2O']);
    expect(splitEquation('CaCO3')).toBeNull();
  });
});

describe('the address of an Ellingham diagram', () => {
  it.each([
    'kind=oxide&el=Fe%2CTi%2CAl%2CC',
    'kind=nitride&el=Ti%2CAl&min=400&max=2000&T=1500&s=none&computed=0&scale=PBE',
  ])('%j round-trips', (address) => {
    expect(writeEllingham(readEllingham(new URLSearchParams(address))).toString()).toBe(address);
  });

  it('without parameters shows the default diagram', () => {
    expect(readEllingham(new URLSearchParams('kind=x&T=-1&s=y'))).toMatchObject({
      kind: 'oxide',
      elements: 'Fe Ti Al C',
      reading: 1273,
      gasScale: 'pressure',
    });
  });
});

describe('the address of a Pourbaix diagram', () => {
  it.each([
    'el=Fe',
    'el=Fe%2CCr&r=1%2C2&c=0.001%2C0.000001&e=measured&from=-1&to=1.5&pH=4&U=-0.3',
    'el=Fe&ion=Fe%5B2%2B%5D+-91.5%3BFe%28OH%294%5B-%5D+-842',
    'compound=TiO3&E=-2.1&scale=PBE',
    'compound=TiO3&E=-2.1%2C-2.3%2C-1.9',
    'el=Ti&compound=%23142',
  ])('%j round-trips', (address) => {
    expect(writePourbaix(readPourbaix(new URLSearchParams(address))).toString()).toBe(address);
  });

  it.each(['pH=17', 'U=x', 'from=3&to=1', 'r=0,1', 'ion=Fe', 'e=x', 'E='])(
    '%j falls back to the default',
    (address) => {
      expect(readPourbaix(new URLSearchParams(address))).toEqual(readPourbaix(new URLSearchParams()));
    },
  );

  it('ions entered by the visitor are read one per line', () => {
    expect(readIons('Fe[2+] −91.5\n\nFe(OH)3(aq): -659')).toEqual([
      { formula: 'Fe[2+]', gibbs: -91.5 },
      { formula: 'Fe(OH)3(aq)', gibbs: -659 },
    ]);
    expect(readIons('Fe 3')).toBeNull();
    expect(readIons('Fe[2+] much')).toBeNull();
    expect(readIons('Fe[2+] -91.5\n'.repeat(MAX_OWN_IONS))).toHaveLength(MAX_OWN_IONS);
    expect(readIons('Fe[2+] -91.5\n'.repeat(MAX_OWN_IONS + 1))).toBeNull();
  });

  it.each([
    ['Fe[2+]', 'Fe²⁺'],
    ['FeO4[2-]', 'FeO₄²⁻'],
    ['Li[+]', 'Li⁺'],
    ['Fe(OH)3(aq)', 'Fe(OH)₃(aq)'],
    ['Fe2O3', 'Fe₂O₃'],
  ])('%s is shown as %s', (formula, text) => {
    expect(speciesText(formula)).toBe(text);
  });
});

describe('the names of a Pourbaix diagram', () => {
  const result = drawPourbaix.answer.parse(examples.drawPourbaix?.response);
  const { window: shown, water } = result;
  const colors = { ink: '#000', faint: '#888', rule: '#ccc', surface: '#fff' };
  const series = { series: ['#00f'], stable: '#080', unstable: '#800', highlight: '#fa0' };

  it('have a background on the map of a compound, which is drawn only if the compound is near the stable species', () => {
    const [region] = result.regions;
    if (region === undefined) throw new Error('the example has no regions');
    const placedAt = (above: number) => ({
      ...result,
      compound: {
        formula: 'X',
        struct_id: null,
        formation_energy: 0,
        plane: { ...region.plane, constant: region.plane.constant + above },
        regions: result.regions,
      },
    });
    expect([hasMapArea(result), hasMapArea(placedAt(9)), hasMapArea(placedAt(0.1))]).toEqual([
      false,
      false,
      true,
    ]);
    const { layout } = pourbaixFigure(
      { result: placedAt(0.1), reading: { ph: 7, volts: 0 }, hasMap: true, marked: null },
      { phAxis: 'pH', potentialAxis: 'V', provenance: '' },
      { ...colors, ...series },
      { width: 1100, height: 560 },
    );
    const names = (layout?.annotations ?? []).filter(({ yref }) => yref !== 'paper');
    expect(names.every(({ bgcolor }) => bgcolor !== undefined)).toBe(true);
  });

  it.each([300, 700, 1100])('at %i px width, cover neither the water lines nor the point', (width) => {
    const size = { width, height: 560 };
    const { layout } = pourbaixFigure(
      { result, reading: { ph: 7, volts: 0 }, hasMap: false, marked: null },
      { phAxis: 'pH', potentialAxis: 'V', provenance: '' },
      { ...colors, ...series },
      size,
    );
    // The drawing has margins of 80 px at the sides and 100 px above and below.
    const scale = {
      x: (width - 80) / (shown.ph_max - shown.ph_min),
      y: 460 / (shown.potential_max - shown.potential_min),
    };
    const names = (layout?.annotations ?? []).filter(({ yref }) => yref !== 'paper');
    expect(names.length).toBeGreaterThan(2);
    for (const { text = '', x, y, textangle, bgcolor } of names) {
      if (bgcolor !== undefined) continue;
      const [long, high] = [textWidth(text, 13) / 2, textHeight(text, 13) / 2];
      const [across, up] = textangle === '-90' ? [high, long] : [long, high];
      const [ph, volts] = [Number(x), Number(y)];
      expect(Math.abs(ph - 7) * scale.x > across || Math.abs(volts) * scale.y > up).toBe(true);
      for (const atZero of [water.hydrogen, water.oxygen])
        for (const side of [-1, 0, 1]) {
          const line = atZero + water.slope * (ph + (side * across) / scale.x);
          expect(Math.abs(line - volts) * scale.y).toBeGreaterThan(up);
        }
    }
  });
});
