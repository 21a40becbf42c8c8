/** What became of structures that were sent to Run4U. */
import type { SubmitOutcome } from '@unitcell/contract/run4u';
import { Link } from 'react-router-dom';
import { useTexts } from '../../i18n/texts.ts';
import { Notice } from '../notice.tsx';
import { sentTexts } from './texts.ts';

/** @param answers in the order they were sent; the last may be a refusal */
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
      <Notice kind="warning">
        {sentences.join(' ')} <Link to="/run4u">{t('toRun4u')}</Link>
      </Notice>
    </output>
  );
}
