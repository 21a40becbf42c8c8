import { defineTexts } from '../../../i18n/texts.ts';

export const citeTexts = defineTexts('material-cite', {
  en: {
    lead: 'Energies depend on the release of the derived data they come from: cite it with the entry, and cite the source of the data too.',
    copyText: 'Copy text',
    copyBibtex: 'Copy BibTeX',
    copied: 'Copied',
    failed: 'The browser does not allow copying; select the text instead.',
    actions: 'Copy the citation',
  },
  zh: {
    lead: '能量取决于派生数据的版本：引用条目时请一并注明版本，并引用数据来源。',
    copyText: '复制文本',
    copyBibtex: '复制 BibTeX',
    copied: '已复制',
    failed: '浏览器不允许复制，请手动选择文本。',
    actions: '复制引用',
  },
});
