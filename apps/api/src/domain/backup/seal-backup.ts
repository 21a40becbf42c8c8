/**
 * Encrypted backups: files in the age format (age-encryption.org/v1: X25519, ChaCha20-Poly1305 in chunks of 64 KiB, each
 * authenticated), which `age -d` of any machine opens too.
 */
import { Readable } from 'node:stream';
import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';

const MAGIC = Buffer.from('age-encryption.org/v1\n');

/** The file needs a key that is not there, or another one. */
export class KeyProblem extends Error {
  override readonly name = 'KeyProblem';
}

/** A new key: `AGE-SECRET-KEY-1…`. */
export const newBackupKey = (): Promise<string> => generateX25519Identity();

/** Encrypts a stream for the owner of the key. */
export async function sealed(source: Readable, key: string): Promise<Readable> {
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(key));
  return Readable.fromWeb(await encrypter.encrypt(Readable.toWeb(source)));
}

/** What a file holds, decrypted if it is encrypted. @throws KeyProblem */
export async function* opened(source: AsyncIterable<Buffer>, key: string | null): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < MAGIC.length) {
    const { done, value } = await chunks.next();
    if (done) break;
    head = Buffer.concat([head, value]);
  }
  const whole = async function* (): AsyncGenerator<Buffer> {
    yield head;
    yield* { [Symbol.asyncIterator]: () => chunks };
  };
  if (!head.subarray(0, MAGIC.length).equals(MAGIC)) {
    yield* whole();
    return;
  }
  if (key === null) throw new KeyProblem('is encrypted: set BACKUP_KEY to the key it was made with');
  const decrypter = new Decrypter();
  decrypter.addIdentity(key);
  let open: ReadableStream<Uint8Array>;
  try {
    open = await decrypter.decrypt(Readable.toWeb(Readable.from(whole())));
  } catch (error) {
    if (/no identity matched/i.test((error as Error).message))
      throw new KeyProblem('is encrypted with another key than BACKUP_KEY');
    throw error;
  }
  for await (const chunk of Readable.fromWeb(open)) yield Buffer.from(chunk as Uint8Array);
}

/** A file that is no backup of this site, or is damaged, or a time that is none; the message is for the operator. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}
