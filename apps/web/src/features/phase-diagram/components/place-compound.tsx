/** "Place my compound": adds a formula with an energy, or an uploaded entry, to the diagram with its decomposition. */
import { Button, NativeSelect, NumberInput, TextInput } from '@mantine/core';
import type { PlacedCompound } from '@unitcell/contract/phase-diagram';
import { type FormEvent, useState } from 'react';
import { useScaleName, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { InlineFailure } from '../../../components/failure.tsx';
import { FileChoice } from '../../../components/file-choice.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Section } from '../../../components/section.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type EnergyKind, MAX_ENTRY_BYTES, type OwnCompound, readEntry } from '../own-compound.ts';
import { phaseTexts } from '../texts.ts';
import classes from '../phase-diagram.module.css';

interface PlaceCompoundProps {
  readonly functional: string;
  /** The compound in the address. */
  readonly own: OwnCompound | null;
  readonly placed: PlacedCompound | null;
  readonly error: unknown;
  readonly isFetching: boolean;
  readonly onRetry: () => void;
  readonly onOwn: (own: OwnCompound | null) => void;
}

interface Typed {
  readonly formula: string;
  readonly energy: number | string;
  readonly kind: EnergyKind;
}

const typedOf = (own: OwnCompound | null): Typed => ({
  formula: own?.formula ?? '',
  energy: own?.energyPerAtom ?? '',
  kind: own?.energyKind ?? 'formation',
});

export function PlaceCompound({
  functional,
  own,
  placed,
  error,
  isFetching,
  onRetry,
  onOwn,
}: PlaceCompoundProps) {
  const { t } = useTexts(phaseTexts);
  const nameOf = useScaleName();
  const [{ of, typed }, setInput] = useState({ of: own, typed: typedOf(own) });
  const setTyped = (next: Typed): void => setInput({ of: own, typed: next });
  // Updates the boxes when another compound is in the address. A removed compound stays in them.
  if (of !== own) setInput({ of: own, typed: own === null ? typed : typedOf(own) });
  const [fileProblem, setFileProblem] = useState('');
  const energy = typed.energy === '' ? Number.NaN : Number(typed.energy);
  const isReady = typed.formula.trim() !== '' && Number.isFinite(energy);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setFileProblem('');
    if (!isReady) return;
    if (error !== null) onRetry();
    onOwn({ formula: typed.formula.trim(), energyPerAtom: energy, energyKind: typed.kind });
  };
  const upload = async (file: File | null): Promise<void> => {
    if (!file) return;
    const { name, size } = file;
    setFileProblem('');
    const read = size > MAX_ENTRY_BYTES ? null : readEntry(await file.text());
    if (read === null)
      return setFileProblem(t(size > MAX_ENTRY_BYTES ? 'placeTooLarge' : 'placeBadFile', { name }));
    onOwn(read);
  };
  return (
    <Section id="place" title={t('place')} lead={t('placeLead', { scale: nameOf(functional) })}>
      <div className="uc-stack">
        <form className={`uc-wrap uc-fields ${classes.placeForm}`} onSubmit={submit}>
          <TextInput
            label={t('placeFormula')}
            placeholder="LiMnO2"
            maxLength={200}
            value={typed.formula}
            spellCheck={false}
            onChange={(event) => setTyped({ ...typed, formula: event.currentTarget.value })}
          />
          <NumberInput
            className="uc-short"
            label={t('placeEnergy')}
            placeholder="-1.95"
            step={0.01}
            decimalScale={6}
            value={typed.energy}
            onChange={(value) => setTyped({ ...typed, energy: value })}
          />
          <NativeSelect
            className="uc-short"
            label={t('placeKind')}
            data={[
              { value: 'formation', label: t('kind_formation') },
              { value: 'total', label: t('kind_total') },
            ]}
            value={typed.kind}
            onChange={({ currentTarget: { value } }) =>
              setTyped({ ...typed, kind: value === 'total' ? 'total' : 'formation' })
            }
          />
          <Button type="submit" disabled={!isReady} loading={isFetching}>
            {t('placeButton')}
          </Button>
          <FileChoice accept=".json,.jsonl,application/json" onChange={(file) => void upload(file)}>
            {(button) => (
              <Button {...button} variant="default">
                {t('placeUpload')}
              </Button>
            )}
          </FileChoice>
          {own && (
            <Button variant="default" onClick={() => onOwn(null)}>
              {t('placeRemove')}
            </Button>
          )}
        </form>
        <InlineFailure error={fileProblem || error} />
        <div aria-live="polite">{placed && <Verdict placed={placed} scale={functional} />}</div>
      </div>
    </Section>
  );
}

function Verdict({ placed, scale }: { readonly placed: PlacedCompound; readonly scale: string }) {
  const { t } = useTexts(phaseTexts);
  const { eAboveHull, decomposition, formula, fEnergy } = placed;
  const size = formatNumber(Math.abs(eAboveHull));
  return (
    <p className="uc-verdict">
      <strong>
        <Formula text={formula} />
      </strong>{' '}
      ({formatNumber(fEnergy)} eV/atom){' '}
      {eAboveHull === 0
        ? t('placedOn')
        : t(eAboveHull < 0 ? 'placedStable' : 'placedAbove', { energy: size })}{' '}
      {eAboveHull < 0 && t('placedInstead')}{' '}
      {eAboveHull !== 0 &&
        decomposition.map((part, index) => (
          <span key={part.formula}>
            {index > 0 && ' + '}
            {decomposition.length > 1 && `${formatNumber(part.fraction)} `}
            {part.id === null ? (
              <Formula text={part.formula} />
            ) : (
              <a href={withScale(`/matdatades/${part.id}`, scale)} target="_blank" rel="noopener">
                <Formula text={part.formula} />
              </a>
            )}
          </span>
        ))}
      {eAboveHull !== 0 && decomposition.length > 1 && ` (${t('fraction_note')})`}
    </p>
  );
}
