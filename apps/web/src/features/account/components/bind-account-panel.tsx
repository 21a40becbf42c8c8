/** After a registration: another sign-in for the new account, or none (spec §2.4, bind account). */
import type { ThirdPartyName } from '@unitcell/contract';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useGoToProvider } from '../api/use-go-to-provider.ts';
import { accountTexts } from '../texts.ts';
import classes from './login-overlay.module.css';
import { PROVIDER_ICONS, thisPage } from './provider-buttons.tsx';

interface BindAccountPanelProps {
  /** On offer, and not bound already. */
  readonly providers: readonly ThirdPartyName[];
  readonly onSkip: () => void;
}

export function BindAccountPanel({ providers, onSkip }: BindAccountPanelProps) {
  const { t } = useTexts(accountTexts);
  const [chosen, setChosen] = useState<ThirdPartyName | null>(null);
  const leaving = useGoToProvider();
  return (
    <div className={classes.form}>
      <p className={classes.lead}>{t('bindAccountLead')}</p>
      <div className={classes.providers}>
        {providers.map((name) => {
          const Icon = PROVIDER_ICONS[name];
          return (
            <button
              key={name}
              type="button"
              className={classes.provider}
              aria-label={t('bindWith', { provider: t(name) })}
              title={t('bindWith', { provider: t(name) })}
              aria-pressed={chosen === name}
              onClick={() => setChosen(chosen === name ? null : name)}
            >
              <Icon size={22} aria-hidden="true" />
            </button>
          );
        })}
      </div>
      <Button
        fullWidth
        disabled={chosen === null || leaving.isSuccess}
        loading={leaving.isPending}
        onClick={() => chosen && leaving.mutate({ provider: chosen, page: thisPage() })}
      >
        {t('confirmBind')}
      </Button>
      <Button variant="default" fullWidth onClick={onSkip}>
        {t('skip')}
      </Button>
    </div>
  );
}
