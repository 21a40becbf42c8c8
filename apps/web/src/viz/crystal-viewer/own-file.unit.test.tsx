import { fireEvent, screen } from '@testing-library/react';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { describe, expect, it, vi } from 'vitest';
import { translate } from '../../i18n/texts.ts';
import { i18next } from '../../i18n/i18n.ts';
import { renderInApp } from '../../testing/render.tsx';
import { CrystalViewer } from './crystal-viewer.tsx';
import { readOwnFile } from './own-file.ts';
import { viewerTexts } from './texts.ts';
import { parseDirection } from './viewer-options.tsx';

const POSCAR = 'rock salt\n2.82\n0 1 1\n1 0 1\n1 1 0\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n';
const problemOf = async (text: string, name: string): Promise<string> => {
  const read = await readOwnFile(new File([text], name), translate(viewerTexts));
  return 'problem' in read ? read.problem : `read ${read.structure.sites.length} sites`;
};

describe('a file of the visitor', () => {
  it('is parsed by its content, whatever its name', async () => {
    await i18next.changeLanguage('en');
    expect(await problemOf(POSCAR, 'salt.txt')).toBe('read 2 sites');
  });

  it('may be pymatgen JSON, alone or in an entry, with the magnetic moments of its sites', async () => {
    const site = (element: string, abc: number[], magmom: number) => ({
      species: [{ element, occu: 1 }],
      abc,
      properties: { magmom },
    });
    const structure = {
      '@class': 'Structure',
      lattice: {
        matrix: [
          [2.87, 0, 0],
          [0, 2.87, 0],
          [0, 0, 2.87],
        ],
      },
      sites: [site('Fe', [0, 0, 0], 2.2), site('Cr', [0.5, 0.5, 0.5], -0.9)],
    };
    for (const json of [structure, { material_id: 'mp-1', structure }]) {
      const file = new File([JSON.stringify(json)], 'iron.json');
      const read = await readOwnFile(file, translate(viewerTexts));
      expect('structure' in read && read.structure.sites.map(({ moment }) => moment)).toEqual([2.2, -0.9]);
    }
  });

  it.each([
    ['{"a": ', 'a.json', 'Invalid JSON', '无法解析'],
    ['{"lattice": 1}', 'a.json', 'see lattice', '请查看 lattice'],
    ['', 'a.cif', 'The file is empty; expected CIF or POSCAR.', '文件为空；应为 CIF 或 POSCAR。'],
    ['hello\nworld\n', 'a.txt', 'Not a CIF', '该文件既不是 CIF'],
    [POSCAR.replace('Na Cl', 'Xx Cl'), 'POSCAR', '“Xx” is not an element', '“Xx” 不是元素'],
    [
      POSCAR.replace('0.5 0.5 0.5', '0.5 half 0.5'),
      'POSCAR',
      'This POSCAR cannot be read, line 10: expected a number',
      '（第 10 行）',
    ],
    [POSCAR.replace('1 1 0', '1 1 2'), 'POSCAR', 'Invalid cell', '晶胞无效'],
    ['data_x\n_cell_length_a 4\n', 'x.cif', 'This CIF cannot be read', '无法读取该 CIF'],
  ])('is refused with a reason if it is invalid: %j', async (text, name, english, chinese) => {
    await i18next.changeLanguage('en');
    expect(await problemOf(text, name)).toContain(english);
    await i18next.changeLanguage('zh');
    expect(await problemOf(text, name)).toContain(chinese);
  });
});

describe('parseDirection', () => {
  it.each([
    ['1 1 0', [1, 1, 0]],
    ['[1 -1 2]', [1, -1, 2]],
    ['1-10', [1, -1, 0]],
    ['111', [1, 1, 1]],
    ['0 0 0', undefined],
    ['1 1', undefined],
    ['', undefined],
  ])('reads %j as %j', (text, expected) => expect(parseDirection(text)).toEqual(expected));
});

const silicon: Structure = {
  latticeVectors: [
    [0, 2.7155, 2.7155],
    [2.7155, 0, 2.7155],
    [2.7155, 2.7155, 0],
  ],
  sites: [orderedSite('Si', [0, 0, 0]), orderedSite('Si', [0.25, 0.25, 0.25])],
};

describe('the viewer on a touch screen', () => {
  it('requests a graphics context on the first tap, and shows the static drawing until then', async () => {
    const asked = vi.spyOn(HTMLCanvasElement.prototype, 'getContext');
    const ask = window.matchMedia.bind(window);
    const touch = vi.spyOn(window, 'matchMedia').mockImplementation((media) => {
      const answer = ask(media);
      return media.includes('coarse') ? Object.defineProperty(answer, 'matches', { value: true }) : answer;
    });
    const contexts = () => asked.mock.calls.filter(([kind]) => kind === 'webgl2').length;
    await renderInApp(<CrystalViewer structure={silicon} formula="Si" />);
    expect(document.querySelectorAll('svg circle').length).toBeGreaterThan(8);
    const drawing = screen.getByRole('img', { name: /Crystal structure/ });
    fireEvent.pointerEnter(drawing, { pointerType: 'touch' });
    expect(contexts()).toBe(0);
    fireEvent.click(drawing);
    expect(contexts()).toBe(1);
    touch.mockRestore();
    asked.mockRestore();
  });
});

describe('the viewer without a graphics card', () => {
  it('shows a static drawing with a notice, and lists the sites with their bonds', async () => {
    await renderInApp(<CrystalViewer structure={silicon} formula="Si" />);
    fireEvent.click(screen.getByRole('img', { name: /Crystal structure/ }));
    expect(screen.getByText(/Static image/)).toBeDefined();
    expect(document.querySelectorAll('svg circle').length).toBeGreaterThan(8);
    const table = screen.getByRole('table', { name: 'Sites of the cell shown' });
    expect(table.textContent).toContain('4 × Si 2.352 Å');
    expect(screen.getByRole('img', { name: /Crystal structure of Si: 2 sites/ })).toBeDefined();
  });

  it('hides an element by its chip', async () => {
    await renderInApp(<CrystalViewer structure={silicon} formula="Si" />);
    fireEvent.click(screen.getByRole('button', { name: 'Show Si' }));
    expect(document.querySelectorAll('svg circle')).toHaveLength(0);
  });
});
