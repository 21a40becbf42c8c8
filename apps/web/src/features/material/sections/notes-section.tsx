/** A private note on a material, and a message to the operator about an error in it. */
import { Textarea } from '@mantine/core';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { useState } from 'react';
import { Section } from '../../../components/section.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { isMailbox, useAboutData } from '../../../lib/use-about-data.ts';
import { MOST_NOTED, noteOn, writeNote } from '../../../lib/visits.ts';
import classes from '../material.module.css';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';

const notesTexts = defineTexts('material-notes', {
  en: {
    label: 'Your note on {{formula}}',
    placeholder: 'Sample, measurement, question …',
    hint: 'Kept in this browser only: not sent to the site, and readable by everyone who uses this browser.',
    report: 'Report a problem with this entry',
    wrong: 'What is wrong, and how do you know?',
  },
  zh: {
    label: '您对 {{formula}} 的笔记',
    placeholder: '样品、测量、疑问……',
    hint: '仅保存在此浏览器中：不会发送到网站，使用此浏览器的人都能看到。',
    report: '报告本条目的问题',
    wrong: '哪里有误？依据是什么？',
  },
});

const title = { en: 'Notes', zh: '笔记' };

type Entry = Pick<MaterialDetail, 'struct_id' | 'formula' | 'symmetry_data' | 'release'>;

/** A mail with the details the operator needs to find the entry. */
export function reportAddress(contact: string, entry: Entry, origin: string, question: string): string {
  const { struct_id: id, formula, symmetry_data: symmetry, release } = entry;
  const lines = [
    `${formula}, ${symmetry.space_group}, ${origin}/matdatades/${id}`,
    ...(release === null ? [] : [`release ${release.id}`]),
    '',
    question,
    '',
  ];
  const subject = encodeURIComponent(`Unitcell ${id} ${formula}`);
  return `mailto:${contact}?subject=${subject}&body=${encodeURIComponent(lines.join('\r\n'))}`;
}

function NotesSection({ material }: MaterialSectionProps) {
  const { t, language } = useTexts(notesTexts);
  const [text, setText] = useState(() => noteOn(material.struct_id));
  const contact = useAboutData().data?.contact ?? '';
  return (
    <Section
      id="notes"
      title={title[language]}
      tools={
        isMailbox(contact) && (
          <a href={reportAddress(contact, material, location.origin, t('wrong'))}>{t('report')}</a>
        )
      }
    >
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
    </Section>
  );
}

export const notesSection: MaterialSection = { id: 'notes', title, Component: NotesSection };
