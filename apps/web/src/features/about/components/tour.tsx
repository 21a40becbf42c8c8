/** A tour of the site in five steps. Target elements are marked with `data-tour`. */
import { Button, Group, Popover } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import classes from './tour.module.css';

const tourTexts = defineTexts('tour', {
  apps: [
    'All tools are under Apps: materials search, phase diagrams, electrochemical windows, interface reactions, XRD, predictions, design and calculations.',
    '所有工具都在“应用”中：材料检索、相图、电化学窗口、界面反应、XRD、性质预测、材料设计与计算。',
  ],
  search: [
    'Search by elements, formula or ID, or filter all materials by their properties.',
    '按元素、化学式或编号检索，或按性质筛选全部材料。',
  ],
  palette: [
    'Quick search, Ctrl K or ⌘ K on every page: type a formula, an ID, elements or the name of a page.',
    '快速检索：在任何页面按 Ctrl K 或 ⌘ K，输入化学式、编号、元素或页面名称。',
  ],
  about: [
    'About has the documentation: a page for each tool, ten worked examples, the methods, and the API for your programs.',
    '“关于”中有使用文档：每个工具一页、十个完整示例、计算方法，以及供程序使用的 API。',
  ],
  account: [
    'Sign in to use the tools. Your account page has your collections, saved searches and API keys.',
    '登录后即可使用各工具。个人中心有您的收藏夹、保存的检索和 API 密钥。',
  ],
  position: ['Step {{n}} of {{of}}', '第 {{n}} 步，共 {{of}} 步'],
  back: ['Back', '上一步'],
  next: ['Next', '下一步'],
  done: ['Done', '完成'],
  close: ['Skip', '跳过'],
});

const STEPS = ['apps', 'search', 'palette', 'about', 'account'] as const;

/** The target of a step. In a narrow window it is the menu button, because the controls are in the menu. */
const targetOf = (step: (typeof STEPS)[number]): Element | null =>
  document.querySelector(`[data-tour="${step}"]`) ?? document.querySelector('[data-tour="menu"]');

function useBoxOf(step: (typeof STEPS)[number]): DOMRect | undefined {
  const [box, setBox] = useState<DOMRect>();
  useEffect(() => {
    const measure = (): void => setBox(targetOf(step)?.getBoundingClientRect());
    targetOf(step)?.scrollIntoView({ block: 'nearest' });
    measure();
    window.addEventListener('resize', measure);
    window.addEventListener('scroll', measure, { passive: true });
    return () => {
      window.removeEventListener('resize', measure);
      window.removeEventListener('scroll', measure);
    };
  }, [step]);
  return box;
}

export function Tour({ onEnd }: { readonly onEnd: () => void }) {
  const { t } = useTexts(tourTexts);
  const textId = useId();
  const [place, setPlace] = useState(0);
  const step = STEPS[place] ?? 'apps';
  const box = useBoxOf(step);
  if (!box) return null;
  const isLast = place === STEPS.length - 1;
  const { left, top, width, height } = box;
  return (
    <Popover opened onDismiss={onEnd} closeOnClickOutside={false} width={320} shadow="md" withArrow trapFocus>
      <Popover.Target>
        <div key={step} className={classes.target} style={{ left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown aria-labelledby={textId}>
        <p id={textId} className={classes.text}>
          {t(step)}
        </p>
        <Group justify="space-between" gap="xs">
          <small>{t('position', { n: place + 1, of: STEPS.length })}</small>
          <Group gap="xs">
            {!isLast && (
              <Button size="compact-sm" variant="subtle" onClick={onEnd}>
                {t('close')}
              </Button>
            )}
            {place > 0 && (
              <Button size="compact-sm" variant="default" onClick={() => setPlace(place - 1)}>
                {t('back')}
              </Button>
            )}
            <Button size="compact-sm" data-autofocus onClick={isLast ? onEnd : () => setPlace(place + 1)}>
              {t(isLast ? 'done' : 'next')}
            </Button>
          </Group>
        </Group>
      </Popover.Dropdown>
    </Popover>
  );
}
