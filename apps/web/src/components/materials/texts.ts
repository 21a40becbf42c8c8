import { defineTexts } from '../../i18n/texts.ts';

export const materialsTexts = defineTexts('materials', {
  en: {
    download: 'Download all {{n}} as',
    downloading: 'Writing the file…',
    csv: 'CSV',
    jsonl: 'JSON Lines',
    cif: 'CIF',
    'cif.tar.gz': 'CIF archive',
    'poscar.tar.gz': 'POSCAR archive',
    choose: 'Select {{name}}',
  },
  zh: {
    download: '下载全部 {{n}} 个：',
    downloading: '正在生成文件…',
    csv: 'CSV',
    jsonl: 'JSON Lines',
    cif: 'CIF',
    'cif.tar.gz': 'CIF 压缩包',
    'poscar.tar.gz': 'POSCAR 压缩包',
    choose: '选择 {{name}}',
  },
});
