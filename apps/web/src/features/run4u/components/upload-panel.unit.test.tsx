// @vitest-environment happy-dom
import { cleanup, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentProps } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { SILICON_CIF } from '../sample.ts';
import { UploadPanel } from './upload-panel.tsx';

afterEach(cleanup);

const CIF = new File(['data_x'], 'rutile.cif');

async function openPanel(props: Partial<ComponentProps<typeof UploadPanel>> = {}) {
  const onFiles = vi.fn<(files: readonly File[]) => void>();
  const onSubmit = vi.fn<() => void>();
  await renderInApp(
    <UploadPanel
      fileName={null}
      quota={undefined}
      isUploading={false}
      isSubmitting={false}
      problem=""
      warnings={[]}
      onFiles={onFiles}
      onSubmit={onSubmit}
      {...props}
    />,
  );
  return { user: userEvent.setup(), onFiles, onSubmit };
}
const isDisabled = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled;

describe('the upload of a structure', () => {
  it('passes on the chosen file, or the sample', async () => {
    const { user, onFiles } = await openPanel();
    await user.upload(screen.getByLabelText('Upload'), CIF);
    expect(onFiles).toHaveBeenLastCalledWith([CIF]);
    await user.click(screen.getByRole('button', { name: /silicon/i }));
    const [sample] = onFiles.mock.lastCall?.[0] ?? [];
    expect([sample?.name, await sample?.text()]).toEqual(['Si.cif', SILICON_CIF]);
  });

  it('shows the name of the current file, and offers another', async () => {
    const { user, onFiles } = await openPanel({ fileName: 'rutile.cif' });
    expect(screen.getByText('rutile.cif')).toBeTruthy();
    await user.upload(screen.getByLabelText('Choose another file'), CIF);
    expect(onFiles).toHaveBeenCalledOnce();
  });

  it('accepts nothing while a file is read, and sends only once', async () => {
    await openPanel({ isUploading: true });
    expect(screen.getByLabelText<HTMLInputElement>('Reading…').disabled).toBe(true);
    expect(isDisabled('Submit')).toBe(true);
    cleanup();
    await openPanel({ isSubmitting: true });
    expect(isDisabled('Submitting…')).toBe(true);
  });

  it('can be submitted without a file; the page then says what is missing', async () => {
    const { user, onSubmit } = await openPanel();
    await user.click(screen.getByRole('button', { name: 'Submit' }));
    expect(onSubmit).toHaveBeenCalledOnce();
  });

  it('shows above the button that no engine is installed, with the command to install one', async () => {
    await openPanel({ hasNoEngine: true });
    const notice = screen.getByText(/No calculation engine is installed/);
    expect(notice.textContent).toContain('sudo apt install abinit');
    const button = screen.getByRole('button', { name: 'Submit' });
    expect(notice.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('shows above the button that results are predicted, with the command to install ABINIT', async () => {
    await openPanel({ isPredicting: true });
    const notice = screen.getByText(/predicted by the interatomic potential SevenNet-0/);
    expect(notice.textContent).toContain('sudo apt install abinit');
    const button = screen.getByRole('button', { name: 'Submit' });
    expect(notice.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('announces errors, and lists assumptions', async () => {
    await openPanel({ problem: 'Line 3 is no number.', warnings: ['One block of two was read.'] });
    expect(screen.getByRole('alert').textContent).toBe('Line 3 is no number.');
    expect(screen.getByRole('listitem').textContent).toBe('One block of two was read.');
  });

  it('shows the remaining daily quota, and when an exhausted one resets', async () => {
    const quota = { limit: 3, left: 2, resets_at: '2026-11-23T16:00:00Z' };
    await openPanel({ quota });
    expect(screen.getByText('2 of 3 submissions left today')).toBeTruthy();
    cleanup();
    await openPanel({ quota: { ...quota, left: 0 } });
    expect(
      screen.getByText(/^0 of 3 submissions left today\. The quota resets at \d\d:\d\d\.$/),
    ).toBeTruthy();
  });
});
