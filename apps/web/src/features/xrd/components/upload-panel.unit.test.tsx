import { xrdProgress, xrdReceive } from '@unitcell/contract/xrd';
import { screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MAX_PATTERN_BYTES } from '@unitcell/contract/xrd/rules';
import answers from '../../../testing/answers.json';
import { describe, expect, it, vi } from 'vitest';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { useMeasurement } from '../use-matcher.ts';
import { MatchProgress } from './match-form.tsx';
import { UploadPanel } from './xrd-page.tsx';

const received = xrdReceive.answer.parse(answers.xrdReceive);
const scan = (name = 'scan.xy', bytes = 20) => new File(['1 2\n'.repeat(bytes / 4)], name);

/** The panel with its own measurement; counts how often the pattern was replaced. */
function Bench({ onChange }: { readonly onChange: () => void }) {
  const state = useMeasurement(onChange, () => Promise.reject(new Error('no project')));
  const loadSample = () => state.uploadMade(async () => scan('quartz.xy'));
  return <UploadPanel matcher={{ state, isAwaited: false, loadSample, drawLines: () => undefined }} />;
}

async function openPanel() {
  const onChange = vi.fn<() => void>();
  await renderInApp(<Bench onChange={onChange} />);
  return { user: userEvent.setup(), onChange };
}

describe('the upload of a pattern', () => {
  it('shows the name of the parsed file, and the assumptions made', async () => {
    serve({
      [xrdReceive.path]: { ...received, file_name: 'scan.xy', warnings: ['The first line was skipped.'] },
    });
    const { user, onChange } = await openPanel();
    await user.upload(screen.getByLabelText('Upload'), scan());
    await screen.findByLabelText('Choose another file');
    expect(screen.getByText('scan.xy')).toBeTruthy();
    expect(screen.getByRole('listitem').textContent).toBe('The first line was skipped.');
    expect(onChange).toHaveBeenCalledOnce();
  });

  it('shows what the file of an instrument says about the measurement', async () => {
    const measurement = {
      format: 'Bruker RAW 3',
      axis: '2θ',
      anode: 'Co',
      step: 0.02,
      radiation: 'CoKa',
      is_slit_variable: false,
    };
    serve({ [xrdReceive.path]: { ...received, measurement } });
    const { user, onChange } = await openPanel();
    await user.upload(screen.getByLabelText('Upload'), scan('scan.raw'));
    await screen.findByText('Bruker RAW 3');
    expect(screen.getByLabelText('From the file').textContent).toBe(
      'FormatBruker RAW 3AnodeCoScan axis2θStep0.02°',
    );
    expect(onChange).toHaveBeenCalledWith(expect.objectContaining({ record: measurement }));
  });

  it("announces the server's error, and keeps the previous pattern", async () => {
    serve({ [xrdReceive.path]: { error: 'true', message: 'No numbers in it.', code: 'xrd.format' } });
    const { user, onChange } = await openPanel();
    await user.upload(screen.getByLabelText('Upload'), scan());
    await expect.poll(() => screen.getByRole('alert').textContent).toBe('No numbers in it.');
    expect(screen.getByLabelText('Upload')).toBeTruthy();
    expect(onChange).not.toHaveBeenCalled();
  });

  it('does not upload a file that is too large', async () => {
    const asked = vi.fn<() => Promise<Response>>();
    vi.stubGlobal('fetch', asked);
    const { user } = await openPanel();
    await user.upload(screen.getByLabelText('Upload'), scan('long.xy', MAX_PATTERN_BYTES + 4));
    expect(screen.getByRole('alert').textContent).toContain('long.xy');
    expect(asked).not.toHaveBeenCalled();
  });

  it('loads the sample, which a later file replaces', async () => {
    serve({ [xrdReceive.path]: { ...received, file_name: '', warnings: [] } });
    const { user, onChange } = await openPanel();
    await user.click(screen.getByRole('button', { name: 'Try with a sample: quartz' }));
    await screen.findByText('quartz.xy');
    await user.upload(screen.getByLabelText('Choose another file'), scan('mine.xy'));
    await screen.findByText('mine.xy');
    expect(screen.queryByText('quartz.xy')).toBeNull();
    expect(onChange).toHaveBeenCalledTimes(2);
  });
});

it('the progress of an identification does not call it a refinement', async () => {
  serve({
    [xrdProgress.path]: { state: 'refining', progress: 0.4, position: 0, message: 'Refining: 40 % done.' },
  });
  await renderInApp(<MatchProgress matchId="m1" label="Identifying…" onCancel={() => undefined} />);
  expect(await screen.findByText('Identifying… 40 %')).toBeTruthy();
});
