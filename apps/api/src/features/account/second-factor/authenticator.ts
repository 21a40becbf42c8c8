/** Codes of an authenticator app, recovery codes, and how their secrets are stored. */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 s) and recovery codes. */
const PERIOD_SECONDS = 30;
/** Accepted clock deviation in steps, either way. */
const WINDOW = 1;
/** Bytes of a secret: the length of the digest, as RFC 4226 (section 4) recommends. */
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Bytes of a recovery code: 80 bits are sixteen letters of Base32. */
const RECOVERY_BYTES = 10;

const authenticator = (secret: Uint8Array, label = ''): TOTP =>
  new TOTP({
    issuer: 'Unitcell',
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
    period: PERIOD_SECONDS,
  });

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES);

/** The secret and the URI that are typed or scanned into the app; `label` names the account. */
export function enrolment(secret: Uint8Array, label: string): { secret: string; uri: string } {
  const app = authenticator(secret, label);
  return { secret: app.secret.base32, uri: app.toString() };
}

/** Returns the time step of a code if it is valid for the current or a neighbouring step; otherwise null. */
export function stepOf(secret: Uint8Array, code: string, milliseconds: number): number | null {
  const delta = authenticator(secret).validate({ token: code, timestamp: milliseconds, window: WINDOW });
  return delta === null ? null : Math.floor(milliseconds / 1000 / PERIOD_SECONDS) + delta;
}

/** Ten new codes in groups of four letters. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: RECOVERY_CODES }, () =>
    new Secret({ buffer: Uint8Array.from(randomBytes(RECOVERY_BYTES)).buffer }).base32.replace(
      /(.{4})(?=.)/g,
      '$1-',
    ),
  );

/** Keyed hash: a copy of the database alone reveals no codes. */
export const hashRecoveryCode = (key: Buffer, accountId: number, code: string): Buffer =>
  createHmac('sha256', key)
    .update(`recovery:${accountId}:${code.replaceAll('-', '')}`)
    .digest();

// Secrets of authenticators at rest: AES-256-GCM under a key of the configuration, bound to the account.

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const owner = (accountId: number): Buffer => Buffer.from(`account:${accountId}`);

/** Nonce, tag and ciphertext in one. */
export function sealSecret(key: Buffer, accountId: number, secret: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce).setAAD(owner(accountId));
  const text = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), text]);
}

/** Returns null when the secret was sealed under another key or for another account, or was changed since. */
export function openSecret(key: Buffer, accountId: number, sealed: Uint8Array): Buffer | null {
  const bytes = Buffer.from(sealed);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
    .setAAD(owner(accountId))
    .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}
