/** Name, scopes and end of a key to come. */
import { Button, Checkbox, Modal, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { keyTexts } from '../key-texts.ts';
import classes from './account.module.css';

const NAMED = [
  'matdata',
  'phase-diagram',
  'ecwindow',
  'interface-reaction',
  'run4u',
  'xrd',
  'tight-binding',
  'prediction',
  'design',
  'topology',
  'about',
] as const;

/** Names of the groups of calls a key opens; the group itself where a later one has no name yet. */
export function useScopeText(): (scope: string) => string {
  const { t } = useTexts(keyTexts);
  return (scope) => {
    if (scope === 'all') return t('all');
    const named = NAMED.find((name) => name === scope);
    return named === undefined ? scope : t(`scope.${named}`);
  };
}

export interface AskedKey {
  readonly label: string;
  readonly scopes: string[];
  readonly days: number;
}

interface ApiKeyFormProps {
  readonly scopes: readonly string[];
  readonly maxDays: number;
  readonly onClose: () => void;
  readonly onAsked: (asked: AskedKey) => void;
}

const DAYS = [30, 90, 180, 365] as const;

export function ApiKeyForm({ scopes, maxDays, onClose, onAsked }: ApiKeyFormProps) {
  const { t } = useTexts(keyTexts);
  const scopeText = useScopeText();
  const [label, setLabel] = useState('');
  const [chosen, setChosen] = useState<string[]>(['all']);
  const [days, setDays] = useState(90);
  const isAll = chosen.includes('all');
  const isComplete = label.trim() !== '' && chosen.length > 0;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete) onAsked({ label: label.trim(), scopes: isAll ? ['all'] : chosen, days });
  };
  return (
    <Modal
      opened
      centered
      size="26rem"
      title={t('formTitle')}
      onClose={onClose}
      closeButtonProps={{ 'aria-label': t('close') }}
      classNames={{
        title: classes.loginTitle,
        content: classes.content,
        header: classes.header,
      }}
    >
      <form className={classes.form} onSubmit={submit}>
        <TextInput
          label={t('label')}
          description={t('labelHint')}
          value={label}
          maxLength={60}
          data-autofocus
          onChange={(event) => setLabel(event.currentTarget.value)}
        />
        <Checkbox.Group label={t('scopes')} value={chosen} onChange={setChosen}>
          <div className={classes.scopes}>
            <Checkbox value="all" label={t('all')} />
            {scopes.map((scope) => (
              <Checkbox key={scope} value={scope} label={scopeText(scope)} disabled={isAll} />
            ))}
          </div>
        </Checkbox.Group>
        <NativeSelect
          label={t('days')}
          value={String(days)}
          data={DAYS.filter((count) => count <= maxDays).map((count) => ({
            value: String(count),
            label: t('inDays', { count }),
          }))}
          onChange={(event) => setDays(Number(event.currentTarget.value))}
        />
        <Button type="submit" disabled={!isComplete} className={classes.submit}>
          {t('next')}
        </Button>
      </form>
    </Modal>
  );
}
