/** What an audit of the dependencies came to, as `npm run audit` says it. */

export interface AuditOutcome {
  /** 0: nothing known. 1: something is. 3: nobody could be asked, so nothing is known either way. */
  readonly status: 0 | 1 | 3;
  readonly lines: readonly string[];
}

interface Advisory {
  readonly severity: string;
  readonly module_name: string;
  readonly vulnerable_versions: string;
  readonly title: string;
  readonly url: string;
}

const notAsked = (why: string): AuditOutcome => ({
  status: 3,
  lines: [
    `No audit service could be asked (${why}): known vulnerabilities were NOT looked for.`,
    'Ask another: npm run audit -- --registry URL',
  ],
});

/** Reads what `pnpm audit --json` printed. */
export function readAudit(output: string): AuditOutcome {
  const start = output.indexOf('{');
  const answer = ((): {
    error?: { code?: string; message?: string };
    advisories?: Record<string, Advisory>;
  } | null => {
    try {
      return JSON.parse(output.slice(start, output.lastIndexOf('}') + 1));
    } catch {
      return null;
    }
  })();
  if (answer?.error) return notAsked(answer.error.message ?? answer.error.code ?? 'no reason given');
  if (!answer?.advisories) return notAsked(output.trim().split('\n').at(-1) ?? 'no answer');
  const advisories = Object.values(answer.advisories);
  if (advisories.length === 0) return { status: 0, lines: ['No known vulnerabilities.'] };
  return {
    status: 1,
    lines: advisories.map(
      ({ severity, module_name: name, vulnerable_versions: versions, title, url }) =>
        `${severity}: ${name} ${versions}: ${title} (${url})`,
    ),
  };
}
