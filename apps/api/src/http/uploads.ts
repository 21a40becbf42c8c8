/** The one file of a multipart form: whole, or refused. */
import type { UploadBody } from '@unitcell/contract';
import type { FastifyRequest } from 'fastify';
import { messageKey } from '../messages/messages.ts';
import { AppError } from '../messages/app-error.ts';

export interface UploadedFile {
  readonly bytes: Buffer;
  /** As its sender called it. */
  readonly name: string;
}

const LIMITS = { files: 1, fields: 20, fieldSize: 4096 };

const isTooLarge = (error: unknown): boolean =>
  ['FST_REQ_FILE_TOO_LARGE', 'FST_ERR_CTP_BODY_TOO_LARGE'].includes((error as { code?: string }).code ?? '');

/** Makes the reader of what a call takes. @throws Error for codes of refusals that are no messages */
export function uploadReader({ fileField, maxBytes, missing, tooLarge }: UploadBody) {
  const noFile = new AppError(messageKey(missing));
  const tooManyBytes = new AppError(messageKey(tooLarge), { megabytes: maxBytes / 1024 / 1024 });

  async function fileOf(request: FastifyRequest): Promise<UploadedFile> {
    const part = await request.file({ limits: { ...LIMITS, fileSize: maxBytes } });
    if (!part || part.fieldname !== fileField) throw noFile;
    const bytes = await part.toBuffer();
    // The parser tells of a file that it cut off only when more of it comes after the chunk that reached the limit.
    if (part.file.truncated) throw tooManyBytes;
    return { bytes, name: part.filename ?? '' };
  }

  /** @throws AppError `missing`, `tooLarge`, or request.not-multipart for a form that breaks off or has no boundaries */
  return async function readUpload(request: FastifyRequest): Promise<UploadedFile> {
    if (!request.isMultipart()) throw noFile;
    try {
      return await fileOf(request);
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isTooLarge(error)) throw tooManyBytes;
      // All else the parser throws is about a form that breaks off, or whose boundaries are not those it names.
      throw new AppError('request.not-multipart');
    }
  };
}
