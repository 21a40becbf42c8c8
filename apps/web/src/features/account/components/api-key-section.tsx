/** API keys section of the account page, shown if the operator lets members create keys. */
import { Button, Checkbox, CopyButton, NativeSelect, Skeleton, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import type { OwnApiKey, UserInfor } from '@unitcell/contract/account';
import { type FormEvent, useState } from 'react';
import { Link } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { Section } from '../../../components/section.tsx';
import { dayText } from '../../../i18n/dates.ts';
import { useTexts, defineTexts } from '../../../i18n/texts.ts';
import { notify } from '../../../lib/notify.ts';
import { isMailbox, useAboutData } from '../../../lib/use-about-data.ts';
import { callKey } from '../../../lib/api-client.ts';
import { listApiKeys } from '@unitcell/contract/calls';
import { makeApiKey, useApiKeys, useRevokeApiKey } from '../api/own-account.ts';
import classes from './account.module.css';
import { AccountDialog, ConfirmOverlay } from './confirm-overlay.tsx';

/** Scopes that have a display name. */
const NAMED = [
  'matdata',
  'phase-diagram',
  'ecwindow',
  'electrodes',
  'interface-reaction',
  'coatings',
  'run4u',
  'xrd',
  'tight-binding',
  'prediction',
  'design',
  'topology',
  'about',
] as const;

/** Display names of scopes; an unknown scope is shown as is. */
function useScopeText(): (scope: string) => string {
  const { t } = useTexts(keyTexts);
  return (scope) => {
    if (scope === 'all') return t('all');
    const named = NAMED.find((name) => name === scope);
    return named === undefined ? scope : t(`scope.${named}`);
  };
}

interface AskedKey {
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

function ApiKeyForm({ scopes, maxDays, onClose, onAsked }: ApiKeyFormProps) {
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
    <AccountDialog title={t('formTitle')} onClose={onClose}>
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
    </AccountDialog>
  );
}

/** The account's keys with scopes, expiry, last use and a button to revoke. */
function ApiKeyList({ keys }: { readonly keys: readonly OwnApiKey[] }) {
  const { t, language } = useTexts(keyTexts);
  const scopeText = useScopeText();
  const revoke = useRevokeApiKey();
  const say = useFailureToast();
  const end = ({ id, label }: OwnApiKey): void =>
    revoke.mutate(id, {
      onError: say,
      onSuccess: () => notify('success', t('isRevoked', { label })),
    });
  return (
    <ListTable
      label={t('list')}
      rows={keys}
      rowKey={({ id }) => id}
      empty="–"
      columns={(column) => [
        column(
          t('name'),
          ({ label, prefix, state }) => (
            <>
              {label} <code>{prefix}…</code>
              {state !== 'active' && <span className={classes.mark}>{t(state)}</span>}
            </>
          ),
          'isWrapped',
        ),
        column(
          t('opens'),
          ({ scopes }) => scopes.map(scopeText).join(language === 'zh' ? '、' : ', '),
          'isWrapped',
        ),
        column(t('ends'), (key) => dayText(key.expires_at, language)),
        column(t('lastUsed'), (key) =>
          key.last_used_at === null ? t('never') : dayText(key.last_used_at, language),
        ),
        column(
          t('revoke'),
          (key) =>
            key.state === 'active' && (
              <Button
                variant="subtle"
                size="compact-sm"
                aria-label={t('revokeOf', { label: key.label })}
                disabled={revoke.isPending}
                onClick={() => end(key)}
              >
                {t('revoke')}
              </Button>
            ),
          'isActions',
        ),
      ]}
    />
  );
}

/** Shows the new key. It cannot be shown again. */
function ApiKeyShown({ apiKey, onDone }: { readonly apiKey: string; readonly onDone: () => void }) {
  const { t } = useTexts(keyTexts);
  return (
    <AccountDialog size="30rem" title={t('shownTitle')} onClose={onDone} closeOnClickOutside={false}>
      <div className={classes.form}>
        <p>{t('shownLead')}</p>
        <TextInput
          readOnly
          aria-label={t('shownTitle')}
          value={apiKey}
          classNames={{ input: classes.key }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <div className="uc-wrap">
          <CopyButton value={apiKey}>
            {({ copied, copy }) => <Button onClick={copy}>{copied ? t('copied') : t('copy')}</Button>}
          </CopyButton>
          <Button variant="default" onClick={onDone}>
            {t('kept')}
          </Button>
        </div>
      </div>
    </AccountDialog>
  );
}

/** How to ask for a key, if only administrators create keys. */
function AskForKey() {
  const { t } = useTexts(keyTexts);
  const contact = useAboutData().data?.contact ?? '';
  return (
    <p>
      {t('byOperator')}{' '}
      {isMailbox(contact) && (
        <a href={`mailto:${contact}?subject=${encodeURIComponent(t('askSubject'))}`}>{t('ask')}</a>
      )}
    </p>
  );
}

type Step = 'choosing' | { readonly asked: AskedKey } | { readonly key: string } | null;

export function ApiKeySection({ user }: { readonly user: UserInfor }) {
  const { t } = useTexts(keyTexts);
  const client = useQueryClient();
  const keys = useApiKeys();
  const [step, setStep] = useState<Step>(null);
  const close = (): void => setStep(null);
  const isFull =
    keys.data !== undefined &&
    keys.data.keys.filter(({ state }) => state === 'active').length >= keys.data.max_keys;
  return (
    <Section
      id="keys"
      title={t('title')}
      lead={
        <>
          {t('lead')} <Link to="/reference">{t('reference')}</Link>
        </>
      }
    >
      {keys.isError && <ErrorPanel error={keys.error} onRetry={() => void keys.refetch()} />}
      {keys.isPending && <Skeleton height={36} />}
      {keys.data && (
        <>
          {keys.data.keys.length === 0 ? <p>{t('none')}</p> : <ApiKeyList keys={keys.data.keys} />}
          {!keys.data.allowed && <AskForKey />}
          {keys.data.allowed && isFull && <p>{t('full', { limit: keys.data.max_keys })}</p>}
          {keys.data.allowed && !isFull && <Button onClick={() => setStep('choosing')}>{t('make')}</Button>}
        </>
      )}
      {step === 'choosing' && keys.data && (
        <ApiKeyForm
          scopes={keys.data.scopes_offered.filter((scope) => scope !== 'all')}
          maxDays={keys.data.max_days}
          onClose={close}
          onAsked={(asked) => setStep({ asked })}
        />
      )}
      {step !== null && typeof step === 'object' && 'asked' in step && (
        <ConfirmOverlay
          title={t('formTitle')}
          lead={t('confirmLead')}
          submitLabel={t('submit')}
          mobile={user.mobile}
          onClose={close}
          onConfirmed={async (smsToken) => {
            const key = await makeApiKey({ ...step.asked, sms_token: smsToken });
            setStep({ key });
            await client.invalidateQueries({ queryKey: callKey(listApiKeys) });
          }}
        />
      )}
      {step !== null && typeof step === 'object' && 'key' in step && (
        <ApiKeyShown apiKey={step.key} onDone={close} />
      )}
    </Section>
  );
}

const keyTexts = defineTexts('api-keys', {
  title: ['API keys', 'API 密钥'],
  lead: [
    'Keys let your programs use the calls you choose, until they expire.',
    '供您的程序使用：密钥在所选期限内可调用所选的接口。',
  ],
  reference: ['API reference', 'API 参考文档'],
  list: ['Your keys', '已有密钥'],
  none: ['You have no keys.', '您还没有密钥。'],
  byOperator: [
    'On this site, administrators issue API keys. Ask one for a key.',
    '本站的 API 密钥由管理员发放，请向管理员申请。',
  ],
  ask: ['Ask for a key by e-mail', '发送邮件申请密钥'],
  askSubject: ['Unitcell: API key', 'Unitcell：申请 API 密钥'],
  make: ['New key', '新建密钥'],
  full: [
    'You have {{limit}} active keys, the maximum. Revoke one to create another.',
    '您已有 {{limit}} 个有效密钥，达到上限。撤销一个后可再新建。',
  ],
  formTitle: ['New API key', '新建 API 密钥'],
  label: ['Name', '名称'],
  labelHint: ['What it is for, e.g. “notebook at work”', '说明用途，例如“办公室的笔记本”。'],
  scopes: ['Access', '可调用'],
  all: ['Everything except the account', '除账号外的全部接口'],
  days: ['Expires after', '有效期'],
  inDays: ['{{count}} days', '{{count}} 天'],
  next: ['Continue', '下一步'],
  confirmLead: ['Confirm with a code sent to your number.', '请先验证本账号的手机号。'],
  submit: ['Create key', '生成密钥'],
  shownTitle: ['Your key', '您的密钥'],
  shownLead: [
    'Copy it now: it will not be shown again. Treat it like a password.',
    '请立即复制，密钥不会再次显示。请像保管密码一样保管它。',
  ],
  copy: ['Copy', '复制'],
  copied: ['Copied', '已复制'],
  kept: ['I have saved it', '我已保存'],
  name: ['Name', '名称'],
  opens: ['Access', '可调用'],
  ends: ['Expires', '到期'],
  lastUsed: ['Last used', '最近使用'],
  never: ['never', '从未使用'],
  active: ['active', '有效'],
  expired: ['expired', '已过期'],
  revoked: ['revoked', '已撤销'],
  revoke: ['Revoke', '撤销'],
  revokeOf: ['Revoke {{label}}', '撤销 {{label}}'],
  isRevoked: ['Key {{label}} revoked.', '密钥 {{label}} 已撤销。'],
  close: ['Close', '关闭'],
  'scope.matdata': ['Materials', '材料数据'],
  'scope.phase-diagram': ['Phase diagrams', '相图'],
  'scope.ecwindow': ['Electrochemical windows', '电化学窗口'],
  'scope.electrodes': ['Electrodes', '电极'],
  'scope.interface-reaction': ['Interface reactions', '界面反应'],
  'scope.coatings': ['Coatings', '涂层'],
  'scope.run4u': ['Run4U', 'Run4U'],
  'scope.xrd': ['XRD Matcher', 'XRD 物相匹配'],
  'scope.tight-binding': ['Tight binding', '紧束缚模型'],
  'scope.prediction': ['Predictions', '性质预测'],
  'scope.design': ['Design', '材料设计'],
  'scope.topology': ['Topology', '拓扑性质'],
  'scope.about': ['Public pages', '公开页面'],
});
