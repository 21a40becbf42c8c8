/** What became of the requests of a soak, by call, and the longest time in which nothing was answered. */

/** `cut`: no answer, because the process it went to was killed or not there. */
export type Fate = 'answered' | 'refused' | 'failed' | 'cut';

interface Row extends Record<Fate, number> {
  slowestMs: number;
}

export interface Pause {
  readonly victim: string;
  readonly seconds: number;
}

export function openTally(now: () => number = () => performance.now()) {
  const rows = new Map<string, Row>();
  let lastAnswer = now();
  let longestSilenceMs = 0;
  const pauses: Pause[] = [];
  return {
    note(call: string, fate: Fate, ms: number): void {
      const row = rows.get(call) ?? { answered: 0, refused: 0, failed: 0, cut: 0, slowestMs: 0 };
      rows.set(call, row);
      row[fate]++;
      if (fate !== 'answered') return;
      row.slowestMs = Math.max(row.slowestMs, ms);
      longestSilenceMs = Math.max(longestSilenceMs, now() - lastAnswer);
      lastAnswer = now();
    },
    notePause: (pause: Pause): void => void pauses.push(pause),
    total: (fate: Fate): number => [...rows.values()].reduce((sum, row) => sum + row[fate], 0),
    longestSilenceSeconds: (): number => longestSilenceMs / 1000,
    /** Markdown: calls, then kills. */
    tables(): string {
      const calls = [...rows]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([call, row]) =>
          [call, row.answered, row.refused, row.failed, row.cut, (row.slowestMs / 1000).toFixed(1)].join(
            ' | ',
          ),
        );
      const kills = [...new Set(pauses.map(({ victim }) => victim))].map((victim) => {
        const own = pauses.filter((pause) => pause.victim === victim).map(({ seconds }) => seconds);
        return [victim, own.length, Math.max(...own).toFixed(1)].join(' | ');
      });
      return [
        '| call | answered | refused (429, 503) | other 5xx | cut off | slowest answer, s |\n| --- | --- | --- | --- | --- | --- |',
        ...calls.map((row) => `| ${row} |`),
        '\n| killed | times | longest until it serves again, s |\n| --- | --- | --- |',
        ...kills.map((row) => `| ${row} |`),
      ].join('\n');
    },
  };
}

export type Tally = ReturnType<typeof openTally>;
