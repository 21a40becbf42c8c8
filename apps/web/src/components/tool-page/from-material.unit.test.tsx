// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Link } from 'react-router-dom';
import { afterEach, expect, it } from 'vitest';
import { renderInApp } from '../../testing/render.tsx';
import { fromMaterial, readFrom } from '../from-material.tsx';
import { ToolHeader } from './tool-page.tsx';

afterEach(cleanup);

it('the address of a tool round-trips the material it was opened for', () => {
  for (const id of [1, 142, 9_999_999_999]) {
    const [, query] = fromMaterial('/phase', id, { q: 'Ti+O' }).split('?');
    const parameters = new URLSearchParams(query);
    expect(readFrom(parameters)).toBe(id);
    expect(parameters.get('q')).toBe('Ti+O');
  }
  for (const wrong of ['', '-1', '1.5', '12345678901', 'x', ' 1'])
    expect(readFrom(new URLSearchParams({ from: wrong }))).toBeNull();
});

it('a tool links back to its material during the whole visit, whatever addresses its steps write', async () => {
  await renderInApp(
    <>
      <ToolHeader title="Phase diagram" lead="Which phases are stable" />
      <Link to="/phase?q=Li+O">next</Link>
    </>,
    { path: '/phase?from=142' },
  );
  const back = () => screen.getByRole('link', { name: /142/ }).getAttribute('href');
  expect(back()).toBe('/matdatades/142');
  await userEvent.setup().click(screen.getByRole('link', { name: 'next' }));
  expect(back()).toBe('/matdatades/142');
});

it('a tool opened without a material has no link back', async () => {
  await renderInApp(<ToolHeader title="Phase diagram" lead="Which phases are stable" />, { path: '/phase' });
  expect(screen.getByRole('heading', { name: 'Phase diagram' })).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});
