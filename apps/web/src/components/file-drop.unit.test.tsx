// @vitest-environment happy-dom
import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { FileDrop } from './file-drop.tsx';

afterEach(cleanup);

const FILE = new File(['data_x'], 'rutile.cif', { type: 'chemical/x-cif' });

async function openFrame(isDisabled = false, fileName?: string) {
  const onFiles = vi.fn<(files: readonly File[]) => void>();
  await renderInApp(
    <FileDrop
      name="cif-file"
      label="Choose a file"
      hint="or drop it here"
      accept=".cif"
      isDisabled={isDisabled}
      onFiles={onFiles}
      fileName={fileName}
    />,
  );
  const frame = screen.getByText('or drop it here').parentElement;
  if (!frame) throw new Error('no frame');
  return { onFiles, frame, input: screen.getByLabelText<HTMLInputElement>('Choose a file') };
}

describe('FileDrop', () => {
  it('accepts a file from the chooser, and the same one again after it was edited', async () => {
    const { onFiles, input } = await openFrame();
    const user = userEvent.setup();
    await user.upload(input, FILE);
    await user.upload(input, FILE);
    expect(onFiles.mock.calls).toEqual([[[FILE]], [[FILE]]]);
    expect(input.value).toBe('');
  });

  it('can be reached with the keyboard', async () => {
    const { input } = await openFrame();
    await userEvent.setup().tab();
    expect(document.activeElement).toBe(input);
  });

  it('accepts a dropped file, and shows a hint while a file is dragged over it', async () => {
    const { onFiles, frame } = await openFrame();
    fireEvent.dragOver(frame);
    expect(frame.hasAttribute('data-over')).toBe(true);
    fireEvent.drop(frame, { dataTransfer: { files: [FILE] } });
    expect(onFiles.mock.calls).toEqual([[[FILE]]]);
    expect(frame.hasAttribute('data-over')).toBe(false);
  });

  it('accepts nothing while busy, and ignores an empty drop', async () => {
    const { onFiles, frame } = await openFrame(true);
    fireEvent.drop(frame, { dataTransfer: { files: [FILE] } });
    cleanup();
    const idle = await openFrame();
    fireEvent.drop(idle.frame, { dataTransfer: { files: [] } });
    expect([onFiles.mock.calls, idle.onFiles.mock.calls]).toEqual([[], []]);
  });

  it('shows the name of the current file', async () => {
    await openFrame(false, 'rutile.cif');
    expect(screen.getByText('rutile.cif').getAttribute('translate')).toBe('no');
  });
});
