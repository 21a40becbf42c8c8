import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { examples } from '@unitcell/contract/examples';
import { matchResult } from '@unitcell/contract/xrd';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { roundOf } from '../matching.ts';
import { useRefiner } from '../refine/use-refiner.ts';
import { Results } from './results.tsx';

const example = matchResult.parse(examples.xrdMatch?.response);
const ids = Array.from({ length: 12 }, (_, i) => 901 + i);
const result = {
  ...example,
  release: { id: 7, date: '2026-11-25' },
  results: ids.map((id) => example.results[0]!.with(1, id)) as typeof example.results,
  hits: ids.map((struct_id) => ({ ...example.hits[0]!, struct_id, rivals: [] })),
};

function Bench() {
  const [matches, setMatches] = useState(1);
  return (
    <>
      <button type="button" onClick={() => setMatches(matches + 1)}>
        Match
      </button>
      <Results
        round={roundOf(result, [], null, `match-${matches}`)}
        chosen={null}
        canExplainRest={false}
        isBusy={false}
        isFiltered={false}
        refiner={useRefiner()}
        onChoose={() => undefined}
        onExplainRest={() => undefined}
        onBack={() => undefined}
      />
    </>
  );
}

it('the results show the best hits again after another match', async () => {
  await renderInApp(<Bench />);
  const best = () => within(screen.getByLabelText('Matches, best first')).queryByText('901');
  expect(best()).not.toBeNull();
  await userEvent.click(screen.getByText('Next'));
  expect(best()).toBeNull();
  await userEvent.click(screen.getByText('Match'));
  expect(best()).not.toBeNull();
});

it('the file of the matches names the scale and the release of its energies', async () => {
  const saved: Blob[] = [];
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob);
    return 'blob:file';
  });
  await renderInApp(<Bench />);
  await userEvent.click(screen.getAllByRole('button', { name: /CSV/ })[0]!);
  await expect.poll(() => saved.length).toBe(1);
  const text = await saved[0]!.text();
  expect(text).toContain(`# scale: ${example.functional}`);
  expect(text).toContain('# release: 7 of 2026-11-25');
});
