/** A crystal whose atoms move as in a phonon mode. Loaded on demand. */
import { Button, NativeSelect, Slider } from '@mantine/core';
import type { PhononsJson } from '@unitcell/contract/results';
import { compositionOf, fromPymatgenDict, reducedFormula } from '@unitcell/crystal';
import { useEffect, useMemo, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { CrystalViewer } from '../crystal-viewer/crystal-viewer.tsx';
import { modeMotion } from './mode-motion.ts';
import { phononTexts } from './phonon-texts.ts';
import classes from './phonons.module.css';

export interface ModesOfWave {
  readonly frequencies: readonly number[];
  readonly displacements: readonly (readonly (readonly number[])[])[];
}

interface ModeViewerProps {
  readonly structure: PhononsJson['structure'];
  readonly q: readonly number[];
  readonly modes: ModesOfWave;
}

/** Å */
const AMPLITUDES = { least: 0.05, most: 0.6, first: 0.25, step: 0.05 } as const;
/** THz */
const SLOWEST_SHOWN = 0.1;
const SECONDS_PER_PERIOD = 1.6;
/** Milliseconds between drawings. */
const FRAME = 40;

/** The phase of a running animation; 0 while it is stopped. */
function usePhase(isRunning: boolean): number {
  const [phase, setPhase] = useState(0);
  useEffect(() => {
    if (!isRunning) return undefined;
    let [frame, drawn] = [0, 0];
    const started = performance.now();
    const draw = (now: number): void => {
      if (now - drawn >= FRAME) {
        drawn = now;
        setPhase((((now - started) / 1000 / SECONDS_PER_PERIOD) % 1) * 2 * Math.PI);
      }
      frame = requestAnimationFrame(draw);
    };
    frame = requestAnimationFrame(draw);
    return () => cancelAnimationFrame(frame);
  }, [isRunning]);
  return phase;
}

export function ModeViewer({ structure, q, modes }: ModeViewerProps) {
  const { t } = useTexts(phononTexts);
  const { frequencies, displacements } = modes;
  // Starts with the first mode that is not a sound wave: at Γ those move the whole crystal.
  const [mode, setMode] = useState(
    Math.max(
      0,
      frequencies.findIndex((frequency) => Math.abs(frequency) > SLOWEST_SHOWN),
    ),
  );
  const [amplitude, setAmplitude] = useState<number>(AMPLITUDES.first);
  const [isRunning, setRunning] = useState(false);
  const phase = usePhase(isRunning);
  const crystal = useMemo(() => fromPymatgenDict(structure), [structure]);
  const motion = useMemo(
    () => modeMotion(crystal, q, displacements[mode] ?? [], amplitude),
    [crystal, q, displacements, mode, amplitude],
  );
  const shown = useMemo(() => motion(phase), [motion, phase]);
  return (
    <>
      <div className={classes.controls}>
        <NativeSelect
          label={t('mode')}
          value={String(mode)}
          onChange={(event) => setMode(Number(event.currentTarget.value))}
          data={frequencies.map((frequency, at) => ({
            value: String(at),
            label: t(frequency < 0 ? 'imaginaryMode' : 'modeName', {
              number: at + 1,
              frequency: formatNumber(Math.abs(frequency), { decimals: 2 }),
            }),
          }))}
        />
        <div>
          <span className={classes.label}>{t('amplitude')} (Å)</span>
          <Slider
            min={AMPLITUDES.least}
            max={AMPLITUDES.most}
            step={AMPLITUDES.step}
            value={amplitude}
            onChange={setAmplitude}
            thumbLabel={t('amplitude')}
          />
        </div>
        <Button variant={isRunning ? 'default' : 'filled'} onClick={() => setRunning(!isRunning)}>
          {t(isRunning ? 'pause' : 'play')}
        </Button>
      </div>
      <CrystalViewer structure={shown} formula={reducedFormula(compositionOf(crystal))} />
    </>
  );
}
