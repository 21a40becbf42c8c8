/** Detects English words in Chinese refusals, except words from the request itself. */
import type { FastifyRequest } from 'fastify';
import { isNestedBeyond } from '../http/request-problem.ts';
import type { AppError } from '../messages/app-error.ts';
import { translator } from '../messages/messages.ts';

/** Bodies nested more deeply are never quoted in an answer. */
const READABLE = 1000;

const inChinese = translator('zh');

/** Two lower-case words in a row: single ones are names of fields, units and choices. */
const WORDS = /[a-z]{2,}(?: [a-z]{2,})+/g;
/** Quoted parts of files, and the fixed ending of a Run4U sentence in the specification. */
const QUOTED = /“[^”]*”|error code:01/g;

/** The sentence if it contains English words; null if it is all Chinese apart from text of the request. */
export function englishIn({ code, parameters }: AppError, { url, body }: FastifyRequest): string | null {
  const sentence = inChinese(code, parameters);
  const said = isNestedBeyond(body, READABLE) ? '' : (JSON.stringify(body) ?? '');
  const sent = decodeURIComponent(url.replaceAll(/%(?![\da-f]{2})/gi, '%25')) + said;
  const words = [...sentence.replaceAll(QUOTED, '').matchAll(WORDS)].map(([found]) => found);
  return words.every((found) => sent.includes(found)) ? null : sentence;
}
