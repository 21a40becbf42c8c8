import { defineTexts } from '../../i18n/texts.ts';

export const embedTexts = defineTexts('embed', {
  share: ['Share', '分享'],
  link: ['Copy link', '复制链接'],
  frame: ['Copy code for a frame (iframe)', '复制嵌入代码 (iframe)'],
  copied: ['Copied.', '已复制。'],
  notCopied: ['The browser does not allow copying.', '浏览器不允许复制。'],
  note: [
    'The frame is public: everyone sees the drawing there without signing in.',
    '嵌入内容是公开的：无需登录即可查看其中的图。',
  ],
  open: ['Open in Unitcell', '在 Unitcell 中打开'],
});
