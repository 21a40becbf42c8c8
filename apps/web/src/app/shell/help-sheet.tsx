/** News and keyboard shortcuts in one sheet, opened by `?` or from the footer. */
import type { Bilingual } from '@unitcell/material';
import { Modal, Table } from '@mantine/core';
import { Link } from 'react-router-dom';
import { defineTexts, useTexts } from '../../i18n/texts.ts';

const helpTexts = defineTexts('help', {
  title: ['News and keyboard shortcuts', '新功能与快捷键'],
  closeSheet: ['Close', '关闭'],
  news: ['What is new', '新功能'],
  keys: ['Keyboard shortcuts', '快捷键'],
  palette: ['Find a material or page', '查找材料或页面'],
  search: ['Go to the search box', '转到检索框'],
  help: ['Open this dialog', '打开本页'],
  rows: ['Move between the rows of a table', '在表格各行间移动'],
  elements: ['Move within the periodic table; Enter selects', '在周期表中移动，按 Enter 选择'],
  viewer: ['Rotate, zoom and reset the crystal', '旋转、缩放、复位晶体'],
  close: ['Close a dialog', '关闭对话框'],
});

/** Changes that visitors notice, newest first; CHANGELOG.md has all of them. */
const NEWS: readonly { readonly date: string; readonly to: string; readonly text: Bilingual }[] = [
  {
    date: '2026-11-27',
    to: '/xrd',
    text: {
      en: 'XRD: identify the phases of a powder and refine their weight fractions and cells in one step.',
      zh: 'XRD：一步鉴定粉末中的物相，并精修重量分数和晶胞。',
    },
  },
  {
    date: '2026-11-26',
    to: '/stability',
    text: {
      en: 'Stability: one chemical system in all diagrams, also with a crystal of your own.',
      zh: '稳定性：在各种图中查看同一化学体系，也可加入自己的晶体。',
    },
  },
  {
    date: '2026-11-26',
    to: '/pourbaix',
    text: {
      en: 'Pourbaix and Ellingham diagrams, and a calculator for reactions.',
      zh: 'Pourbaix 图、Ellingham 图与反应计算器。',
    },
  },
  {
    date: '2026-11-26',
    to: '/coatings',
    text: {
      en: 'Coatings between two phases, and insertion electrodes for seven ions.',
      zh: '两种物相之间的涂层，以及七种离子的嵌入型电极。',
    },
  },
  {
    date: '2026-11-26',
    to: '/phase?q=Li+Mn+O',
    text: {
      en: 'Phase diagrams at a temperature and open to gases.',
      zh: '可设定温度、向气体开放的相图。',
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
