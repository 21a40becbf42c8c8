import { defineTexts } from '../../i18n/texts.ts';

export const copyAsCodeTexts = defineTexts('copyAsCode', {
  open: ['Code', '代码'],
  hint: ['Get this result with curl, Python or TypeScript', '以 curl、Python 或 TypeScript 获取此结果'],
  title: ['Copy as code', '复制为代码'],
  close: ['Close', '关闭'],
  lead: [
    'The request of this page as a program. It reads your API key from UNITCELL_KEY.',
    '本页所发请求的程序形式，运行后得到相同的结果。API 密钥从环境变量 UNITCELL_KEY 读取。',
  ],
  getKey: ['Get a key', '获取密钥'],
  language: ['Language', '语言'],
  actions: ['Copy and download', '复制与下载'],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  notCopied: [
    'The browser did not allow it: select the text and copy it',
    '浏览器不允许复制：请选中文本后复制',
  ],
  request: ['request.json', 'request.json'],
  requestNote: [
    'The request is saved separately: put request.json beside the program.',
    '请求过长，未写入程序：请将其另存为程序旁的 request.json。',
  ],
  curl: ['Prints JSON; energies in eV, lengths in Å.', '结果以 JSON 写到标准输出；能量单位 eV，长度单位 Å。'],
  python: [
    'Needs Python 3.10. The client comes from this site and handles rate limits.',
    '需要 Python 3.10；客户端由本站提供，站点要求等待时会自动等待。',
  ],
  typescript: [
    'Needs Node 20.19. The client comes from this site; answers are typed.',
    '需要 Node 20.19；客户端由本站提供，结果带有类型。',
  ],
});
