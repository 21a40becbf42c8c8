/** Redirect targets of a third-party sign-in: pages of this site only. */

/** Visible ASCII without fragments and backslashes. */
const PLAIN_ADDRESS = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/**
 * Parses the `redirect_uri` of a client. It must begin with the origin of PUBLIC_URL letter by letter as
 * browsers
 * write it, so that nothing depends on how other parsers read addresses: no other case, no default port, no
 * user name,
 * no fragment, no backslash. Paths of the API and paths that could be taken for another host are rejected.
 * Our own query fields are removed.
 * @returns null when it is not allowed
 */
export function redirectTarget(typed: string, publicUrl: string): URL | null {
  const { origin } = new URL(publicUrl);
  if (!typed.startsWith(origin) || !PLAIN_ADDRESS.test(typed) || !URL.canParse(typed)) return null;
  const rest = typed.slice(origin.length);
  if (rest !== '' && !/^[/?]/.test(rest)) return null;
  const url = new URL(typed);
  if (url.origin !== origin || url.username || url.password) return null;
  if (!isPathOfAPage(url)) return null;
  for (const field of OUR_FIELDS) url.searchParams.delete(field);
  return url;
}

/** Fields the callback adds to the address. */
const OUR_FIELDS = ['token', 'third_party_id', 'third_party_error'] as const;

/** The parser has resolved `.` and `..`, also those written as `%2e`. */
function isPathOfAPage({ pathname }: URL): boolean {
  try {
    const path = decodeURIComponent(pathname);
    return !/^[/\\]{2}/.test(path) && !/[\\\p{Cc}]/u.test(path) && !/^\/+api(?:\/|$)/i.test(path);
  } catch {
    return false;
  }
}
