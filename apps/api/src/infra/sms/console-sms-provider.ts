/** Prints codes instead of sending them: the default of a fresh install, which has no telephone company. */
import { maskMobile, type SmsProvider } from './sms-provider.ts';

export const consoleSmsProvider = (print: (line: string) => void): SmsProvider => ({
  name: 'console',
  async send({ mobile, code, purpose }) {
    print(`SMS code for ${maskMobile(mobile)} (${purpose}): ${code}`);
  },
});
