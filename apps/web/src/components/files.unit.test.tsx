import { cleanup, fireEvent, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../testing/render.tsx';
import { FileOrigin, useDownload } from './file-origin.tsx';
import { FileChoice } from './file-choice.tsx';
import { FileDrop } from './file-drop.tsx';

/** Files passed to the browser, by name. */
let files: Map<string, Blob>;

beforeEach(() => {
  files = new Map();
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = `blob:${blobs.size}`;
    blobs.set(url, blob as Blob);
    return url;
  });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function handOver(
    this: HTMLAnchorElement,
  ) {
    files.set(this.download, blobs.get(this.href)!);
  });
});
function Buttons() {
  const { csv, json, picture } = useDownload();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
  return (
    <>
      <button type="button" onClick={() => csv('a.csv', 'id,gap\n7,1.8\n')}>
        CSV
      </button>
      <button type="button" onClick={() => json('a.json', { id: 7 })}>
        JSON
      </button>
      <button type="button" onClick={() => picture('a.svg', `data:image/svg+xml,${encodeURIComponent(svg)}`)}>
        plain
      </button>
      <button type="button" onClick={() => picture('b.svg', `data:image/svg+xml;base64,${btoa(svg)}`)}>
        base64
      </button>
    </>
  );
}

async function download(button: string, name: string): Promise<string> {
  await userEvent.setup().click(screen.getByRole('button', { name: button }));
  return files.get(name)!.text();
}

it('saved files contain the facts of all surrounding parts; inner facts come last and override outer ones', async () => {
  await renderInApp(
    <FileOrigin
      facts={[
        ['material', '7'],
        ['scale', 'PBE'],
      ]}
    >
      <FileOrigin facts={[['scale', 'r2SCAN']]}>
        <Buttons />
      </FileOrigin>
    </FileOrigin>,
  );
  const csv = await download('CSV', 'a.csv');
  expect(csv).toContain('id,gap\n7,1.8');
  for (const word of ['material', 'r2SCAN', 'address', 'downloaded']) expect(csv).toContain(word);
  expect(csv).not.toContain('PBE');
  const json = JSON.parse(await download('JSON', 'a.json')) as Record<string, unknown>;
  expect(JSON.stringify(json)).toContain('r2SCAN');
  expect(json.id).toBe(7);
});

it('a saved image differs from the original only in its metadata, for each form of data URL', async () => {
  await renderInApp(
    <FileOrigin facts={[['material', '7']]}>
      <Buttons />
    </FileOrigin>,
  );
  for (const [button, name] of [
    ['plain', 'a.svg'],
    ['base64', 'b.svg'],
  ] as const) {
    const svg = await download(button, name);
    expect(svg).toContain('<path d="M0 0"/>');
    expect(svg).toContain('material');
  }
});

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
  it('accepts a file from the chooser, and the same file again after it was edited', async () => {
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

describe('FileChoice', () => {
  it('accepts the same file again, as after it was edited or with other settings', async () => {
    const onChange = vi.fn<(file: File | null) => void>();
    const { container } = await renderInApp(
      <FileChoice onChange={onChange}>{(button) => <button type="button" {...button} />}</FileChoice>,
    );
    const input = container.querySelector('input');
    if (!input) throw new Error('no input');
    const user = userEvent.setup();
    await user.upload(input, FILE);
    await user.upload(input, FILE);
    expect(onChange.mock.calls).toEqual([[FILE], [FILE]]);
  });
});
