/** Spacings and intensities typed or pasted in place of a measured file. */
import { Button, Textarea } from '@mantine/core';
import type { ListedLine } from '@unitcell/diffraction';
import { LISTED_SPACINGS } from '@unitcell/contract/xrd/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { xrdTexts } from '../texts.ts';

type LineList =
  | { readonly kind: 'empty' }
  | { readonly kind: 'lines'; readonly lines: readonly ListedLine[] }
  /** `line` counts from 1. */
  | { readonly kind: 'wrong'; readonly line: number; readonly text: string };

/** One line each: spacing and intensity, separated by spaces, tabs, commas or semicolons. More columns are ignored. */
export function readLineList(text: string): LineList {
  const lines: ListedLine[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    const trimmed = row.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [d = Number.NaN, intensity = Number.NaN] = trimmed.split(/[\s,;]+/).map(Number);
    if (!(d >= LISTED_SPACINGS.min && d <= LISTED_SPACINGS.max && intensity >= 0 && intensity < Infinity))
      return { kind: 'wrong', line: index + 1, text: trimmed.slice(0, 40) };
    lines.push({ d, intensity });
  }
  return lines.some(({ intensity }) => intensity > 0) ? { kind: 'lines', lines } : { kind: 'empty' };
}

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
