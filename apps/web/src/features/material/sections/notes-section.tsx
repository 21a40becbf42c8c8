/** A private note on a material, and a message to the administrators about an error in it. */
import { Button, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../components/section.tsx';
import { dayText } from '../../../i18n/dates.ts';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { MOST_NOTED, noteOn, writeNote } from '../../../lib/visits.ts';
import classes from '../material.module.css';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { listReports, reportEntry } from '@unitcell/contract/calls';
import { LONGEST_REPORT, SHORTEST_REPORT } from '@unitcell/contract/matdata/rules';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { InlineFailure } from '../../../components/failure.tsx';
import { answerTo, apiQuery } from '../../../lib/api-client.ts';

// A message to the administrators about an error in an entry, and the reader's earlier ones with their answers.

const reportTexts = defineTexts('material-report', {
  report: ['Report a problem with this entry', '报告本条目的问题'],
  wrong: ['What is wrong, and how do you know?', '哪里有误？依据是什么？'],
  email: ['E-mail (optional)', '电子邮箱（可不填）'],
  emailHint: [
    'For questions about your report only. It is deleted 90 days after the answer.',
    '仅用于就此报告与您联系，答复 90 天后删除。',
  ],
  send: ['Send', '发送'],
  cancel: ['Cancel', '取消'],
  mine: ['Your reports on this entry', '您对本条目的报告'],
  open: ['open', '待答复'],
  answered: ['answered', '已答复'],
});

function ReportProblem({ structId }: { readonly structId: number }) {
  const { t, language } = useTexts(reportTexts);
  const client = useQueryClient();
  const own = apiQuery({ call: listReports, body: { struct_id: structId } });
  const { data } = useQuery(own);
  const [draft, setDraft] = useState<{ readonly message: string; readonly email: string } | null>(null);
  const send = useMutation({
    mutationFn: (body: NonNullable<typeof draft>) => answerTo(reportEntry, { struct_id: structId, ...body }),
    onSuccess: () => {
      setDraft(null);
      return client.invalidateQueries({ queryKey: own.queryKey });
    },
  });
  const reports = data?.reports ?? [];
  return (
    <>
      {draft === null ? (
        <Button variant="default" size="compact-md" onClick={() => setDraft({ message: '', email: '' })}>
          {t('report')}
        </Button>
      ) : (
        <form
          className={`uc-stack ${classes.report}`}
          aria-label={t('report')}
          onSubmit={(event) => {
            event.preventDefault();
            send.mutate(draft);
          }}
        >
          <Textarea
            label={t('wrong')}
            autosize
            minRows={3}
            required
            minLength={SHORTEST_REPORT}
            maxLength={LONGEST_REPORT}
            value={draft.message}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, message: value })}
          />
          <TextInput
            label={t('email')}
            description={t('emailHint')}
            inputWrapperOrder={['label', 'input', 'description']}
            type="email"
            autoComplete="email"
            value={draft.email}
            onChange={({ currentTarget: { value } }) => setDraft({ ...draft, email: value })}
          />
          <div className="uc-row">
            <Button type="submit" loading={send.isPending}>
              {t('send')}
            </Button>
            <Button
              variant="subtle"
              onClick={() => {
                setDraft(null);
                send.reset();
              }}
            >
              {t('cancel')}
            </Button>
          </div>
          <InlineFailure error={send.error} />
        </form>
      )}
      {reports.length > 0 && (
        <>
          <h3 className={classes.subheading}>{t('mine')}</h3>
          <ul className="uc-list">
            {reports.map(({ id, created_at: at, message, answer }) => (
              <li key={id} className={classes.text}>
                <span className="uc-caption">
                  {dayText(at, language)} · {t(answer === null ? 'open' : 'answered')}
                </span>
                <br />
                {message}
                {answer !== null && <blockquote className={classes.answer}>{answer}</blockquote>}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const notesTexts = defineTexts('material-notes', {
  label: ['Your note on {{formula}}', '您对 {{formula}} 的笔记'],
  placeholder: ['Sample, measurement, question …', '样品、测量、疑问……'],
  hint: [
    'Kept in this browser only: not sent to the site, and readable by everyone who uses this browser.',
    '仅保存在此浏览器中：不会发送到网站，使用此浏览器的人都能看到。',
  ],
});

const title = { en: 'Notes', zh: '笔记' };

function NotesSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(notesTexts);
  const [text, setText] = useState(() => noteOn(material.struct_id));
  return (
    <Section id="notes" title={title[language]}>
      <Textarea
        className={classes.text}
        aria-label={t('label', { formula: material.formula })}
        placeholder={t('placeholder')}
        description={t('hint')}
        inputWrapperOrder={['input', 'description']}
        autosize
        minRows={2}
        maxLength={MOST_NOTED}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          writeNote(material.struct_id, event.currentTarget.value);
        }}
      />
      <ReportProblem structId={material.struct_id} />
    </Section>
  );
}

export const notesSection: MaterialSection = { id: 'notes', title, Component: NotesSection };
