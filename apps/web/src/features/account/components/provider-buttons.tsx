/** The icons of GitHub and WeChat; renders nothing if neither is available. */
import type { ThirdPartyName } from '@unitcell/contract/account';
import { IconBrandGithub, IconBrandWechat } from '@tabler/icons-react';
import type { ComponentProps } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useGoToProvider, useProviders } from '../api/providers.ts';
import { accountTexts } from '../texts.ts';
import classes from './account.module.css';

export const PROVIDER_ICONS = { github: IconBrandGithub, wechat: IconBrandWechat } as const;

export const thisPage = (): string =>
  window.location.origin + window.location.pathname + window.location.search;

interface ProviderButtonProps extends ComponentProps<'button'> {
  readonly name: ThirdPartyName;
  readonly label: string;
}

export function ProviderButton({ name, label, ...props }: ProviderButtonProps) {
  const Icon = PROVIDER_ICONS[name];
  return (
    <button type="button" className={classes.provider} aria-label={label} title={label} {...props}>
      <Icon size={22} aria-hidden="true" />
    </button>
  );
}

interface ProviderButtonsProps {
  readonly caption: string;
  readonly mayStart?: () => boolean;
}

export function ProviderButtons({ caption, mayStart }: ProviderButtonsProps) {
  const { t } = useTexts(accountTexts);
  const providers = useProviders();
  const leaving = useGoToProvider();
  if (providers.length === 0) return null;

  const leave = (provider: ThirdPartyName): void => {
    if (mayStart?.() !== false) leaving.mutate({ provider, page: thisPage() });
  };
  return (
    <div className={`uc-line ${classes.providers}`}>
      <span className="uc-caption">{caption}</span>
      {providers.map((name) => (
        <ProviderButton
          key={name}
          name={name}
          label={t('signInWith', { provider: t(name) })}
          // Ignore further clicks while the browser is redirecting.
          disabled={leaving.isPending || leaving.isSuccess}
          onClick={() => leave(name)}
        />
      ))}
    </div>
  );
}
