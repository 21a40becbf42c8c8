import { getCollection, shareCollection } from '@unitcell/contract/collections';
import { examples } from '@unitcell/contract/examples';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter, Route, Routes } from 'react-router-dom';
import { expect, it, vi } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { Page } from './collection-page.tsx';

/** Serves an empty collection. Sharing it adds the link and updates the time of change. */
function serveCollection(): void {
  const answer = getCollection.answer.parse(examples.getCollection?.response);
  const shared = shareCollection.answer.parse(examples.shareCollection?.response);
  let collection = { ...answer.collection, struct_ids: [] as number[] };
  vi.stubGlobal('fetch', async (url: string) => {
    if (!url.endsWith(shareCollection.path)) return Response.json({ ...answer, collection });
    collection = { ...collection, share_key: shared.share_key, updated_at: '2026-11-28T12:00:00.000Z' };
    return Response.json(shared);
  });
}

it('a note that is being typed stays when the collection is shared meanwhile', async () => {
  serveCollection();
  await renderInApp(
    <MemoryRouter initialEntries={['/collections/1']}>
      <Routes>
        <Route path="/collections/:id" element={<Page />} />
      </Routes>
    </MemoryRouter>,
    { isRouted: true },
  );
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Name and note' }));
  await user.type(screen.getByLabelText('Note'), ', measured on Friday');
  await user.click(screen.getByRole('button', { name: 'Share by link' }));
  await screen.findByLabelText(/Anyone signed in/);
  expect(screen.getByLabelText<HTMLTextAreaElement>('Note').value).toContain('measured on Friday');
});
