import { listCollections, saveCollection } from '@unitcell/contract/collections';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { serve } from '../../testing/serve.ts';
import { PickedTray } from './picked-tray.tsx';

const NOTHING_YET = { error: 'false', message: '', collections: [], searches: [] };

function Table() {
  const [ids, setIds] = useState([134, 137]);
  const materials = ids.map((structId) => ({ structId, formula: 'MgO' }));
  const selection = { isSelected: () => true, onToggle: () => undefined, label: () => '' };
  return (
    <>
      <button type="button" onClick={() => setIds([...ids, 142])}>
        One more
      </button>
      <PickedTray picked={{ materials, clear: () => setIds([]), selection }} scale={null} />
    </>
  );
}

async function save(user: ReturnType<typeof userEvent.setup>) {
  await user.click(screen.getByRole('button', { name: 'Add to a collection' }));
  await user.type(await screen.findByLabelText('Name of the collection'), 'Cubic oxides');
  await user.click(screen.getByRole('button', { name: 'Save' }));
}

it('the tray shows where the chosen materials were added until the choice changes', async () => {
  serve({
    [listCollections.path]: NOTHING_YET,
    [saveCollection.path]: saveCollection.answer.parse(examples.saveCollection?.response),
  });
  await renderInApp(<Table />);
  const user = userEvent.setup();
  await save(user);
  await screen.findByText('Added to “Cubic oxides”.');
  await user.click(screen.getByRole('button', { name: 'One more' }));
  expect(screen.queryByText('Added to “Cubic oxides”.')).toBeNull();
});

it('a refusal disappears when its form is cancelled', async () => {
  serve({
    [listCollections.path]: NOTHING_YET,
    [saveCollection.path]: { error: 'true', message: 'There are too many collections.' },
  });
  await renderInApp(<Table />);
  const user = userEvent.setup();
  await save(user);
  await screen.findByText('There are too many collections.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await user.click(screen.getByRole('button', { name: 'Add to a collection' }));
  expect(screen.queryByText('There are too many collections.')).toBeNull();
});
