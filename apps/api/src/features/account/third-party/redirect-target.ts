/** Where a third-party sign-in may end: a page of this site, and nothing that only looks like one. */

/**
 * Reads a `redirect_uri` a client sent. Its origin must be exactly that of the site; user names, fragments, backslashes,
 * blanks and addresses of the API are refused. Query fields of our own are taken out.
 * @returns null when it is not allowed
 */
export function redirectTarget(typed: string, publicUrl: string): URL | null {
  // The URL parser forgives backslashes, tabs and blanks; what needs forgiving is not a page of this site.
  if (!/^https?:\/\/[\x21-\x7e]+$/i.test(typed) || /[\\#]/.test(typed)) return null;
  if (!URL.canParse(typed)) return null;
  const url = new URL(typed);
  const authority = typed.slice(typed.indexOf('//') + 2).split(/[/?]/)[0] ?? '';
  if (url.origin !== new URL(publicUrl).origin || authority.includes('@') || url.username || url.password)
    return null;
  if (/^\/api(?:\/|$)/i.test(decodedPath(url))) return null;
  for (const field of OUR_FIELDS) url.searchParams.delete(field);
  return url;
}

/** What the callback adds to the address. */
export const OUR_FIELDS = ['token', 'third_party_id', 'third_party_error'] as const;

function decodedPath({ pathname }: URL): string {
  try {
    return decodeURIComponent(pathname).replace(/\/{2,}/g, '/');
  } catch {
    return '/api';
  }
}
