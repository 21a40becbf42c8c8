/** What the login form may do with what is typed. */
import { CODE_PATTERN, MOBILE_PATTERN, normaliseMobile } from '@unitcell/contract';

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
