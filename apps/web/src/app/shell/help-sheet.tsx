/** News and keyboard shortcuts in one sheet, opened by `?` or from the footer. */
import type { Bilingual } from '@unitcell/material';
import { Modal, Table } from '@mantine/core';
import { Link } from 'react-router-dom';
import { defineTexts, useTexts } from '../../i18n/texts.ts';

const helpTexts = defineTexts('help', {
  en: {
    title: 'News and keyboard shortcuts',
    closeSheet: 'Close',
    news: 'What is new',
    keys: 'Keyboard shortcuts',
    palette: 'Find a material or page',
    search: 'Go to the search box',
    help: 'Open this dialog',
    rows: 'Move between the rows of a table',
    elements: 'Move within the periodic table; Enter selects',
    viewer: 'Rotate, zoom and reset the crystal',
    close: 'Close a dialog',
  },
  zh: {
    title: '新功能与快捷键',
    closeSheet: '关闭',
    news: '新功能',
    keys: '快捷键',
    palette: '查找材料或页面',
    search: '转到检索框',
    help: '打开本页',
    rows: '在表格各行间移动',
    elements: '在周期表中移动，按 Enter 选择',
    viewer: '旋转、缩放、复位晶体',
    close: '关闭对话框',
  },
});

/** Changes that visitors notice, newest first; CHANGELOG.md has all of them. */
const NEWS: readonly { readonly date: string; readonly to: string; readonly text: Bilingual }[] = [
  {
    date: '2026-11-25',
    to: '/matdata?filter=',
    text: {
      en: 'Tables begin with the formula and show the energy above hull and the band gap as bars.',
      zh: '表格以化学式开头，并以横条显示高于凸包的能量和带隙。',
    },
  },
  {
    date: '2026-11-24',
    to: '/predict',
    text: {
      en: 'Predict: formation energy, gap and moduli of a crystal or formula, with 90\u00a0% intervals.',
      zh: '性质预测：由晶体或化学式预测形成能、带隙和模量，并给出 90 % 区间。',
    },
  },
  {
    date: '2026-11-24',
    to: '/design',
    text: {
      en: 'Design: new compounds from known crystals, ranked by predicted stability.',
      zh: '材料设计：由已知晶体生成新化合物，按预测稳定性排序。',
    },
  },
  {
    date: '2026-11-23',
    to: '/collections',
    text: {
      en: 'Collections, saved searches and side-by-side comparison of materials.',
      zh: '收藏夹、保存的检索，以及材料并排对比。',
    },
  },
  {
    date: '2026-11-23',
    to: '/phase?q=Li+Mn+O',
    text: {
      en: 'Phase diagrams show chemical potentials and whether a system is complete.',
      zh: '相图说明体系是否完备，并给出化学势范围。',
    },
  },
];

const KEYS = [
  ['Ctrl K', 'palette'],
  ['/', 'search'],
  ['?', 'help'],
  ['↑ ↓', 'rows'],
  ['← → ↑ ↓', 'elements'],
  ['← → ↑ ↓ + − 0', 'viewer'],
  ['Esc', 'close'],
] as const;

export function HelpSheet({ onClose }: { readonly onClose: () => void }) {
  const { t, language } = useTexts(helpTexts);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('title')}
      closeButtonProps={{ 'aria-label': t('closeSheet') }}
    >
      <Table captionSide="top" mb="lg">
        <Table.Caption>{t('news')}</Table.Caption>
        <Table.Tbody>
          {NEWS.map(({ date, to, text }) => (
            <Table.Tr key={text.en}>
              <Table.Th scope="row" w="8rem">
                {date}
              </Table.Th>
              <Table.Td>
                <Link to={to} onClick={onClose}>
                  {text[language]}
                </Link>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Table captionSide="top">
        <Table.Caption>{t('keys')}</Table.Caption>
        <Table.Tbody>
          {KEYS.map(([key, does]) => (
            <Table.Tr key={does}>
              <Table.Th scope="row" w="8rem">
                <kbd>{key}</kbd>
              </Table.Th>
              <Table.Td>{t(does)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Modal>
  );
}
