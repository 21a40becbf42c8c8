/** Spacings and intensities typed or pasted in place of a measured file. */
import { Button, Textarea } from '@mantine/core';
import type { ListedLine } from '@unitcell/diffraction';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { readLineList } from '../line-list.ts';
import { xrdTexts } from '../texts.ts';

interface LineFormProps {
  readonly isDisabled: boolean;
  readonly onLines: (lines: readonly ListedLine[]) => void;
}

const MAX_TEXT = 20_000;

export function LineForm({ isDisabled, onLines }: LineFormProps) {
  const { t } = useTexts(xrdTexts);
  const [text, setText] = useState('');
  const list = readLineList(text);
  return (
    <>
      <Textarea
        label={t('lineListLabel')}
        description={t('lineListHint')}
        placeholder={'3.342 100\n4.255 22\n1.818 14'}
        rows={5}
        maxLength={MAX_TEXT}
        value={text}
        error={list.kind === 'wrong' && t('lineListWrong', { line: list.line, text: list.text })}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Button
        variant="default"
        size="xs"
        disabled={isDisabled || list.kind !== 'lines'}
        onClick={() => {
          if (list.kind === 'lines') onLines(list.lines);
        }}
      >
        {t('lineListUse')}
      </Button>
    </>
  );
}
