import { defineTexts } from '../../i18n/texts.ts';

export const copyAsCodeTexts = defineTexts('copyAsCode', {
  en: {
    open: 'Code',
    hint: 'This answer as curl, Python or TypeScript',
    title: 'Copy as code',
    close: 'Close',
    lead: 'The request this page sent, as a program that gets the same answer. It reads your API key from UNITCELL_KEY.',
    language: 'Language',
    actions: 'Copy and download',
    copy: 'Copy',
    copied: 'Copied',
    notCopied: 'The browser did not allow it: select the text and copy it',
    request: 'request.json',
    requestNote: 'The request is too long to stand in the program: save it as request.json beside it.',
    curl: 'The answer is JSON on standard output; energies in eV, lengths in Å.',
    python:
      'Needs Python 3.10 and the package unitcell (clients/python of the source); it waits where the site asks to.',
    typescript: 'Needs @unitcell/client (packages/client of the source); the answer is typed.',
  },
  zh: {
    open: '代码',
    hint: '以 curl、Python 或 TypeScript 获取此结果',
    title: '复制为代码',
    close: '关闭',
    lead: '本页所发请求的程序形式，运行后得到相同的结果。API 密钥从环境变量 UNITCELL_KEY 读取。',
    language: '语言',
    actions: '复制与下载',
    copy: '复制',
    copied: '已复制',
    notCopied: '浏览器不允许复制：请选中文本后复制',
    request: 'request.json',
    requestNote: '请求过长，未写入程序：请将其另存为程序旁的 request.json。',
    curl: '结果以 JSON 写到标准输出；能量单位 eV，长度单位 Å。',
    python: '需要 Python 3.10 与 unitcell 包（源码中的 clients/python）；站点要求等待时会自动等待。',
    typescript: '需要 @unitcell/client（源码中的 packages/client）；结果带有类型。',
  },
});
