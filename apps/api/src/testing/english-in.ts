/** Whether a refusal said in Chinese holds English words that nobody sent. */
import type { FastifyRequest } from 'fastify';
import { isNestedBeyond } from '../http/request-problem.ts';
import type { AppError } from '../messages/app-error.ts';
import { translator } from '../messages/messages.ts';

/** Levels of a body beyond which nothing of it is said again. */
const READABLE = 1000;

const inChinese = translator('zh');

/** Two small words side by side: single ones are names of fields, units and choices. */
const WORDS = /[a-z]{2,}(?: [a-z]{2,})+/g;
/** What is repeated of a file stands in quotation marks; the specification's own ending of a sentence of Run4U. */
const QUOTED = /“[^”]*”|error code:01/g;

/** The sentence, where it does; null where it is Chinese from end to end, but for what the request itself says. */
export function englishIn({ code, parameters }: AppError, { url, body }: FastifyRequest): string | null {
  const sentence = inChinese(code, parameters);
  const said = isNestedBeyond(body, READABLE) ? '' : (JSON.stringify(body) ?? '');
  const sent = decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25')) + said;
  const words = [...sentence.replaceAll(QUOTED, '').matchAll(WORDS)].map(([found]) => found);
  return words.every((found) => sent.includes(found)) ? null : sentence;
}
