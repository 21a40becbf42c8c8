import type { XrdData } from '@unitcell/contract';
import { describe, expect, it } from 'vitest';
import { currentStage, openMeasurement, patternBefore, undone, withStep } from './use-measurement.ts';

const raw: XrdData = { x: [10, 11], y: [5, 50], name: 'pristine', background_removed: false };
const normalised: XrdData = { ...raw, y: [10, 100], name: 'normlized' };
const clean: XrdData = { ...normalised, y: [0, 100], background_removed: true };
const uploaded = openMeasurement('a.xy', raw, []);

describe('a measurement', () => {
  it('remembers its steps and takes them back one by one', () => {
    const both = withStep(withStep(uploaded, 'normalise', normalised), 'background', clean);
    expect(currentStage(both).data).toEqual(clean);
    expect(currentStage(undone(both)).data).toEqual(normalised);
    expect(currentStage(undone(undone(both))).data).toEqual(raw);
  });

  it('keeps the upload when everything is undone', () => {
    expect(undone(uploaded)).toEqual(uploaded);
  });

  it('keeps the fields of a pattern only', () => {
    const answer = { ...clean, message: '', background: [5, 0] };
    expect(currentStage(withStep(uploaded, 'background', answer)).data).toEqual(clean);
  });

  it('shows what was before only where the shape changed', () => {
    expect(patternBefore(uploaded)).toBeNull();
    expect(patternBefore(withStep(uploaded, 'normalise', normalised))).toBeNull();
    expect(patternBefore(withStep(withStep(uploaded, 'normalise', normalised), 'background', clean))).toEqual(
      normalised,
    );
  });
});
