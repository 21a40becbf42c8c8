/** One call: collapsed it shows address and summary, expanded everything. */
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import {
  answerOf,
  type ApiDocument,
  type Call,
  type Content,
  type FieldRow,
  refusalCodesOf,
  rowsOf,
  type Schema,
  withoutRefusal,
} from '../document.ts';
import { referenceTexts } from '../texts.ts';
import classes from './reference.module.css';

interface FieldTableProps {
  readonly title: string;
  readonly schema?: Schema;
  readonly rows?: readonly FieldRow[];
}

/** Names, types and meanings of fields; nested fields are indented. */
function FieldTable({ title, schema, rows: given }: FieldTableProps) {
  const rows = given ?? (schema ? rowsOf(schema) : []);
  const { t } = useTexts(referenceTexts);
  return (
    <>
      <h3>{title}</h3>
      {rows.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <section className={classes.frame} aria-label={title} tabIndex={0}>
          <table className={classes.fields}>
            <thead>
              <tr>
                <th scope="col">{t('field')}</th>
                <th scope="col">{t('type')}</th>
                <th scope="col">{t('meaning')}</th>
              </tr>
            </thead>
            <tbody lang="en">
              {rows.map(({ depth, name, type, meaning, isRequired }, index) => (
                // Names repeat within one answer, so the index is the key.
                // oxlint-disable-next-line react/no-array-index-key
                <tr key={index}>
                  <th scope="row" data-depth={Math.min(depth, 5)}>
                    <code>{name}</code>
                    {!isRequired && <span className="uc-hint"> {t('optional')}</span>}
                  </th>
                  <td>
                    <code>{type}</code>
                  </td>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}

/** A sentence of the document, with code in backticks. */
const Words = ({ text }: { readonly text: string }) =>
  // The parts of a sentence never reorder.
  // oxlint-disable-next-line react/no-array-index-key
  text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

const pretty = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  const LONGEST = 3000;
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}\n…` : text;
};

export function CallEntry({ call, document }: { readonly call: Call; readonly document: ApiDocument }) {
  const [isOpen, setOpen] = useState(location.hash === `#${call.operationId}`);
  return (
    <details
      id={call.operationId}
      className={classes.call}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <code className={classes.method}>{call.method}</code>{' '}
        <code className={classes.path}>{call.path}</code>
        <span lang="en" className={`uc-note ${classes.summary}`}>
          <Words text={call.summary} />
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
  const codes = Object.values(call.responses[200]?.content ?? {}).flatMap(({ schema = {} }) =>
    refusalCodesOf(schema),
  );
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
        {codes.length > 0 && (
          <div>
            <dt>200</dt>
            <dd>
              <p>
                <code>{'{"error": "true", "message", "code"}'}</code>
              </p>
              <p>{codes.join(', ')}</p>
            </dd>
          </div>
        )}
        {refusals.map(([status, response]) => (
          <div key={status}>
            <dt>{status}</dt>
            <dd>
              {(answerOf(document, response).description ?? '').split('\n\n').map((line) => (
                <p key={line}>
                  <Words text={line} />
                </p>
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
          {/* Keyboard users must be able to scroll long lines. */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
          <pre className={classes.example} tabIndex={0}>
            {pretty(example)}
          </pre>
        </>
      )}
    </div>
  ));
}
