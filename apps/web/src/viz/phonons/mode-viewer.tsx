/** A crystal whose atoms move as in a phonon mode. Loaded on demand. */
import { Button, NativeSelect, Slider } from '@mantine/core';
import type { PhononModes } from '@unitcell/contract/matdata';
import type { PhononsJson } from '@unitcell/contract/results';
import {
  compositionOf,
  fromPymatgenDict,
  reducedFormula,
  type Structure,
  supercell,
} from '@unitcell/crystal';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { ErrorPanel } from '../../components/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { formatNumber } from '../../lib/format.ts';
import { CrystalViewer } from '../crystal-viewer/crystal-viewer.tsx';
import classes from './phonons.module.css';
import { add3, dot3, inverse3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { IMAGINARY } from '@unitcell/potential';
import { phononTexts } from './phonon-figures.ts';
import type { ModesQuery } from './use-modes.ts';

interface ModeViewerProps {
  readonly structure: PhononsJson['structure'];
  readonly q: readonly number[];
  readonly modesAt: ModesQuery;
  /** Undefined: the first mode that is not acoustic. At Γ acoustic modes move the whole crystal. */
  readonly mode: number | undefined;
  readonly onMode: (mode: number) => void;
  readonly isRunning: boolean;
  readonly onRun: (isRunning: boolean) => void;
}

/** Å */
const AMPLITUDES = { least: 0.05, most: 0.6, first: 0.25, step: 0.05 } as const;
const NO_MODES: PhononModes = { frequencies: [], displacements: [] };
const SECONDS_PER_PERIOD = 1.6;
/** Milliseconds between drawings. */
const FRAME = 40;

/** The phase of the running animation in radians; 0 while the animation is stopped. */
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

export function ModeViewer({
  structure,
  q,
  modesAt,
  mode: chosen,
  onMode,
  isRunning,
  onRun,
}: ModeViewerProps) {
  const { t } = useTexts(phononTexts);
  const answer = useQuery(modesAt(q));
  const { frequencies, displacements } = answer.data ?? NO_MODES;
  const mode =
    chosen ??
    Math.max(
      0,
      frequencies.findIndex((frequency) => Math.abs(frequency) > -IMAGINARY),
    );
  const [amplitude, setAmplitude] = useState<number>(AMPLITUDES.first);
  const phase = usePhase(isRunning);
  const crystal = useMemo(() => fromPymatgenDict(structure), [structure]);
  const motion = useMemo(
    () => modeMotion(crystal, q, displacements[mode] ?? [], amplitude),
    [crystal, q, displacements, mode, amplitude],
  );
  const shown = useMemo(() => motion(phase), [motion, phase]);
  return (
    <>
      {answer.isError && <ErrorPanel error={answer.error} onRetry={() => void answer.refetch()} />}
      <div className={`uc-wrap ${classes.controls}`}>
        <NativeSelect
          label={t('mode')}
          value={String(mode)}
          onChange={(event) => onMode(Number(event.currentTarget.value))}
          data={frequencies.map((frequency, at) => ({
            value: String(at),
            label: t(frequency < IMAGINARY ? 'imaginaryMode' : 'modeName', {
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
        <Button variant={isRunning ? 'default' : 'filled'} onClick={() => onRun(!isRunning)}>
          {t(isRunning ? 'pause' : 'play')}
        </Button>
      </div>
      <CrystalViewer structure={shown} formula={reducedFormula(compositionOf(crystal))} />
    </>
  );
}

// ── Atoms of a crystal in a phonon mode at a moment ──

/** Longest wave that is drawn completely, in cells along an axis. */
const LONGEST_PERIOD = 4;
const MOST_ATOMS = 96;

/**
 * The smallest block of cells that holds whole waves, with two cells along axes where a wave has no short
 * period. One cell if the block would have more than `MOST_ATOMS` atoms.
 */
function cellsOfWave(q: readonly number[], atoms: number): readonly [number, number, number] {
  const periodOf = (fraction: number): number => {
    for (let cells = 1; cells <= LONGEST_PERIOD; cells++)
      if (Math.abs(fraction * cells - Math.round(fraction * cells)) < 1e-3) return cells;
    return 2;
  };
  const [x, y, z] = [periodOf(q[0] ?? 0), periodOf(q[1] ?? 0), periodOf(q[2] ?? 0)];
  return atoms * x * y * z <= MOST_ATOMS ? [x, y, z] : [1, 1, 1];
}

/**
 * Returns a function that takes the phase (0 to 2π) and returns the block of cells with displaced atoms.
 * @param displacements per atom of the cell: real parts of x, y, z, then imaginary parts; the largest is 1
 * @param amplitude Å, of the atom that moves most
 */
function modeMotion(
  structure: Structure,
  q: readonly number[],
  displacements: readonly (readonly number[])[],
  amplitude: number,
): (phase: number) => Structure {
  const atoms = structure.sites.length;
  const repeats = cellsOfWave(q, atoms);
  const large = supercell(structure, repeats);
  const toFractional = inverse3(large.latticeVectors);
  const wave: Vec3 = [q[0] ?? 0, q[1] ?? 0, q[2] ?? 0];
  return (phase) => ({
    ...large,
    sites: large.sites.map((site, index) => {
      const [cell, atom] = [Math.floor(index / atoms), index % atoms];
      const translation: Vec3 = [
        Math.floor(cell / (repeats[1] * repeats[2])),
        Math.floor(cell / repeats[2]) % repeats[1],
        cell % repeats[2],
      ];
      const angle = 2 * Math.PI * dot3(wave, translation) - phase;
      const own = displacements[atom] ?? [];
      const along = (axis: number): number =>
        amplitude * ((own[axis] ?? 0) * Math.cos(angle) - (own[axis + 3] ?? 0) * Math.sin(angle));
      const moved = rowTimesMatrix3([along(0), along(1), along(2)], toFractional);
      return { ...site, fractionalCoords: add3(site.fractionalCoords, moved) };
    }),
  });
}
