/** User agreement and privacy policy: HTML from the server, sanitised again before it is shown. */
import DOMPurify from 'dompurify';
import { useMemo } from 'react';
import { useMatch } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useAboutData } from '../../../lib/use-about-data.ts';
import { aboutTexts } from '../texts.ts';
import classes from './about.module.css';

export function Page() {
  const { t } = useTexts(aboutTexts);
  const isUser = useMatch('/protocal/user') !== null;
  const about = useAboutData();
  const html = (isUser ? about.data?.user_agreement : about.data?.privacy_policy) ?? '';
  const clean = useMemo(
    () => DOMPurify.sanitize(html, { FORBID_TAGS: ['style', 'form'], FORBID_ATTR: ['style'] }),
    [html],
  );
  // Documents from operators may lack a title; the page adds one then.
  const hasOwnTitle = /^\s*<h1[\s>]/.test(clean);
  return (
    <article className={`uc-page ${classes.prose}`}>
      {!hasOwnTitle && <h1>{isUser ? t('userAgreement') : t('privacyPolicy')}</h1>}
      {about.isError && <ErrorPanel error={about.error} onRetry={() => void about.refetch()} />}
      {about.isPending && <p>{t('loading')}</p>}
      {about.data && clean === '' && <p>{t('empty')}</p>}
      {/* oxlint-disable-next-line react/no-danger */}
      <div dangerouslySetInnerHTML={{ __html: clean }} />
    </article>
  );
}
