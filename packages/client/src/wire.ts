/** How a call of the contract travels: what is sent, what an answer says. The web client and `connect` share it. */
import type { CallAddress, CallRequest, CallResponse } from '@unitcell/contract/calls';
import { SiteError } from './site-error.ts';

/** What `fetch` is given for a call; `body` is what the contract says, or a FormData for calls that take a file. */
export function requestOf<C extends CallAddress>(
  call: C,
  body: CallRequest<C> | FormData,
  headers: Readonly<Record<string, string>>,
): RequestInit {
  if (call.method === 'GET') return { method: 'GET', headers };
  if (body instanceof FormData) return { method: 'POST', headers, body };
  return {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body ?? {}),
  };
}

/** @throws SiteError for an answer that ends midway, as for none; an AbortError when it was given up */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text().catch((cause: unknown) => {
    throw cause instanceof DOMException && cause.name === 'AbortError' ? cause : new SiteError(0, '');
  });
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

const textField = (body: unknown, field: string): string | undefined => {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function errorFrom(response: Response, body: unknown): SiteError {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return new SiteError(response.status, textField(body, 'message') ?? textField(body, 'detail') ?? '', {
    code: textField(body, 'code'),
    detail: textField(body, 'detail'),
    errorId: textField(body, 'error_id'),
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
  });
}

/**
 * The JSON of a response.
 * @throws SiteError for a status of 400 and above and for what is no JSON
 */
export async function documentOf(response: Response): Promise<object> {
  const body = await readBody(response);
  if (!response.ok) throw errorFrom(response, body);
  if (typeof body !== 'object' || body === null) throw new SiteError(response.status, '');
  return body;
}

/**
 * The answer, which may be a refusal.
 * @throws SiteError as `documentOf`
 */
export const answerOf = async <C extends CallAddress>(
  _call: C,
  response: Response,
): Promise<CallResponse<C> & object> => (await documentOf(response)) as CallResponse<C> & object;

/**
 * The same response when it holds a file.
 * @throws SiteError, also for a refusal
 */
export async function fileOf(response: Response): Promise<Response> {
  if (response.ok && response.headers.has('Content-Disposition')) return response;
  throw errorFrom(response, await readBody(response));
}

/** True when a situation of spec §8 was met and the answer holds only the message for it. */
export const isRefusal = <Answer extends object>(
  answer: Answer,
): answer is Extract<Answer, { readonly error: 'true' }> => 'error' in answer && answer.error === 'true';

/**
 * The answer, unless it is a refusal.
 * @throws SiteError with the refusal's message and status 200
 */
export function expectOutcome<Answer extends object>(
  answer: Answer,
): Exclude<Answer, { readonly error: 'true' }> {
  if ('error' in answer && answer.error === 'true')
    throw new SiteError(200, textField(answer, 'message') ?? '', { code: textField(answer, 'code') });
  return answer as Exclude<Answer, { readonly error: 'true' }>;
}
