/** Reports the outcome of structures submitted to Run4U. */
import type { SubmitOutcome } from '@unitcell/contract/run4u';
import { Link } from 'react-router-dom';
import { defineTexts, joined, useTexts } from '../../i18n/texts.ts';
import { Notice } from '../notice.tsx';

const sentTexts = defineTexts('sent-to-run4u', {
  sent_one: '{{count}} structure submitted; its result will be shown in Run4U.',
  sent_other: [
    '{{count}} structures submitted; their results will be shown in Run4U.',
    '已提交 {{count}} 个结构，结果将显示在 Run4U 中。',
  ],
  full: ['Today’s quota is used up after {{n}}.', '提交 {{n}} 个后今日配额已用完。'],
  existed_one: '{{count}} is already in the database.',
  existed_other: ['{{count}} are already in the database.', '{{count}} 个已在数据库中。'],
  refused: ['Rejected: {{reason}}', '未被接受：{{reason}}'],
  toRun4u: ['See them in Run4U', '在 Run4U 中查看'],
});

/** @param answers in submission order; the last may be a refusal */
export function SentNotice({ answers }: { readonly answers: readonly SubmitOutcome[] }) {
  const { t } = useTexts(sentTexts);
  const done = answers.filter(({ message }) => message === 'Success');
  const existed = done.filter((answer) => 'status' in answer && answer.status === 'existed').length;
  const stopped = answers.find(({ message }) => message !== 'Success');
  const sentences = [
    ...(done.length > existed ? [t('sent', { count: done.length - existed })] : []),
    ...(existed > 0 ? [t('existed', { count: existed })] : []),
    ...(stopped?.message === 'Full' ? [t('full', { n: done.length })] : []),
    ...(stopped && stopped.message !== 'Full' ? [t('refused', { reason: stopped.message })] : []),
  ];
  return (
    <output>
      <Notice kind="note">
        {joined(...sentences)} <Link to="/run4u">{t('toRun4u')}</Link>
      </Notice>
    </output>
  );
}
