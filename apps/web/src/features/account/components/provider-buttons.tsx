/** The icons of GitHub and WeChat; nothing where the installation offers neither. */
import type { ThirdPartyName } from '@unitcell/contract';
import { IconBrandGithub, IconBrandWechat } from '@tabler/icons-react';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { useProviders } from '../api/use-providers.ts';
import { accountTexts } from '../texts.ts';
import { goToProvider } from '../third-party.ts';
import classes from './login-overlay.module.css';

export const PROVIDER_ICONS = { github: IconBrandGithub, wechat: IconBrandWechat } as const;

const NONE: readonly ThirdPartyName[] = [];

interface ProviderButtonsProps {
  readonly caption: string;
  /** Providers to leave out: those that are bound. */
  readonly without?: readonly ThirdPartyName[];
  readonly verb?: 'signInWith' | 'bindWith';
  readonly mayStart?: () => boolean;
}

export function ProviderButtons({
  caption,
  without = NONE,
  verb = 'signInWith',
  mayStart,
}: ProviderButtonsProps) {
  const { t } = useTexts(accountTexts);
  const providers = useProviders().filter((name) => !without.includes(name));
  const [leaving, setLeaving] = useState(false);
  if (providers.length === 0) return null;

  const leave = async (provider: ThirdPartyName): Promise<void> => {
    if (mayStart?.() === false) return;
    setLeaving(true);
    try {
      await goToProvider(
        provider,
        window.location.origin + window.location.pathname + window.location.search,
      );
    } catch (error) {
      notify('error', error instanceof ApiError ? error.message : t('failed'));
      setLeaving(false);
    }
  };
  return (
    <div className={classes.providers}>
      <span className="uc-caption">{caption}</span>
      {providers.map((name) => {
        const Icon = PROVIDER_ICONS[name];
        return (
          <button
            key={name}
            type="button"
            className={classes.provider}
            aria-label={t(verb, { provider: t(name) })}
            title={t(verb, { provider: t(name) })}
            disabled={leaving}
            onClick={() => void leave(name)}
          >
            <Icon size={22} aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}
