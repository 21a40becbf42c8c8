/** Sign-in by the provider (OIDC) and the directory (LDAP) of an institute; nothing where neither is set up. */
import { Button, TextInput } from '@mantine/core';
import { ldapLogin } from '@unitcell/contract/calls';
import { IconBuildingBank } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { callApi, expectOutcome } from '../../../lib/api-client.ts';
import { type SignInWays, useGoToProvider } from '../api/providers.ts';
import { instituteTexts } from '../institute-texts.ts';
import { askForFactor } from '../second-factor.ts';
import classes from './account.module.css';
import { thisPage } from './provider-buttons.tsx';

interface InstituteSignInProps {
  readonly ways: SignInWays;
  /** What must be true before; answers false after having said what is missing. */
  readonly mayStart: () => boolean;
  readonly onSignedIn: (token: string) => void;
}

export function InstituteSignIn({ ways: { oidc, ldap }, mayStart, onSignedIn }: InstituteSignInProps) {
  const { t } = useTexts(instituteTexts);
  const leaving = useGoToProvider();
  return (
    <div className={classes.loginForm}>
      <p className={classes.lead}>{t('lead')}</p>
      {oidc !== null && (
        <Button
          fullWidth
          data-autofocus
          leftSection={<IconBuildingBank size={18} aria-hidden="true" />}
          loading={leaving.isPending || leaving.isSuccess}
          onClick={() => {
            if (mayStart()) leaving.mutate({ provider: 'oidc', page: thisPage() });
          }}
        >
          {oidc === '' ? t('unnamed') : t('named', { name: oidc })}
        </Button>
      )}
      {ldap !== null && (
        <DirectoryForm name={ldap} isFirst={oidc === null} mayStart={mayStart} onSignedIn={onSignedIn} />
      )}
    </div>
  );
}

interface DirectoryFormProps extends Omit<InstituteSignInProps, 'ways'> {
  readonly name: string;
  /** The keyboard begins here. */
  readonly isFirst: boolean;
}

function DirectoryForm({ name, isFirst, mayStart, onSignedIn }: DirectoryFormProps) {
  const { t } = useTexts(instituteTexts);
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const entering = useMutation({
    mutationFn: async () => expectOutcome(await callApi(ldapLogin, { username, password })),
    onSuccess: ({ token, second_factor: pending }) => {
      if (pending) askForFactor(pending);
      else if (token !== undefined) onSignedIn(token);
    },
    onError: useFailureToast(),
    onSettled: () => setPassword(''),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (mayStart()) entering.mutate();
  };
  return (
    <form className={classes.loginForm} onSubmit={submit}>
      <TextInput
        label={t('username')}
        data-autofocus={isFirst || undefined}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={256}
        value={username}
        onChange={(event) => setUsername(event.currentTarget.value)}
      />
      <TextInput
        type="password"
        label={name === '' ? t('password') : t('passwordOf', { name })}
        autoComplete="current-password"
        maxLength={1024}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Button
        type="submit"
        fullWidth
        loading={entering.isPending}
        disabled={username.trim() === '' || password === ''}
      >
        {t('submit')}
      </Button>
    </form>
  );
}
