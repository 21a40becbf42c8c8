/** The icons of GitHub and WeChat; renders nothing if neither is available. */
import type { ThirdPartyName } from '@unitcell/contract/account';
import { IconBrandGithub, IconBrandWechat } from '@tabler/icons-react';
import { useTexts } from '../../../i18n/texts.ts';
import { useGoToProvider, useProviders } from '../api/providers.ts';
import { accountTexts } from '../texts.ts';
import classes from './account.module.css';

export const PROVIDER_ICONS = { github: IconBrandGithub, wechat: IconBrandWechat } as const;

export const thisPage = (): string =>
  window.location.origin + window.location.pathname + window.location.search;

const NONE: readonly ThirdPartyName[] = [];

interface ProviderButtonsProps {
  readonly caption: string;
  /** Providers to leave out because they are bound. */
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
  const leaving = useGoToProvider();
  if (providers.length === 0) return null;

  const leave = (provider: ThirdPartyName): void => {
    if (mayStart?.() !== false) leaving.mutate({ provider, page: thisPage() });
  };
  return (
    <div className={`uc-line ${classes.providers}`}>
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
            // Ignore further clicks while the browser is redirecting.
            disabled={leaving.isPending || leaving.isSuccess}
            onClick={() => leave(name)}
          >
            <Icon size={22} aria-hidden="true" />
          </button>
        );
      })}
    </div>
  );
}
