/** Server messages in English. The keys are the codes of AppError; `{{name}}` is filled from its parameters. */
export const en = {
  'auth.missing': 'Please sign in first.',
  'auth.invalid': 'Your sign-in is no longer valid. Please sign in again.',
  'auth.expired': 'Your sign-in has expired. Please sign in again.',
  'request.invalid': 'The request is not understood: {{reason}}.',
  'request.not-json': 'The request body is not valid JSON.',
  'request.media-type': 'This call takes a JSON body.',
  'request.too-large': 'The request is too large: at most {{limit}} are accepted.',
  'request.too-many': 'Too many requests. Please try again in {{seconds}} seconds.',
  'request.not-found': 'There is nothing at this address.',
  'server.failed': 'Something went wrong on our side. Please quote this number if you report it: {{errorId}}',
  'server.busy': 'The server is busy. Please try again in a moment.',
  'search.too-long': 'The search text has {{length}} characters; at most {{limit}} are accepted.',
  'search.no-elements': 'Please enter at least one element symbol, for example Ti-O.',
  'search.unknown-elements': '{{symbols}} is not an element symbol. Elements are written like Ti-O.',
  'search.formula-in-element-mode':
    '{{text}} looks like a formula. Switch the search to "by Formula", or separate elements by hyphens: {{suggestion}}.',
  'search.bad-formula': 'The formula {{text}} cannot be read: {{reason}}',
  'search.bad-struct-id': '{{text}} is not a material id. Ids are whole numbers, for example 126096.',
  'search.truncated':
    'There are {{count}} matches; the first {{limit}} are shown. Add an element to narrow the search.',
  'material.not-found': 'There is no material with the id {{id}}.',
  'xrd.bad-wavelength':
    'The wavelength is {{value}} Å. Please enter a number between {{min}} and {{max}} Å; Cu Kα is 1.54184.',
  'xrd.bad-size': 'The particle size is {{value}} nm. Please enter a number between {{min}} and {{max}} nm.',
  'login.code-sent': 'The code has been sent.',
  'login.not-registered': 'This number has no account yet.',
  'login.already-registered': 'This number already has an account.',
  'login.wrong-code': 'The code is wrong or has expired. Please request a new one.',
  'login.wrong-token': 'The confirmation has expired. Please request a new code.',
  'login.too-soon':
    'A code was sent a moment ago. Please wait {{seconds}} seconds before asking for another.',
  'login.too-many-codes': 'Too many codes were requested. Please try again in {{minutes}} minutes.',
  'login.delivery-failed':
    'The text message could not be sent. Please try again later; this attempt does not count.',
  'login.other-number': 'This code belongs to another number.',
} as const;

export type MessageKey = keyof typeof en;
