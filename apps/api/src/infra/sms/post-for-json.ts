/** One POST to a telephone company. Its error texts may quote the message, so only the status goes into ours. */

const TIMEOUT_MILLISECONDS = 8_000;

export async function postForJson(
  url: URL,
  { headers, body }: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<Record<string, unknown>> {
  const { host: _host, ...sent } = headers;
  const response = await fetch(url, {
    method: 'POST',
    headers: sent,
    body,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.host} answered ${response.status}`);
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? (answer as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
