/** What the account forms may do with what is typed, and how an account is shown. */
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
  readonly hasAgreed: boolean;
}

export interface LoginFormState {
  /** Eleven digits, or null while the number is not one. */
  readonly mobile: string | null;
  readonly canSend: boolean;
  readonly canSubmit: boolean;
  /** Only what is finished and wrong is called wrong; nobody is scolded while typing. */
  readonly isPhoneWrong: boolean;
}

export const typedCode = (code: string): string => code.normalize('NFKC').replace(/\s/g, '');

export function loginFormState(form: LoginForm, secondsLeft: number): LoginFormState {
  const normalised = normaliseMobile(form.phone);
  const mobile = MOBILE_PATTERN.test(normalised) ? normalised : null;
  return {
    mobile,
    canSend: mobile !== null && secondsLeft === 0,
    canSubmit: mobile !== null && CODE_PATTERN.test(typedCode(form.code)),
    isPhoneWrong: mobile === null && (normalised.length >= 11 || /^(?:[^1]|1[^3-8])/.test(normalised)),
  };
}

/** `138****0000`; what is no number is shown as it is. */
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

/** Fields that are longer than the server takes, in characters as people count them. */
export const tooLongFields = (form: ProfileForm): readonly ProfileField[] =>
  (Object.keys(PROFILE_LIMITS) as ProfileField[]).filter(
    (field) => Array.from(form[field].trim()).length > PROFILE_LIMITS[field],
  );
