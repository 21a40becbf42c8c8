/** The OpenAPI document as a page. Existing viewers need inline styles, which the content security policy forbids. */
import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { documentAt } from '../../../lib/api-client.ts';
import { type ApiDocument, callsOf } from '../document.ts';
import { referenceTexts } from '../texts.ts';
import { CallEntry } from './call-entry.tsx';
import classes from './reference.module.css';

const ADDRESS = '/api/openapi.json';
const INSTALL = [
  `pip install ${location.origin}/clients/unitcell.tar.gz`,
  `npm install ${location.origin}/clients/unitcell-client.tgz`,
] as const;

const readDocument = async (signal: AbortSignal): Promise<ApiDocument> =>
  (await documentAt(ADDRESS, signal)) as ApiDocument;

export function Page() {
  const { t } = useTexts(referenceTexts);
  const [wanted, setWanted] = useState('');
  const read = useQuery({ queryKey: ['openapi'], queryFn: ({ signal }) => readDocument(signal) });
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const found = read.data
    ? callsOf(read.data).filter(({ path, summary, operationId }) => {
        const text = `${path} ${summary} ${operationId}`.toLowerCase();
        return words.every((word) => text.includes(word));
      })
    : [];
  return (
    <div className={`uc-page ${classes.page}`}>
      <h1 className={classes.title}>{t('title')}</h1>
      <p className={classes.lead}>
        {t('lead')} <a href={ADDRESS}>{t('document')}</a>
      </p>
      <p className={classes.lead}>{t('clients')}</p>
      <pre className={classes.install}>
        <code>{INSTALL.join('\n')}</code>
      </pre>
      {read.isError && <ErrorPanel error={read.error} onRetry={() => void read.refetch()} />}
      {read.isPending && <Skeleton height={480} aria-label={t('loading')} />}
      {read.data && (
        <>
          <TextInput
            className={classes.search}
            label={t('search')}
            value={wanted}
            onChange={(event) => setWanted(event.currentTarget.value)}
          />
          <nav className={`uc-wrap ${classes.groups}`} aria-label={t('groups')}>
            {read.data.tags
              .filter(({ name }) => found.some(({ tags }) => tags[0] === name))
              .map(({ name }) => (
                <a key={name} href={`#calls-${name}`}>
                  {name}
                </a>
              ))}
          </nav>
          {found.length === 0 && <p>{t('nothing')}</p>}
          {read.data.tags.map(({ name, description }) => {
            const calls = found.filter(({ tags }) => tags[0] === name);
            return calls.length === 0 ? null : (
              <Section
                key={name}
                id={`calls-${name}`}
                title={name}
                lead={<span lang="en">{description}</span>}
              >
                {calls.map((call) => (
                  <CallEntry key={call.operationId} call={call} document={read.data} />
                ))}
              </Section>
            );
          })}
        </>
      )}
    </div>
  );
}
