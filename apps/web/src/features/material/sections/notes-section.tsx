/** A private note on a material, and a message to the administrators about an error in it. */
import { Textarea } from '@mantine/core';
import { useState } from 'react';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { MOST_NOTED, noteOn, writeNote } from '../../../lib/visits.ts';
import classes from '../material.module.css';
import { ReportProblem } from '../report-problem.tsx';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';

const notesTexts = defineTexts('material-notes', {
  en: {
    label: 'Your note on {{formula}}',
    placeholder: 'Sample, measurement, question …',
    hint: 'Kept in this browser only: not sent to the site, and readable by everyone who uses this browser.',
  },
  zh: {
    label: '您对 {{formula}} 的笔记',
    placeholder: '样品、测量、疑问……',
    hint: '仅保存在此浏览器中：不会发送到网站，使用此浏览器的人都能看到。',
  },
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
