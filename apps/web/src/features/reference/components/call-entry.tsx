/** One call: closed its address and what it does, open all of it. */
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { answerOf, type ApiDocument, type Call, type Content, withoutRefusal } from '../document.ts';
import { referenceTexts } from '../texts.ts';
import { FieldTable } from './field-table.tsx';
import classes from './reference.module.css';

const pretty = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const LONGEST = 3000;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
};

export function CallEntry({ call, document }: { readonly call: Call; readonly document: ApiDocument }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.call} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <code className={classes.method}>{call.method}</code>{' '}
        <code className={classes.path}>{call.path}</code>
        <span lang="en" className={classes.summary}>
          {call.summary}
        </span>
      </summary>
      {isOpen && <CallBody call={call} document={document} />}
    </details>
  );
}

function CallBody({ call, document }: { readonly call: Call; readonly document: ApiDocument }) {
  const { t } = useTexts(referenceTexts);
  const isPublic = call.security.length === 0 || call.security.some((way) => Object.keys(way).length === 0);
  const refusals = Object.entries(call.responses).filter(([status]) => Number(status) >= 400);
  const query = (call.parameters ?? []).filter(({ name }) => name !== undefined);
  return (
    <div className={classes.body}>
      <p>{t(isPublic ? 'public' : 'forUsers')}</p>
      {query.length > 0 && (
        <FieldTable
          title={t('parameters')}
          rows={query.map(({ name = '', description = '', required = false, schema }) => ({
            depth: 0,
            name,
            type: [schema?.type ?? ''].flat().join(' | '),
            meaning: description,
            isRequired: required,
          }))}
        />
      )}
      {call.requestBody && <Contents title={t('request')} contents={call.requestBody.content} />}
      <Contents title={t('answer')} contents={call.responses[200]?.content ?? {}} />
      <h3>{t('refusals')}</h3>
      <dl className={classes.refusals} lang="en">
        {refusals.map(([status, response]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {(answerOf(document, response).description ?? '').split('\n\n').map((line) => (
                <p key={line}>{line.replaceAll('`', '')}</p>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Contents({
  title,
  contents,
}: {
  readonly title: string;
  readonly contents: Readonly<Record<string, Content>>;
}) {
  const { t } = useTexts(referenceTexts);
  return Object.entries(contents).map(([type, { schema, example }]) => (
    <div key={type}>
      <FieldTable title={`${title} · ${type}`} schema={withoutRefusal(schema ?? {})} />
      {example !== undefined && (
        <>
          <p className="uc-caption">{t('example')}</p>
          {/* Long lines scroll, by keyboard as well. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={classes.example} tabIndex={0}>
            {pretty(example)}
          </pre>
        </>
      )}
    </div>
  ));
}
