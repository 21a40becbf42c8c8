import { describe, expect, it } from 'vitest';
import { loginFormState } from './view-model.ts';

const form = (phone: string, code = '') => ({ phone, code, hasAgreed: false });

describe('loginFormState', () => {
  it('sends a code only to a whole mainland number', () => {
    expect(loginFormState(form('13800000000'), 0).canSend).toBe(true);
    expect(loginFormState(form('+86 138-0000-0000'), 0).mobile).toBe('13800000000');
    expect(loginFormState(form('12800000000'), 0).canSend).toBe(false);
    expect(loginFormState(form('1380000000'), 0).canSend).toBe(false);
  });

  it('waits for the countdown', () => {
    expect(loginFormState(form('13800000000'), 12).canSend).toBe(false);
  });

  it('submits a number with six digits, full-width ones too', () => {
    expect(loginFormState(form('13800000000', '123456'), 5).canSubmit).toBe(true);
    expect(loginFormState(form('13800000000', '１２３４５６'), 5).canSubmit).toBe(true);
    expect(loginFormState(form('13800000000', '12345'), 5).canSubmit).toBe(false);
    expect(loginFormState(form('1380', '123456'), 5).canSubmit).toBe(false);
  });

  it('marks a number as wrong only when more digits cannot mend it', () => {
    expect(loginFormState(form(''), 0).isPhoneWrong).toBe(false);
    expect(loginFormState(form('138'), 0).isPhoneWrong).toBe(false);
    expect(loginFormState(form('19'), 0).isPhoneWrong).toBe(true);
    expect(loginFormState(form('138000000000'), 0).isPhoneWrong).toBe(true);
  });
});
