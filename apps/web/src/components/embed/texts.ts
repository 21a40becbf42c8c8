import { defineTexts } from '../../i18n/texts.ts';

export const embedTexts = defineTexts('embed', {
  en: {
    share: 'Share',
    link: 'Copy link',
    frame: 'Copy code for a frame (iframe)',
    copied: 'Copied.',
    notCopied: 'The browser does not allow copying.',
    note: 'The frame is public: everyone sees the drawing there without signing in.',
    open: 'Open in Unitcell',
  },
  zh: {
    share: '分享',
    link: '复制链接',
    frame: '复制嵌入代码 (iframe)',
    copied: '已复制。',
    notCopied: '浏览器不允许复制。',
    note: '嵌入内容是公开的：无需登录即可查看其中的图。',
    open: '在 Unitcell 中打开',
  },
});
