/** Reactions at temperature and pressure, Ellingham and Pourbaix diagrams, on the seed data. */
import { describe, expect, it } from 'vitest';
import { CHART } from './support/charts.ts';
import { openAsMember } from './support/open-site.ts';
import { overflowOf } from './support/page-checks.ts';
import { switchTo } from './support/page-state.ts';

const { page, open } = await openAsMember('13900000047');
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

describe('the reaction calculator', () => {
  it('balances a pasted equation, keeps it in the address and follows the pressure of CO2', async () => {
    await open('/reaction');
    await page.getByRole('textbox', { name: 'Reactants' }).fill('CaCO3 -> CaO + CO2');
    await expect.poll(() => page.getByRole('textbox', { name: 'Products' }).inputValue()).toBe('CaO + CO2');
    await page.getByRole('textbox', { name: 'Temperature (K)' }).fill('1100');
    await page.getByRole('button', { name: 'Calculate' }).click();
    // Calcite and CO2 at 1 bar: 1,167 K by FREED and JANAF, 1,171 K (898 °C) in textbooks.
    await page.getByText(/^Equilibrium \(ΔG = 0\) at 116\d K$/).waitFor();
    await page.getByText('ΔG > 0 at 1100 K: the reaction runs to the left.').waitFor();
    await expect
      .poll(() => [parameter('from'), parameter('to'), parameter('T')])
      .toEqual(['CaCO3', 'CaO,CO2', '1100']);
    const pressure = page.getByRole('textbox', { name: 'p(CO₂) (bar)' });
    await pressure.fill('4.2e-4');
    await pressure.press('Enter');
    await page.getByText('ΔG < 0 at 1100 K: the reaction runs to the right.').waitFor();
    await expect.poll(() => parameter('p')).toBe('CO2:0.00042');
    await page.locator(CHART).first().waitFor();
  });

  it('shows measured and computed energies of the thermite reaction beside each other', async () => {
    await open('/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000');
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name} `) });
    // ΔG by NIST-JANAF at 1,000 K: 2 × −492.95 + 762.4 kJ/mol.
    await row('measured').getByText('−223.5').waitFor();
    await row('computed').getByText(/± \d+/).waitFor();
    await page.getByRole('row', { name: /MgO/ }).getByRole('link').first().waitFor();
  });

  it('finds the temperature at which zinc boils, and says that FeO of the tables is not wüstite', async () => {
    await open('/reaction?from=Zn&to=Zn(g)');
    await page.getByText(/^Equilibrium \(ΔG = 0\) at 1180 K$/).waitFor();
    const pressure = page.getByRole('textbox', { name: 'p(Zn(g)) (bar)' });
    await pressure.fill('0.01');
    await pressure.press('Enter');
    await page.getByText(/^Equilibrium \(ΔG = 0\) at 8\d\d K$/).waitFor();
    await open('/reaction?from=Fe3O4,H2&to=FeO,H2O&T=1000');
    await page.getByText(/For wüstite enter Fe0\.947O/).waitFor();
  });

  it('lists all balances of an equation that has several', async () => {
    await open('/reaction?from=C,O2,H2&to=CO2,H2O');
    await page.getByText('The equation has 2 independent balances.', { exact: false }).waitFor();
    await page.getByRole('combobox', { name: 'Balance shown' }).selectOption({ index: 1 });
    await expect.poll(() => parameter('n')).toBe('2');
  });
});

describe('the Ellingham diagram', () => {
  it('draws Fe, Ti, Al and C, and reads pressures and gas mixtures at a temperature', async () => {
    await open('/ellingham');
    await page.locator(CHART).first().waitFor();
    const table = page.getByRole('table', { name: 'Lines at 1273 K (1000 °C)' });
    // Iron and wüstite at 1,273 K: log10 p(O2) = −14.9 (Huebner 1971).
    await table
      .getByRole('row', { name: /Fe0\.947O/ })
      .getByText(/−14\.[89]/)
      .first()
      .waitFor();
    await page
      .getByRole('spinbutton', { name: 'Temperature (K)' })
      .or(page.getByRole('textbox', { name: 'Temperature (K)' }))
      .fill('2000');
    await page.getByRole('table', { name: 'Lines at 2000 K (1727 °C)' }).waitFor();
    await expect.poll(() => parameter('T')).toBe('2000');
  });

  it('can be changed to carbonates, and names elements that form none', async () => {
    await open('/ellingham?el=Ca,Mg,Al&T=900');
    await page.getByRole('combobox', { name: 'Compounds' }).selectOption('carbonate');
    await page.getByText('No measured compound of this kind: Al.').waitFor();
    await page.getByRole('row', { name: /CaCO3/ }).first().waitFor();
  });
});

const poscar = (formula: string, text: string) => ({
  name: `${formula}.vasp`,
  mimeType: 'text/plain',
  buffer: Buffer.from(text),
});
/** A crystal whose formula is not in the catalogue. */
const TI3O = poscar(
  'Ti3O',
  'own\n1\n4 0 0\n0 4 0\n0 0 4\nTi O\n3 1\nDirect\n.5 .5 0\n.5 0 .5\n0 .5 .5\n0 0 0\n',
);
/** LiF as in the catalogue, with a slightly larger cell. */
const LIF = poscar(
  'LiF',
  'known\n1\n0 2.05 2.05\n2.05 0 2.05\n2.05 2.05 0\nLi F\n1 1\nDirect\n0 0 0\n.5 .5 .5\n',
);

describe('the Pourbaix diagram', () => {
  const reading = () => page.locator('main p', { hasText: /^pH / });

  it('says that an element is radioactive', async () => {
    await open('/pourbaix?el=Tc&e=measured');
    await page.getByText('Radioactive: Tc.', { exact: false }).waitFor();
  });

  it('draws iron from measured energies, and shows the species at a typed point and under the pointer', async () => {
    await open('/pourbaix?el=Fe&e=measured');
    const chart = page.locator(CHART).first();
    await chart.waitFor();
    await reading().getByText('Fe₂O₃').waitFor();
    await page.getByRole('textbox', { name: 'pH' }).fill('4');
    await page.getByRole('textbox', { name: 'Potential (V)' }).fill('-0.3');
    await reading().getByText('Fe²⁺').waitFor();
    await expect.poll(() => [parameter('pH'), parameter('U')]).toEqual(['4', '-0.3']);
    // Near the lower edge iron is immune.
    const box = await chart.boundingBox();
    if (box === null) throw new Error('the diagram has no box');
    await page.mouse.move(box.x + box.width / 2, box.y + box.height - 110);
    await reading().getByText('Immunity: only elements').waitFor();
    await page
      .getByRole('row', { name: /FeO4/ })
      .or(page.getByRole('row', { name: /FeO₄/ }))
      .first()
      .waitFor();
  });

  it('shows LiFePO4, ions and concentrations entered by the visitor, and crystals from files', async () => {
    await open('/pourbaix?compound=LiFePO4');
    await reading()
      .getByText(/Decomposition energy of LiFePO₄: /)
      .waitFor();
    await page.getByText('Its energy is that of the entry in the database.').waitFor();
    await page.getByRole('checkbox', { name: 'Map of the decomposition energy' }).uncheck();
    await page.getByText('Solids and ions').first().waitFor();
    const concentration = page.getByRole('textbox', { name: 'c(Fe) (mol/l)' });
    await concentration.fill('0.01');
    await concentration.press('Enter');
    await expect.poll(() => parameter('c')).toBe('0.000001,0.01,0.000001');
    await page.getByText('Your own ions').click();
    await page.getByRole('textbox', { name: /One per line/ }).fill('Fe[2+] -91.5');
    await page.getByRole('button', { name: 'Apply' }).last().click();
    await expect.poll(() => parameter('ion')).toBe('Fe[2+] -91.5');
    const file = page.getByLabel('Choose or drop a CIF or POSCAR');
    await file.setInputFiles(TI3O);
    await page.getByText(/Predicted formation energy .* 90 % interval/).waitFor();
    await reading()
      .getByText(/Decomposition energy of Ti₃O: .* \(90 % interval/)
      .waitFor();
    await expect.poll(() => parameter('compound')).toBe('Ti3O');
    await page
      .getByText('Ti₃O is more than 0.5 eV/atom above the stable species', { exact: false })
      .waitFor();
    await file.setInputFiles(LIF);
    await page.getByText('LiF has the structure of a material in the database', { exact: false }).waitFor();
    await expect.poll(() => parameter('compound')).toMatch(/^#\d+$/);
    await page.getByRole('textbox', { name: 'Formula or #id' }).fill('LiF');
    await page.getByRole('textbox', { name: 'Formation energy (eV/atom)' }).fill('-2');
    await page.getByRole('button', { name: 'Apply' }).first().click();
    await page.getByText('Its energy is the one entered.').waitFor();
  });
});

describe('the page of one chemical system', () => {
  it('shows a chosen phase in every diagram, and keeps the phase and the readings in the address', async () => {
    await open('/stability');
    await page.getByRole('textbox', { name: 'Elements' }).fill('Ti O Xx');
    await page.getByRole('button', { name: 'Draw' }).click();
    await page.getByText('Not an element: Xx.', { exact: false }).waitFor();
    await page.getByRole('textbox', { name: 'Elements' }).fill('Ti-O');
    await page.getByRole('button', { name: 'Draw' }).click();
    await expect.poll(() => parameter('q')).toBe('Ti O');
    const phase = page.getByRole('combobox', { name: 'Phase' });
    await phase.selectOption({ label: 'TiO₂ C2/m #145' });
    await expect.poll(() => parameter('phase')).toBe('145');
    for (const id of ['hull', 'potentials', 'water', 'temperature', 'voltage'])
      await page.locator(`#${id} ${CHART}`).first().waitFor();
    await page.getByText('Electrochemical window of TiO₂.').waitFor();
    await page.locator('#water p', { hasText: /Decomposition energy of TiO₂: / }).waitFor();
    await page.getByRole('combobox', { name: 'Working ion' }).selectOption('Na');
    await page.getByRole('textbox', { name: 'pH' }).fill('4');
    await expect.poll(() => [parameter('ion'), parameter('pH')]).toEqual(['Na', '4']);
    // The rows of the chosen phase and of the phase under the pointer are marked.
    const marked = page.locator('#temperature tr[data-highlighted]');
    await marked.filter({ hasText: 'TiO2' }).first().waitFor();
    await page
      .locator('#hull')
      .getByRole('row', { name: /^Ti2O3 / })
      .hover();
    await marked.filter({ hasText: 'Ti2O3' }).first().waitFor();
    // The chosen phase is also the compound whose chemical potentials are shown.
    await page.getByRole('combobox', { name: 'Stable compound' }).selectOption('Ti2O3');
    await page.getByText('Electrochemical window of Ti₂O₃.').waitFor();
    await expect.poll(() => parameter('phase')).not.toBe('145');
    await page.reload();
    // Panels below the hull load when they come near the window, or after the visitor's first input.
    await page.locator(`#hull ${CHART}`).first().waitFor();
    await page.mouse.wheel(0, 600);
    await page.getByText('Electrochemical window of Ti₂O₃.').waitFor();
    expect(await page.getByRole('combobox', { name: 'Working ion' }).inputValue()).toBe('Na');
  });

  it('shows an uploaded crystal in every diagram, in Chinese and on a phone', async () => {
    await switchTo(page, 'zh');
    await page.setViewportSize({ width: 360, height: 780 });
    await open('/stability');
    const file = page.getByLabel('选择或拖入 CIF 或 POSCAR 文件');
    await file.setInputFiles(TI3O);
    await page.getByText(/相对已知物相 .*90 % 区间/).waitFor();
    await expect.poll(() => [parameter('q'), parameter('own')]).toEqual(['Ti O', 'Ti3O']);
    await expect.poll(() => parameter('E')).toMatch(/^-?[\d.]+,-?[\d.]+,-?[\d.]+$/);
    await page.reload();
    await page.getByText(/相对已知物相 .*90 % 区间/).waitFor();
    // Diagrams are drawn when they come near the window.
    for (const id of ['hull', 'water', 'voltage']) {
      await page.locator(`#${id}`).scrollIntoViewIfNeeded();
      await page.locator(`#${id} ${CHART}`).first().waitFor();
    }
    await page.getByText('Ti₃O 按预测能量的电化学窗口。').waitFor();
    await page.locator('#water p', { hasText: /Ti₃O/ }).first().waitFor();
    await expect.poll(() => overflowOf(page)).toBe('');
    // The catalogue contains this crystal, so its energy on the current scale is used.
    await file.setInputFiles(LIF);
    await page.getByText('LiF 的结构与数据库中的材料相同', { exact: false }).waitFor();
    await page
      .getByRole('link', { name: /打开材料 #\d+/ })
      .first()
      .waitFor();
    await page.getByText('LiF 的电化学窗口。').waitFor();
  });
});

// The sweep checks these pages on a phone in English, and in Chinese on a desktop.
describe.runIf(process.env.NIGHTLY)('stability in Chinese at 360 px', () => {
  it('shows an oxide in air, a reaction, an Ellingham diagram, and compounds in water without sideways scrolling', async () => {
    await switchTo(page, 'zh');
    await page.setViewportSize({ width: 360, height: 780 });
    await open('/phase?q=Fe+Ti&open=O2,1073,0.21');
    const fits = () => expect.poll(() => overflowOf(page)).toBe('');
    await page.getByText('向 1073 K 的 O₂', { exact: false }).waitFor();
    await page.getByRole('row', { name: /Fe2O3/ }).waitFor();
    await fits();
    await open('/reaction?from=CaCO3&to=CaO,CO2&T=1100&p=CO2:0.00042');
    await page.getByText('1100 K 时 ΔG < 0：反应向右进行。').waitFor();
    await fits();
    await open('/ellingham?el=Fe,Ti,Al,C');
    await page
      .getByRole('row', { name: /Fe0\.947O/ })
      .first()
      .waitFor();
    await fits();
    await open('/pourbaix?compound=LiFePO4');
    await page.getByText('LiFePO₄ 的分解能：', { exact: false }).waitFor();
    await page.getByText('图中已放置 LiFePO₄。').waitFor();
    await fits();
    await page.getByLabel('选择或拖入 CIF 或 POSCAR').setInputFiles(TI3O);
    await page.getByText(/预测形成能 .*90 % 区间/).waitFor();
    await page.getByText('Ti₃O 的分解能：', { exact: false }).waitFor();
    await fits();
  });
});

describe('screening by stability in air and water', () => {
  it('finds oxides that neither take up nor give off oxygen in air at 800 °C and do not dissolve', async () => {
    await open('/matdata?filter=elements%20HAS%20ONLY%20%22Ti%22%2C%22O%22');
    await page.getByText('Stability in air and water', { exact: true }).click();
    await page.getByRole('checkbox', { name: 'Stable in oxygen' }).check();
    // JANAF: half of the potential of O2 at 1,073.15 K and 0.21 bar.
    await expect.poll(() => parameter('filter')).toContain('oxygen_potential_max >= -1.2646');
    await page.getByRole('button', { name: 'Remove the filter stable at μ(O) = −1.2646 eV' }).waitFor();
    await page.getByRole('textbox', { name: 'Temperature (°C)' }).fill('25');
    await expect.poll(() => parameter('filter')).toContain('oxygen_potential_max >= -0.292');
    await page.reload();
    await expect.poll(() => page.getByRole('textbox', { name: 'Temperature (°C)' }).inputValue()).toBe('25');
  });
});

describe('the phase diagram open to a gas', () => {
  it('has the oxides stable in air as corners, and the metals at a very low pressure', async () => {
    await open('/phase?q=Fe+Ti');
    await page.getByRole('combobox', { name: 'Open to' }).selectOption('O2');
    await page
      .getByText('Open to O₂ (0.21 bar) at 1073 K: Δμ(O) = −1.26 eV, relative to the elements at 0 K.', {
        exact: false,
      })
      .waitFor();
    const stable = page.getByRole('table', { name: 'Stable phases' });
    await stable.getByRole('row', { name: /Fe2O3/ }).waitFor();
    await stable.getByRole('row', { name: /TiO2/ }).waitFor();
    const pressure = page.getByRole('textbox', { name: 'Partial pressure (bar)' });
    await pressure.fill('1e-100');
    await pressure.press('Enter');
    await expect.poll(() => parameter('open')).toBe('O2,1073,1e-100');
    await stable.getByRole('row', { name: /^Fe / }).waitFor();
    expect(await pressure.evaluate((box) => box === document.activeElement)).toBe(true);
  });

  it('can be open to a compound gas together with a second gas', async () => {
    await open('/phase?q=Fe+Ti');
    await page.getByRole('combobox', { name: 'Open to' }).selectOption('H2O');
    await page.getByText(/Open to H₂O \(0\.21 bar\) \+ H₂ \(1 bar\) at 1073 K: Δμ\(H\)/).waitFor();
    await expect.poll(() => parameter('open')).toBe('H2O,1073,0.21,H2,1');
    await page.getByRole('combobox', { name: 'and' }).selectOption('closed');
    await page.getByText('H2O cannot fix the chemical potential', { exact: false }).waitFor();
  });

  it('shows Gibbs energies at a temperature set by keyboard, and the gas gets the same temperature', async () => {
    await open('/phase?q=Fe+O&temperature=1000');
    await page.getByText('Gibbs energies at 1000 K', { exact: false }).waitFor();
    const stable = page.getByRole('table', { name: 'Stable phases' });
    await stable.getByRole('row', { name: /Fe2O3.*measured table/ }).waitFor();
    const slider = page.getByRole('slider', { name: /Temperature of the phases/ });
    await slider.press('ArrowRight');
    await page.getByText('Gibbs energies at 1025 K', { exact: false }).waitFor();
    await expect.poll(() => parameter('temperature')).toBe('1025');
    await slider.press('Home');
    await expect.poll(() => parameter('temperature')).toBeNull();
    await page.getByText('Formation energy (eV/atom)').first().waitFor();
  });

  it('shares the temperature setting with windows and interface reactions', async () => {
    await open('/Ec_windowDetail/95/Li?temperature=1000');
    await page.getByText('Voltages are against the metal of the ion at the same temperature.').waitFor();
    await page.getByRole('columnheader', { name: 'Temperature from' }).waitFor();
    await page.getByRole('slider', { name: /Temperature of the phases/ }).press('Home');
    await expect.poll(() => parameter('temperature')).toBeNull();
    await page.getByRole('columnheader', { name: 'Temperature from' }).waitFor({ state: 'detached' });
    await open('/Interface_reaction?a=CaO&b=CO2&temperature=1000');
    await page.getByText('Gibbs energies at 1000 K', { exact: false }).waitFor();
    await page
      .getByRole('row', { name: /CaCO₃: measured table/ })
      .first()
      .waitFor();
  });
});
