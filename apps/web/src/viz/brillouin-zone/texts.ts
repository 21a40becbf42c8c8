import { defineTexts } from '../../i18n/texts.ts';

export const zoneTexts = defineTexts('brillouin-zone', {
  en: {
    tools: 'What the drawing shows',
    axes: 'Reciprocal vectors',
    reset: 'Reset',
    downloads: 'Download the drawing',
    description:
      'First Brillouin zone ({{variant}}) with {{faces}} faces and the path {{path}}. Arrow keys turn it.',
    hint: 'Drag or use the arrow keys to turn. Point at the path to see where it is.',
  },
  zh: {
    tools: '显示内容',
    axes: '倒格矢',
    reset: '复位',
    downloads: '下载图形',
    description: '第一布里渊区（{{variant}}），{{faces}} 个面，路径 {{path}}。方向键旋转。',
    hint: '拖动或用方向键旋转；指向路径可查看位置。',
  },
});
