import { act, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { recordedMaterial } from '../../../testing/recorded-material.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { volumeSection } from './volume-section.tsx';

/** Replaces the worker, which then refuses every file, and returns the names of the files that it was given. */
function refuseFiles(): string[] {
  const names: string[] = [];
  vi.stubGlobal(
    'Worker',
    class {
      answer: (message: { readonly data: object }) => void = () => undefined;
      addEventListener(kind: string, take: never): void {
        if (kind === 'message') this.answer = take;
      }
      postMessage({ name }: File): void {
        names.push(name);
        this.answer({ data: { refusal: undefined } });
      }
      terminate(): void {
        // There is nothing to release.
      }
    },
  );
  return names;
}

const calculated = { ...recordedMaterial, provenance: { ...recordedMaterial.provenance, density: true } };

it('a file that is opened before the calculated density has arrived is not replaced by the density', async () => {
  const names = refuseFiles();
  const density = new Response('density', { headers: { 'Content-Disposition': 'attachment' } });
  const taken = vi.spyOn(density, 'blob');
  let arrive = (): void => undefined;
  // Only the density is answered; components of earlier tests may still send requests.
  vi.stubGlobal('fetch', (url: string) => {
    const isDensity = url.includes('density');
    return new Promise((resolve) => isDensity && (arrive = () => resolve(density)));
  });
  const { container } = await renderInApp(<volumeSection.Component material={calculated} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Open the charge density calculated here' }));
  await user.upload(screen.getByLabelText('Open a file'), new File(['own'], 'own.cube'));
  await screen.findByText('This file could not be read.');
  arrive();
  await expect.poll(() => taken).toHaveBeenCalledOnce();
  await act(async () => {
    await taken.mock.results[0]?.value;
    await new Promise((resolve) => setTimeout(resolve));
  });
  expect(names).toEqual(['own.cube']);
  expect(container.textContent).toContain('own.cube');
  expect(container.textContent).not.toContain('142-density.cube');
});
