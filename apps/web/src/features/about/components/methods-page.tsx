/** All method texts of the value popovers on one page. */
import { Box } from '@mantine/core';
import { useRef } from 'react';
import { useLocation } from 'react-router-dom';
import { type Method, METHODS } from '../../../components/provenance/methods.ts';
import { Outline } from '../../../components/outline.tsx';
import panel from '../../../components/panel.module.css';
import { Section } from '../../../components/section.tsx';
import { ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { documentationAddress } from '../../../lib/documentation.ts';
import { useHashTarget } from '../../../lib/use-hash-target.ts';

const methodTexts = defineTexts('methods', {
  title: ['Methods', '方法'],
  lead: [
    'How every number is calculated and how to reproduce it.',
    '本站各页面上每个数值的由来，以及如何由本站导出的数据重新得到它。',
  ],
  outline: ['On this page', '本页目录'],
  recompute: ['How to recompute it:', '如何重算：'],
  doc: ['Full method', '方法全文'],
});

export function Page() {
  const { t, language } = useTexts(methodTexts);
  const { hash } = useLocation();
  const content = useRef<HTMLDivElement>(null);
  useHashTarget(hash, content);
  const methods = Object.entries<Method>(METHODS);
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      <div className={panel.columns}>
        <Outline
          label={t('outline')}
          entries={methods.map(([id, { title }]) => ({ id, title: title[language] }))}
        />
        <div ref={content} className={panel.beside}>
          {methods.map(([id, { title, how, recompute, doc }]) => (
            <Section key={id} id={id} title={title[language]} lead={how[language]}>
              <Box component="p" maw="46rem">
                <strong>{t('recompute')}</strong> {recompute[language]}
              </Box>
              {doc !== undefined && (
                <p>
                  <a href={documentationAddress(language, `methods/${doc.replace('.md', '')}`)}>{t('doc')}</a>
                </p>
              )}
            </Section>
          ))}
        </div>
      </div>
    </div>
  );
}
