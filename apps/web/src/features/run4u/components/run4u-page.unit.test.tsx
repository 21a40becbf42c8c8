import { act, cleanup, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ComponentProps, useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { examples } from '@unitcell/contract/examples';
import { run4uExpect } from '@unitcell/contract/run4u';
import { IDENTITY3 } from '@unitcell/numerics';
import { orderedSite, toPymatgenDict } from '@unitcell/crystal';
import { renderInApp } from '../../../testing/render.tsx';
import { SILICON_CIF } from '../view-model.ts';
import { Predicted, type PredictedRow } from './predicted-results.tsx';
import { Expectation } from './run4u-facts.tsx';
import { fieldsOf, RunWishForm, UploadPanel } from './upload-panel.tsx';
import type { CalculationService, SubmissionRow } from '@unitcell/contract/run4u';
import { JobNotifications, useEndedSubmissions } from './run4u-page.tsx';

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

it.each([
  ['near', /−3\.08 ± 0\.04 eV.*14 meV.*3\.72 ± 0\.58 eV/],
  ['outside', /^Formation energy −3\.08 eV\/atom; PBE gap 3\.72 eV; /],
])('the estimate for a crystal %s the training data has what is valid', async (familiarity, text) => {
  const response = run4uExpect.answer.parse(examples['run4uExpect']?.response);
  const prediction = { ...response.prediction, familiarity };
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ ...response, prediction })));
  const structure = toPymatgenDict({ latticeVectors: IDENTITY3, sites: [] });
  await renderInApp(<Expectation structure={structure} isPrediction={false} />);
  const estimate = await screen.findByRole('region', { name: 'Estimate' });
  expect(estimate.querySelector('p')?.textContent).toMatch(text);
});

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

  it('accepts no file while another is read, and submits only once', async () => {
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

  it('cannot be submitted while the available engines are unknown', async () => {
    await openPanel({ onSubmit: undefined });
    expect(isDisabled('Submit')).toBe(true);
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
    const notice = screen.getByText(/predicted by an interatomic potential/);
    expect(notice.textContent).toContain('sudo apt install abinit');
    const button = screen.getByRole('button', { name: 'Submit' });
    expect(notice.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  });

  it('announces errors, and lists the warnings about a file', async () => {
    await openPanel({ problem: 'Line 3 is no number.', warnings: ['One block of two was read.'] });
    expect(screen.getByRole('alert').textContent).toBe('Line 3 is no number.');
    expect(screen.getByRole('listitem').textContent).toBe('One block of two was read.');
  });

  it('shows the remaining daily quota, and when it is renewed if it is used up', async () => {
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

let shown: string[];

function stubNotification(permission: NotificationPermission, answer: NotificationPermission = 'granted') {
  class FakeNotification {
    static permission = permission;
    static requestPermission = () => Promise.resolve((FakeNotification.permission = answer));
    constructor(title: string, { body = '' }: NotificationOptions = {}) {
      shown.push(`${title}: ${body}`);
    }
    addEventListener = () => undefined;
  }
  vi.stubGlobal('Notification', FakeNotification);
}

beforeEach(() => {
  shown = [];
});
afterEach(() => {
  localStorage.clear();
});

const finished = { id: 7, formula: 'TiO2', status: 'finished' } as SubmissionRow;

/** A job that ends when the button is clicked. */
function Page() {
  const [ended, setEnded] = useState<readonly SubmissionRow[]>([]);
  return (
    <>
      <button type="button" onClick={() => setEnded((now) => (now.length === 0 ? [finished] : [...now]))}>
        end
      </button>
      <JobNotifications hasWaiting={ended.length === 0} ended={ended} />
    </>
  );
}

it('the page asks for permission only when the visitor presses the button, and only once', async () => {
  stubNotification('default');
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'Notify me when a job ends' }));
  await waitFor(() => expect(screen.queryByRole('button', { name: /Notify me/ })).toBeNull());
});

it('the page shows one notification for a job that ends while the page is hidden', async () => {
  stubNotification('granted');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  expect(shown).toEqual(['Unitcell: TiO₂: finished']);
});

it('the page shows no notification while it is visible, or without permission', async () => {
  stubNotification('granted');
  await renderInApp(<Page />);
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  cleanup();
  stubNotification('denied');
  vi.spyOn(document, 'hidden', 'get').mockReturnValue(true);
  await renderInApp(<Page />);
  expect(screen.queryByRole('button', { name: /Notify me/ })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'end' }));
  expect(shown).toEqual([]);
});

const rowsOf = (statuses: Readonly<Record<number, SubmissionRow['status']>>): readonly SubmissionRow[] =>
  Object.entries(statuses).map(([id, status]) => ({ id: Number(id), status }) as SubmissionRow);

const watch = (rows: readonly SubmissionRow[]) =>
  renderHook((now: readonly SubmissionRow[]) => useEndedSubmissions(now), { initialProps: rows });

it('the notice lists a submission that ends while the page is open, until the notice is closed', () => {
  const { result, rerender } = watch(rowsOf({ 1: 'finished', 2: 'running', 3: 'queued' }));
  expect(result.current.rows).toEqual([]);
  rerender(rowsOf({ 1: 'finished', 2: 'finished', 3: 'running' }));
  expect(result.current.rows.map(({ id }) => id)).toEqual([2]);
  act(() => result.current.clear());
  expect(result.current.rows).toEqual([]);
});

it('the notice lists a submission that ended while the page was closed, unless it was cancelled', () => {
  watch(rowsOf({ 1: 'queued', 2: 'queued' })).unmount();
  const { result } = watch(rowsOf({ 1: 'failed', 2: 'cancelled' }));
  expect(result.current.rows.map(({ id }) => id)).toEqual([1]);
});

it('thermal expansion is shown at 300 K with its warning', async () => {
  const row = { volume: 10, expansion: 3.1e-5, bulk_modulus: 140, heat_capacity: 2e-4, gruneisen: 1.52 };
  const predicted: PredictedRow = {
    model: 'SevenNet-0',
    energy_per_atom: -6,
    max_force: 0,
    pressure: 0,
    warnings: [],
    relaxed: {} as PredictedRow['relaxed'],
    expansion: {
      supercell: [3, 3, 3],
      volumes: [9.6, 10, 10.5, 11],
      rows: [
        { ...row, temperature: 0, expansion: 0, gruneisen: null },
        { ...row, temperature: 300 },
        { ...row, temperature: 600, expansion: 4e-5 },
      ],
    },
  };
  await renderInApp(<Predicted predicted={predicted} formula="MgO" next={undefined} />);
  const part = screen.getByRole('region', { name: 'Thermal expansion' });
  expect(part.textContent).toMatch(/At 300 K.*Expansion of the volume.*31\.0.*10⁻⁶\/K.*1\.52/s);
  // 2e-4 eV/K per atom.
  expect(part.textContent).toMatch(/per mole of atoms.*19\.30/s);
  expect(part.textContent).toContain('Do not rely on these values');
  expect(part.textContent).toContain('phonons of 4 volumes (supercell 3 × 3 × 3)');
});

describe('predicted results', () => {
  const hop = { distance: 3.035, multiplicity: 2, from: [0, 0, 0], to: [0, -0.5, 0] };
  const band = {
    barrier_forward: 0.19,
    barrier_backward: 0.25,
    path: [
      { distance: 0, energy: 0 },
      { distance: 1.6, energy: 0.19 },
      { distance: 3.2, energy: -0.06 },
    ],
    is_converged: true,
    has_stable_ends: true,
  };
  const predicted = {
    model: 'SevenNet-0',
    energy_per_atom: -6,
    max_force: 0,
    pressure: 0,
    warnings: [],
    relaxed: {} as PredictedRow['relaxed'],
    barrier: {
      ion: 'Li',
      supercell_atoms: 55,
      separation: 7.71,
      hops: [
        { ...hop, band },
        { ...hop, distance: 4.75, band: { ...band, is_converged: false, has_stable_ends: false } },
        { ...hop, distance: 4.9, refusal: 'a force of 60 eV/Å' },
        { ...hop, distance: 5.4 },
      ],
    },
  } satisfies PredictedRow;

  it('ion hops are listed with barriers, doubts and reasons', async () => {
    await renderInApp(<Predicted predicted={predicted} formula="LiFePO4" next={undefined} />);
    const part = screen.getByRole('region', { name: 'Hops of Li into a vacancy' });
    const [first, second, third, fourth] = [...part.querySelectorAll('tbody tr')].map(
      (row) => row.textContent,
    );
    expect(first).toMatch(/3\.04.*0\.19.*0\.25/);
    expect(first).not.toContain('not converged');
    expect(second).toContain('The path is not converged.');
    expect(second).toContain('does not stay on its site');
    expect(third).toContain('refused by the potential: a force of 60 eV/Å');
    expect(fourth).toContain('not calculated');
    expect(part.textContent).toContain('in 55 atoms; the vacancy and its images are 7.7 Å apart');
  });

  it('for phonons stored without force constants, the page explains how to get their modes', async () => {
    const phonons = {
      structure: toPymatgenDict({
        latticeVectors: [
          [4, 0, 0],
          [0, 4, 0],
          [0, 0, 4],
        ],
        sites: [orderedSite('Cs', [0, 0, 0])],
      }),
      bands: [],
      has_imaginary_modes: false,
    };
    await renderInApp(<Predicted predicted={{ ...predicted, phonons }} formula="LiFePO4" next={undefined} />);
    const part = screen.getByRole('region', { name: 'Phonons' });
    expect(part.textContent).toContain('Submit the structure again');
    expect(screen.queryByLabelText('Wave vector')).toBeNull();
  });

  it('hops of a chosen ion are requested', async () => {
    const onWish = vi.fn<ComponentProps<typeof RunWishForm>['onWish']>();
    const wish = { method: 'prediction', tasks: ['barrier'], physics: [] } as const;
    const service = { engine: 'sevennet-0', predicts: true } as CalculationService;
    await renderInApp(<RunWishForm service={service} wish={wish} onWish={onWish} />);
    await userEvent.setup().selectOptions(screen.getByLabelText('Hopping ion'), 'Na');
    expect(onWish).toHaveBeenLastCalledWith({ ...wish, ion: 'Na' });
  });
});

describe('the request fields of a submission', () => {
  const predicting = { engine: 'sevennet-0', predicts: true } as CalculationService;
  const both = { engine: 'abinit', predicts: true } as CalculationService;
  const abinit = { engine: 'abinit', predicts: false } as CalculationService;
  const wish = { method: 'prediction', tasks: ['elastic', 'eos'], physics: ['dispersion'] } as const;

  it('name the method only where there is a choice', () => {
    expect(fieldsOf(wish, both)).toEqual({ method: 'prediction', tasks: ['elastic', 'eos'] });
    expect(fieldsOf(wish, predicting)).toEqual({ tasks: ['elastic', 'eos'] });
    expect(fieldsOf({ ...wish, tasks: [] }, predicting)).toEqual({});
  });

  it('carry the options of ABINIT for a calculation, also on a site that cannot predict', () => {
    const calculation = { method: 'first-principles', tasks: ['elastic'], physics: ['dispersion'] };
    expect(fieldsOf({ ...wish, method: 'first-principles' }, both)).toEqual(calculation);
    expect(fieldsOf(wish, abinit)).toEqual(calculation);
  });
});
