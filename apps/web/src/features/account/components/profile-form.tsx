/** Avatar, name, introduction, address, occupation (spec §2.5, personal info). */
import { AVATAR_MAX_BYTES, PROFILE_LIMITS, type UserInfor } from '@unitcell/contract';
import { Button, FileButton, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { notify } from '../../../lib/notify.ts';
import { changeProfile, sendAvatar } from '../api/change-profile.ts';
import { accountTexts } from '../texts.ts';
import { type ProfileField, profileFormOf, tooLongFields } from '../view-model.ts';
import classes from './account-page.module.css';

export function ProfileForm({ user }: { readonly user: UserInfor }) {
  const { t } = useTexts(accountTexts);
  const client = useQueryClient();
  const [form, setForm] = useState(() => profileFormOf(user));
  const [busy, setBusy] = useState<'avatar' | 'fields' | null>(null);
  const tooLong = tooLongFields(form);

  const run = async (step: 'avatar' | 'fields', work: () => Promise<void>): Promise<void> => {
    setBusy(step);
    try {
      await work();
      await client.invalidateQueries({ queryKey: ['account', 'user'] });
      notify('success', t('updated'));
    } catch (error) {
      notify('error', error instanceof ApiError ? error.message : t('somethingFailed'));
    } finally {
      setBusy(null);
    }
  };
  const chooseAvatar = async (file: File | null): Promise<void> => {
    if (!file) return;
    if (file.size > AVATAR_MAX_BYTES) {
      notify('error', t('avatarTooLarge'));
      return;
    }
    await run('avatar', async () => void (await changeProfile({ avatar: await sendAvatar(file) })));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (tooLong.length > 0) return;
    void run('fields', async () => setForm(profileFormOf(await changeProfile(form))));
  };
  const fieldProps = (field: ProfileField) => ({
    label: t(field),
    name: field,
    value: form[field],
    error: tooLong.includes(field) ? t('tooLong', { limit: PROFILE_LIMITS[field] }) : undefined,
    onChange: (event: { readonly currentTarget: { readonly value: string } }) =>
      setForm({ ...form, [field]: event.currentTarget.value }),
  });
  const initial = Array.from(user.name || user.username)[0]?.toUpperCase();

  return (
    <form className={classes.form} onSubmit={submit} noValidate>
      <div className={classes.avatarRow}>
        <div className={classes.avatar}>
          {user.avatar === '' ? (
            <span aria-hidden="true">{initial}</span>
          ) : (
            <img src={user.avatar} alt={t('avatar')} />
          )}
        </div>
        <div>
          <div className={classes.avatarTools}>
            <FileButton accept="image/png,image/jpeg,image/webp" onChange={(file) => void chooseAvatar(file)}>
              {(props) => (
                <Button variant="default" loading={busy === 'avatar'} {...props}>
                  {t('avatarChoose')}
                </Button>
              )}
            </FileButton>
            {user.avatar !== '' && (
              <Button
                variant="subtle"
                disabled={busy !== null}
                onClick={() => void run('avatar', async () => void (await changeProfile({ avatar: '' })))}
              >
                {t('avatarRemove')}
              </Button>
            )}
          </div>
          <p className={classes.hint}>{t('avatarHint')}</p>
        </div>
      </div>
      <TextInput autoComplete="name" {...fieldProps('name')} />
      <Textarea autosize minRows={3} maxRows={10} {...fieldProps('des')} />
      <TextInput autoComplete="street-address" {...fieldProps('url')} />
      <TextInput autoComplete="organization-title" {...fieldProps('occ')} />
      <Button
        type="submit"
        className={classes.submit}
        loading={busy === 'fields'}
        disabled={busy !== null || tooLong.length > 0}
      >
        {t('update')}
      </Button>
    </form>
  );
}
