import { describe, expect, it } from 'vitest';
import { boundProviders, loginFormState, maskMobile, profileFormOf, tooLongFields } from './view-model.ts';

const form = (phone: string, code = '') => ({ phone, code });

describe('loginFormState', () => {
  it('allows requesting a code only for a complete mainland number', () => {
    expect(loginFormState(form('13800000000'), 0).canSend).toBe(true);
    expect(loginFormState(form('+86 138-0000-0000'), 0).mobile).toBe('13800000000');
    expect(loginFormState(form('12800000000'), 0).canSend).toBe(false);
    expect(loginFormState(form('1380000000'), 0).canSend).toBe(false);
  });

  it('waits for the countdown', () => {
    expect(loginFormState(form('13800000000'), 12).canSend).toBe(false);
  });

  it('allows submitting a number with a six-digit code, full-width digits included', () => {
    expect(loginFormState(form('13800000000', '123456'), 5).canSubmit).toBe(true);
    expect(loginFormState(form('13800000000', '１２３４５６'), 5).canSubmit).toBe(true);
    expect(loginFormState(form('13800000000', '12345'), 5).canSubmit).toBe(false);
    expect(loginFormState(form('1380', '123456'), 5).canSubmit).toBe(false);
  });

  it('marks a number as wrong only if further digits cannot make it valid', () => {
    expect(loginFormState(form(''), 0).isPhoneWrong).toBe(false);
    expect(loginFormState(form('138'), 0).isPhoneWrong).toBe(false);
    expect(loginFormState(form('19'), 0).isPhoneWrong).toBe(true);
    expect(loginFormState(form('138000000000'), 0).isPhoneWrong).toBe(true);
  });
});

describe('the account page', () => {
  const user = {
    userid: 7,
    username: 'user_1',
    name: 'Lin',
    is_extern_user: true,
    user_type: 1,
    avatar: '',
    mobile: '13800000000',
    github_user: { github_user_id: '1' },
    wechat_user: null,
    custom_user: { data: { url: 'Beijing', des: '', occ: 'Student' } },
  };

  it('masks a number, and shows anything else unchanged', () => {
    expect(maskMobile('13812345678')).toBe('138****5678');
    expect(maskMobile('')).toBe('');
  });

  it('lists the bound sign-ins', () => {
    expect(boundProviders(user)).toEqual(['github']);
    expect(boundProviders({ ...user, wechat_user: { unionid: 'u' } })).toEqual(['github', 'wechat']);
  });

  it('counts characters as the server does', () => {
    const profile = profileFormOf(user);
    expect(profile).toEqual({ name: 'Lin', url: 'Beijing', des: '', occ: 'Student' });
    expect(tooLongFields({ ...profile, name: '💎'.repeat(60) })).toEqual([]);
    expect(tooLongFields({ ...profile, name: '💎'.repeat(61), occ: 'x'.repeat(101) })).toEqual([
      'name',
      'occ',
    ]);
  });
});
