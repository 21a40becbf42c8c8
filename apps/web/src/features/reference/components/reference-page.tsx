/** The OpenAPI document as a page. Existing viewers need inline styles, which the content security policy forbids. */
import { Skeleton, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Outline } from '../../../components/outline.tsx';
import panel from '../../../components/panel.module.css';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { documentAt } from '../../../lib/api-client.ts';
import {
  answerOf,
  type ApiDocument,
  type Call,
  callsOf,
  type Content,
  type FieldRow,
  refusalCodesOf,
  rowsOf,
  type Schema,
  withoutRefusal,
} from '../document.ts';
import classes from './reference.module.css';

const referenceTexts = defineTexts('reference', {
  title: ['API reference', 'API 参考文档'],
  lead: [
    'Parameters, responses, units and errors of every call.',
    '本站的全部接口：参数、返回值、单位及各种拒绝原因。接口与字段的说明为英文。',
  ],
  document: ['OpenAPI document', 'OpenAPI 文档'],
  clients: ['Clients for Python and TypeScript, from this site:', '本站提供的 Python 与 TypeScript 客户端：'],
  loading: ['Loading the reference…', '正在加载参考文档…'],
  search: ['Find a call', '查找接口'],
  groups: ['Groups of calls', '接口分组'],
  nothing: ['No matching call.', '没有接口的地址或说明包含这些词。'],
  public: ['Public, no token needed.', '任何人均可调用，无需令牌。'],
  forUsers: [
    'Needs a login token or an API key: Authorization: Bearer KEY',
    '需要登录令牌或 API 密钥：Authorization: Bearer KEY',
  ],
  parameters: ['Parameters', '参数'],
  request: ['Request', '请求'],
  answer: ['Response 200', '响应 200'],
  refusals: ['Other responses', '其他响应'],
  example: ['Example', '示例'],
  field: ['Field', '字段'],
  type: ['Type', '类型'],
  meaning: ['Meaning', '含义'],
  optional: ['optional', '可选'],
});

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
  const groups = (read.data?.tags ?? []).flatMap(({ name, description }) => {
    const calls = found.filter(({ tags }) => tags[0] === name);
    return calls.length === 0 ? [] : [{ name, description, calls }];
  });
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
          {found.length === 0 && <p>{t('nothing')}</p>}
          <div className={`${panel.columns} ${classes.columns}`}>
            <Outline
              label={t('groups')}
              entries={groups.map(({ name, calls }) => ({
                id: `calls-${name}`,
                title: `${name} ${calls.length}`,
              }))}
            />
            <div className={panel.beside}>
              {groups.map(({ name, description, calls }) => (
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
              ))}
            </div>
          </div>
        </>
      )}
    </div>
  );
}

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

/** One call: collapsed it shows address and summary, expanded everything. */
function CallEntry({ call, document }: { readonly call: Call; readonly document: ApiDocument }) {
  const [isOpen, setOpen] = useState(location.hash === `#${call.operationId}`);
  return (
    <details
      id={call.operationId}
      className={classes.call}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        <code className={classes.method} data-method={call.method}>
          {call.method}
        </code>{' '}
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
