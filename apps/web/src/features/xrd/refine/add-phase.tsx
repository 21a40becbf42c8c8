/** Adds a phase by formula, by the id of a material, or as a CIF. */
import { Button, FileButton, TextInput } from '@mantine/core';
import { searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import { MAX_CIF_BYTES } from '@unitcell/contract/xrd/rules';
import { type SearchResult, searchResultOf } from '@unitcell/material';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useFailure } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { answerTo, ApiError } from '../../../lib/api-client.ts';
import { formatNumber } from '../../../lib/format.ts';
import { type ChosenPhase, phaseOfCif, phaseOfMaterial } from './refine-view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';

/** Polymorphs offered, lowest in energy first. */
const MOST_OFFERED = 8;

async function find(text: string): Promise<SearchResult[]> {
  const call = /^\d+$/.test(text) ? searchByStructId : searchByFormula;
  const { results } = await answerTo(call, { include: text });
  return results
    .map(searchResultOf)
    .toSorted((a, b) => (a.energyAboveHull ?? Infinity) - (b.energyAboveHull ?? Infinity))
    .slice(0, MOST_OFFERED);
}

interface AddPhaseProps {
  readonly isFull: boolean;
  readonly onAdd: (phase: ChosenPhase) => void;
}

export function AddPhase({ isFull, onAdd }: AddPhaseProps) {
  const { t } = useTexts(refineTexts);
  const sentence = useFailure();
  const [text, setText] = useState('');
  const [offered, setOffered] = useState<readonly SearchResult[]>([]);
  const [problem, setProblem] = useState('');
  const take = ({ structId, formula, spaceGroup }: SearchResult): void => {
    onAdd(phaseOfMaterial(structId, formula, spaceGroup));
    setOffered([]);
    setText('');
  };
  const search = useMutation({
    mutationFn: find,
    onSuccess: (found, asked) => {
      const [only, second] = found;
      if (!only) setProblem(t('noneFound', { text: asked }));
      else if (second) setOffered(found);
      else take(only);
    },
    onError: (error) => setProblem(sentence(error)),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    setProblem('');
    setOffered([]);
    if (text.trim() !== '' && !search.isPending) search.mutate(text.trim());
  };
  const addCif = async (file: File | null): Promise<void> => {
    if (!file) return;
    setProblem('');
    try {
      if (file.size > MAX_CIF_BYTES) throw new ApiError(200, t('cifTooLarge', { name: file.name }));
      onAdd(phaseOfCif(file.name, await file.text()));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : t('cifUnread', { name: file.name }));
    }
  };
  if (isFull) return <p className="uc-hint">{t('full')}</p>;
  return (
    <div className={classes.add}>
      <form className={classes.addForm} onSubmit={submit} noValidate>
        <TextInput
          size="sm"
          label={t('add')}
          placeholder={t('addHint')}
          value={text}
          maxLength={60}
          error={problem || undefined}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" variant="default" size="sm" loading={search.isPending}>
          {t('addButton')}
        </Button>
        <FileButton accept=".cif,.txt" onChange={(file) => void addCif(file)}>
          {(props) => (
            <Button {...props} variant="default" size="sm">
              {t('cif')}
            </Button>
          )}
        </FileButton>
      </form>
      {offered.length > 0 && (
        <div>
          <p className="uc-hint">{t('severalFound')}</p>
          <ul className={classes.offered}>
            {offered.map((material) => (
              <li key={material.structId}>
                <Button variant="default" size="xs" onClick={() => take(material)}>
                  <span>
                    <Formula text={material.formula} /> <SpaceGroup symbol={material.spaceGroup} /> (
                    {material.structId})
                    {material.energyAboveHull !== null &&
                      `, ${t('eHull', { value: formatNumber(material.energyAboveHull) })}`}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
