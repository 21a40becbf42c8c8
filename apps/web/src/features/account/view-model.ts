/** Input rules of the account forms, and display of accounts. */
import type { ThirdPartyName, UserInfor } from '@unitcell/contract/account';
import {
  CODE_PATTERN,
  MOBILE_PATTERN,
  normaliseMobile,
  PROFILE_LIMITS,
} from '@unitcell/contract/account/rules';

export interface LoginForm {
  readonly phone: string;
  readonly code: string;
}

export const typedCode = (code: string): string => code.normalize('NFKC').replace(/\s/g, '');

export function loginFormState(form: LoginForm, secondsLeft: number) {
  const normalised = normaliseMobile(form.phone);
  const mobile = MOBILE_PATTERN.test(normalised) ? normalised : null;
  return {
    /** Eleven digits, or null for an incomplete number. */
    mobile,
    canSend: mobile !== null && secondsLeft === 0,
    canSubmit: mobile !== null && CODE_PATTERN.test(typedCode(form.code)),
    /** True only for complete wrong input, not while typing. */
    isPhoneWrong: mobile === null && (normalised.length >= 11 || /^(?:[^1]|1[^3-8])/.test(normalised)),
  };
}

/** `138****0000`; anything else is shown unchanged. */
export const maskMobile = (mobile: string): string =>
  MOBILE_PATTERN.test(mobile) ? `${mobile.slice(0, 3)}****${mobile.slice(-4)}` : mobile;

export const boundProviders = (user: UserInfor): readonly ThirdPartyName[] => [
  ...(user.github_user ? (['github'] as const) : []),
  ...(user.wechat_user ? (['wechat'] as const) : []),
];

export type ProfileField = keyof typeof PROFILE_LIMITS;
export type ProfileForm = Readonly<Record<ProfileField, string>>;

export const profileFormOf = (user: UserInfor): ProfileForm => ({
  name: user.name,
  ...user.custom_user.data,
});

/** Fields longer than the server accepts, counted in code points. */
export const tooLongFields = (form: ProfileForm): readonly ProfileField[] =>
  (Object.keys(PROFILE_LIMITS) as ProfileField[]).filter(
    (field) => Array.from(form[field].trim()).length > PROFILE_LIMITS[field],
  );
