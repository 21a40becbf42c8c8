/** Line widths of typical instruments, as starting values of a refinement. */
import type { InstrumentProfile, InstrumentProfileId } from './types.ts';

/**
 * Orders of magnitude, not calibrations: full widths of 0.08° (`laboratory`: Bragg–Brentano with a graphite
 * monochromator), 0.05° (`laboratory-sharp`: Kα1 optics or fine slits), 0.15° (`laboratory-broad`: bench-top
 * instruments with strip detectors) and 0.01° (`synchrotron`: analyser crystals).
 */
export const INSTRUMENT_PROFILES: Readonly<Record<InstrumentProfileId, InstrumentProfile>> = {
  laboratory: {
    u: 0.004,
    v: -0.004,
    w: 0.006,
    x: 0.02,
    y: 0.02,
    sampleOverRadius: 0.02,
    detectorOverRadius: 0.02,
  },
  'laboratory-sharp': {
    u: 0.002,
    v: -0.002,
    w: 0.002,
    x: 0.02,
    y: 0.01,
    sampleOverRadius: 0.01,
    detectorOverRadius: 0.01,
  },
  'laboratory-broad': {
    u: 0.01,
    v: -0.005,
    w: 0.02,
    x: 0.03,
    y: 0.02,
    sampleOverRadius: 0.03,
    detectorOverRadius: 0.03,
  },
  synchrotron: {
    u: 0.0001,
    v: 0,
    w: 0.00005,
    x: 0.002,
    y: 0.004,
    sampleOverRadius: 0.001,
    detectorOverRadius: 0.001,
  },
};
