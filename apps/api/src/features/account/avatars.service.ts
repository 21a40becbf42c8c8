/**
 * Avatars. Uploads are decoded and re-encoded, so nothing of the uploaded file survives: no metadata, no
 * appended second file, no script. Names are generated and carry a seal of the account, so that an account
 * cannot claim another one's avatar.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Limits } from '../../config/limits.ts';
import { AppError } from '../../messages/app-error.ts';
import { type Caller, taskAdmission } from '../../infra/thread-pool.ts';

/** Side of the stored square in pixels. */
export const AVATAR_SIDE = 256;
/** Uploads that no profile uses are deleted after this time. */
const UNUSED_MILLISECONDS = 86_400_000;
export const AVATAR_ADDRESS = '/api/arkid/avatars/';

const NAME = /^([0-9a-f]{32})-([0-9a-f]{16})\.webp$/;

/** Magic bytes of the accepted formats; other files are rejected before decoding. */
function isAccepted(bytes: Buffer): boolean {
  const isPng = bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]));
  const isJpeg = bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]));
  const isWebp =
    bytes.subarray(0, 4).toString('latin1') === 'RIFF' && bytes.subarray(8, 12).toString('latin1') === 'WEBP';
  return isPng || isJpeg || isWebp;
}

/** @throws AppError account.avatar-format, account.avatar-pixels */
async function redraw(bytes: Buffer, megapixels: number): Promise<Buffer> {
  if (!isAccepted(bytes)) throw new AppError('account.avatar-format');
  const tooMany = new AppError('account.avatar-pixels', { megapixels });
  const limitInputPixels = megapixels * 1e6;
  // Loaded for the first picture, not at every start.
  const { default: sharp } = await import('sharp');
  const open = () => sharp(bytes, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true });
  try {
    // The header is read first: an image that is too large is rejected before anything is decoded.
    const { width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (width * height > limitInputPixels) throw tooMany;
    return await open()
      .rotate()
      .resize(AVATAR_SIDE, AVATAR_SIDE, { fit: 'cover' })
      .webp({ quality: 86 })
      .timeout({ seconds: 10 })
      .toBuffer();
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (/pixel limit/i.test((error as Error).message)) throw tooMany;
    throw new AppError('account.avatar-format');
  }
}

export type Avatars = ReturnType<typeof avatars>;

interface AvatarsOptions {
  readonly directory: string;
  readonly sealKey: Buffer;
  readonly limits: Pick<Limits, 'imagesAtOnce' | 'imagesWaiting' | 'imageMegapixels'>;
}

export function avatars({ directory, sealKey, limits }: AvatarsOptions) {
  // Decoding uses about 100 MB and one of the four threads that also read files.
  const decoding = taskAdmission({
    slots: limits.imagesAtOnce,
    waiting: limits.imagesWaiting,
    perOwner: { running: 1, waiting: 1 },
  });

  const seal = (accountId: number, random: string): string =>
    createHmac('sha256', sealKey).update(`${accountId}:${random}`).digest('hex').slice(0, 16);

  const nameOf = (address: string): string | null => {
    if (!address.startsWith(AVATAR_ADDRESS)) return null;
    const name = address.slice(AVATAR_ADDRESS.length);
    return NAME.test(name) ? name : null;
  };

  return {
    directory,

    /**
     * Stores the avatar and returns its address. @throws AppError account.avatar-format,
     * account.avatar-pixels; TaskRefused
     */
    async store(accountId: number, bytes: Buffer, caller: Caller): Promise<string> {
      const picture = await decoding.run(() => redraw(bytes, limits.imageMegapixels), caller);
      const random = randomBytes(16).toString('hex');
      const name = `${random}-${seal(accountId, random)}.webp`;
      await mkdir(directory, { recursive: true });
      // Renamed into place, so that a partly written file is never visible.
      await writeFile(join(directory, `${name}.part`), picture, { flag: 'wx' });
      await rename(join(directory, `${name}.part`), join(directory, name));
      return AVATAR_ADDRESS + name;
    },

    isName: (name: string): boolean => NAME.test(name),

    /** Whether this account uploaded the avatar at this address. */
    isOwn(accountId: number, address: string): boolean {
      const [, random, given] = NAME.exec(nameOf(address) ?? '') ?? [];
      if (random === undefined || given === undefined) return false;
      return timingSafeEqual(Buffer.from(seal(accountId, random)), Buffer.from(given));
    },

    /** Deletes the file at an address that is no longer used. */
    async remove(address: string): Promise<void> {
      const name = nameOf(address);
      if (name) await rm(join(directory, name), { force: true });
    },

    /** Deletes files older than a day that no profile uses. */
    async sweep(isUsed: (address: string) => Promise<boolean>): Promise<void> {
      for (const name of await readdir(directory).catch(() => [])) {
        const file = join(directory, name);
        const age = Date.now() - ((await stat(file).catch(() => null))?.mtimeMs ?? Date.now());
        if (age > UNUSED_MILLISECONDS && !(await isUsed(AVATAR_ADDRESS + name)))
          await rm(file, { force: true });
      }
    },
  };
}
