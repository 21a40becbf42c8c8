import { defineTexts } from '../../i18n/texts.ts';

export const viewerTexts = defineTexts('crystal-viewer', {
  en: {
    tools: 'What the drawing shows',
    labels: 'Labels',
    cell: 'Unit cell',
    bonds: 'Bonds',
    polyhedra: 'Polyhedra',
    reset: 'Reset',
    fullScreen: 'Full screen',
    leaveFullScreen: 'Leave full screen',
    picture: 'PNG',
    description:
      'Crystal structure of {{formula}}: {{atoms}} atoms in the cell shown. Coordination: {{coordination}}. Arrow keys turn it, plus and minus zoom.',
    none: 'none',
    failed:
      'This browser cannot draw in three dimensions (WebGL is off). The tables below hold the same structure.',
    lost: 'The graphics card took the drawing away.',
    restore: 'Draw again',
    loading: 'Loading the viewer…',
    keys: 'Drag to turn, scroll to zoom; arrow keys and + − do the same.',
    cells: '{{n}} × {{n}} × {{n}} cells',
    shared: 'Shared sites show their main element',
  },
  zh: {
    tools: '显示内容',
    labels: '标签',
    cell: '晶胞',
    bonds: '化学键',
    polyhedra: '多面体',
    reset: '复位',
    fullScreen: '全屏',
    leaveFullScreen: '退出全屏',
    picture: 'PNG',
    description:
      '{{formula}} 的晶体结构：所示晶胞含 {{atoms}} 个原子。配位：{{coordination}}。方向键旋转，加减键缩放。',
    none: '无',
    failed: '此浏览器无法绘制三维图形（WebGL 已关闭）。下方表格给出同一结构。',
    lost: '显卡中断了绘图。',
    restore: '重新绘制',
    loading: '正在加载查看器…',
    keys: '拖动旋转，滚轮缩放；方向键与 + − 亦可。',
    cells: '{{n}} × {{n}} × {{n}} 晶胞',
    shared: '混合占位仅显示主要元素',
  },
});
