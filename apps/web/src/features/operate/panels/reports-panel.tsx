/** Reports of problems with entries: a queue with answers. */
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { operateAnswerReport, operateReports } from '@unitcell/contract/calls';
import { LONGEST_REPORT } from '@unitcell/contract/matdata/rules';
import type { OperatedReport } from '@unitcell/contract/operate';
import { REPORT_STATES } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import { Action, Answered, Dialog, Mark, OlderRows, PanelHead, useTimes } from '../components/shared.tsx';
import { operateTexts } from '../texts.ts';

const reportsTexts = defineTexts('operate-reports', {
  state: ['State', '状态'],
  any: ['Any state ({{n}})', '全部状态（{{n}}）'],
  open: ['Open', '待答复'],
  answered: ['Answered', '已答复'],
  count: ['{{name}} ({{n}})', '{{name}}（{{n}}）'],
  none: ['No reports.', '没有报告。'],
  when: ['When', '时间'],
  entry: ['Entry', '条目'],
  from: ['From', '报告者'],
  visitor: ['Visitor', '访客'],
  message: ['Report', '内容'],
  answer: ['Answer', '答复'],
  change: ['Change answer', '修改答复'],
  hint: [
    'The reporter reads the answer under Notes on the page of the material. The site sends no mail.',
    '报告者可在材料页面的“笔记”部分看到答复。本站不发送邮件。',
  ],
  done: ['Answer saved.', '答复已保存。'],
});

export function ReportsPanel() {
  const { t } = useTexts(reportsTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const [state, setState] = useState<(typeof REPORT_STATES)[number] | null>('open');
  const [before, setBefore] = useState<number | null>(null);
  const [answering, setAnswering] = useState<OperatedReport | null>(null);
  const asked = useAsked(operateReports, { state, before });
  return (
    <>
      <PanelHead title={frame.t('reports')} />
      <Answered asked={asked}>
        {({ reports, counts, has_more: hasMore }) => (
          <>
            <div className={`uc-row ${classes.tools}`}>
              <NativeSelect
                aria-label={t('state')}
                value={state ?? ''}
                data={[
                  { value: '', label: t('any', { n: counts.open + counts.answered }) },
                  ...REPORT_STATES.map((value) => ({
                    value,
                    label: t('count', { name: t(value), n: counts[value] }),
                  })),
                ]}
                onChange={({ currentTarget: { value } }) => {
                  setBefore(null);
                  setState(REPORT_STATES.find((name) => name === value) ?? null);
                }}
              />
            </div>
            <ListTable
              label={frame.t('reports')}
              rows={reports}
              rowKey={({ id }) => id}
              empty={t('none')}
              columns={(column) => [
                column(t('when'), (row) => time(row.created_at)),
                column(t('entry'), ({ struct_id: id, formula }) => (
                  <Link to={`/matdatades/${id}`}>
                    {id} <Formula text={formula ?? ''} />
                  </Link>
                )),
                column(
                  t('from'),
                  ({ account, account_id: id, email, struct_id: of }) => (
                    <>
                      {id === null ? t('visitor') : `${account ?? ''} ${id}`}
                      {email !== '' && (
                        <>
                          <br />
                          <a href={`mailto:${email}?subject=${encodeURIComponent(`Unitcell ${of}`)}`}>
                            {email}
                          </a>
                        </>
                      )}
                    </>
                  ),
                  'isWrapped',
                ),
                column(
                  t('message'),
                  ({ message, answer }) => (
                    <>
                      {message}
                      {answer !== null && <blockquote className={classes.answer}>{answer}</blockquote>}
                    </>
                  ),
                  'isWrapped',
                ),
                column(t('state'), ({ answer }) => (
                  <Mark tone={answer === null ? 'watch' : 'good'}>
                    {t(answer === null ? 'open' : 'answered')}
                  </Mark>
                )),
                column(
                  frame.t('actions'),
                  (row) => (
                    <Action
                      label={t(row.answer === null ? 'answer' : 'change')}
                      of={`${row.id} ${row.formula ?? ''}`}
                      isBusy={false}
                      onDo={() => setAnswering(row)}
                    />
                  ),
                  'isActions',
                ),
              ]}
            />
            <OlderRows rows={reports} hasMore={hasMore} before={before} onBefore={setBefore} />
          </>
        )}
      </Answered>
      {answering && <AnswerDialog report={answering} onClose={() => setAnswering(null)} />}
    </>
  );
}

interface AnswerDialogProps {
  readonly report: OperatedReport;
  readonly onClose: () => void;
}

function AnswerDialog({ report, onClose }: AnswerDialogProps) {
  const { t } = useTexts(reportsTexts);
  const frame = useTexts(operateTexts);
  const [answer, setAnswer] = useState(report.answer ?? '');
  const save = useAct(operateAnswerReport, t('done'));
  return (
    <Dialog onClose={onClose} centered title={`${t('answer')}: ${report.struct_id} ${report.formula ?? ''}`}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate({ id: report.id, answer }, { onSuccess: onClose });
        }}
      >
        <p>{report.message}</p>
        <Textarea
          label={t('answer')}
          description={t('hint')}
          inputWrapperOrder={['label', 'input', 'description']}
          autosize
          minRows={3}
          required
          maxLength={LONGEST_REPORT}
          data-autofocus
          value={answer}
          onChange={({ currentTarget: { value } }) => setAnswer(value)}
        />
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isPending}>
            {frame.t('save')}
          </Button>
          <Button variant="subtle" onClick={onClose}>
            {frame.t('back')}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
