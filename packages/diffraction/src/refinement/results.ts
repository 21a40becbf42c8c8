/** Collects the result of a refinement from its last state, with e.s.d. and notices. */
import { SCHERRER_K } from '../peaks.ts';
import { agreement, berarFactor } from './agreement.ts';
import { refinedCell } from './cell-metric.ts';
import type { FitState } from './fit-state.ts';
import { linearAbsorption } from '../microabsorption.ts';
import { covarianceOf, covariances, estimateOf, normalEquations, type Uncertainty } from './least-squares.ts';
import { lineBreadths } from './line-breadths.ts';
import { integratedIntensities, lineAngles, measuredSums, rBragg } from './line-intensities.ts';
import { isFoundScale, noticesOf } from './notices.ts';
import { evaluatePattern } from './pattern-model.ts';
import type { Plan } from './stages.ts';
import type {
  Estimate,
  InstrumentProfile,
  RefinedPhase,
  RefinementRequest,
  RefinementResult,
} from './types.ts';
import { unexplainedIntensity } from './unexplained.ts';
import { broadeningOf } from './williamson-hall.ts';
import {
  cellMass,
  densityOf,
  type FractionResult,
  microabsorption,
  weightFractions,
} from './weight-fractions.ts';

const DEGREES = 180 / Math.PI;

export function resultOf(request: RefinementRequest, state: FitState, plan: Plan): RefinementResult {
  const { model, values, points, free } = state;
  const { layout } = model;
  const { common } = layout;
  const evaluation = evaluatePattern(model, values, free);
  const { calculated, background, columns } = evaluation;
  const fitted = agreement(points, calculated, background, free.length);
  const factor = berarFactor(points, calculated);
  const uncertainty: Uncertainty = {
    free,
    covariance: covarianceOf(normalEquations(points.y, calculated, points.weights, columns)),
    inflation: Math.max(1, fitted.chiSquared) * factor * factor,
  };
  const estimate = (parameter: number): Estimate => estimateOf(uncertainty, values, parameter);
  const isRietveld = request.options.method === 'rietveld';
  const fractions = isRietveld ? fractionsOf(request, state, uncertainty) : undefined;
  const intensities = integratedIntensities(model, values, points, evaluation);
  const displacement = estimate(common.displacement);
  const radius = request.goniometerRadiusMm;
  // Widths estimated from the pattern do not separate instrument and sample. A single phase may be a standard,
  // so its widths are reported as those of the instrument.
  const { profileIsCalibrated } = request.options;
  const inherent = profileIsCalibrated ? plan.instrument : { x: 0, y: 0 };
  const isStandard = !profileIsCalibrated && model.phases.length === 1;
  const instrument: InstrumentProfile = {
    u: values[common.u],
    v: values[common.v],
    w: values[common.w],
    x: isStandard ? values[layout.phases[0].x] : inherent.x,
    y: isStandard ? values[layout.phases[0].y] : inherent.y,
    sampleOverRadius: values[common.axial] * (1 - model.axial.smallerShare),
    detectorOverRadius: values[common.axial] * model.axial.smallerShare,
  };
  const breadths = lineBreadths(state, profileIsCalibrated ? plan.instrument : undefined, factor);
  const phases = model.phases.map((phase, p): RefinedPhase => {
    const own = layout.phases[p];
    const parameters = values.subarray(own.cell, own.cell + own.cellCount);
    const cell = refinedCell(
      phase.metric,
      parameters,
      covariances(
        uncertainty,
        Array.from(parameters, (_, j) => own.cell + j),
      ),
    );
    const start = refinedCell(phase.metric, phase.metric.start, undefined);
    const stretch = 1 + (request.phases[p].strain ?? 0);
    const [x, y] = [estimate(own.x), estimate(own.y)];
    const { lines } = phase;
    const { wavelength } = model.radiation[0];
    const angles = lineAngles(state, p);
    return {
      label: request.phases[p].label,
      cell,
      cellChange: Math.max(
        ...(['a', 'b', 'c'] as const).map((edge) =>
          Math.abs((stretch * cell[edge].value) / start[edge].value - 1),
        ),
      ),
      ...(fractions && {
        scale: estimate(own.scale),
        weightFraction: fractions.fractions[p],
        ...(fractions.microabsorption?.factors && { microabsorption: fractions.microabsorption.factors[p] }),
        ...(fractions.absolute && { absoluteWeightFraction: fractions.absolute[p] }),
      }),
      ...(phase.texture && { texture: { axis: phase.texture.axis, r: estimate(own.march) } }),
      overallB: estimate(own.b),
      ...(profileIsCalibrated && wholePattern(x, y, inherent, wavelength)),
      broadening: broadeningOf(breadths[p], wavelength),
      density: densityOf(cellMass(request.phases[p].structure), cell.volume.value),
      rBragg: rBragg(measuredSums(state, p, intensities[p])),
      ticks: {
        twoThetaDeg: angles.twoThetaDeg,
        dSpacing: angles.dSpacing,
        hkl: Array.from(angles.dSpacing, (_, line) => [
          lines.hkl[3 * line],
          lines.hkl[3 * line + 1],
          lines.hkl[3 * line + 2],
        ]),
        intensity: Array.from(intensities[p].calculated),
      },
    };
  });
  return {
    method: request.options.method,
    twoThetaDeg: Array.from(points.x),
    observed: Array.from(points.y),
    calculated: Array.from(calculated),
    background: Array.from(background),
    used: Array.from(points.weights, (weight) => (weight > 0 ? 1 : 0)),
    phases,
    ...fitted,
    berarFactor: factor,
    ...(plan.shift === 'zero' && { zeroDeg: estimate(common.zero) }),
    ...(plan.shift === 'displacement' && { displacementDeg: displacement }),
    ...(plan.shift === 'displacement' &&
      radius !== undefined && {
        // Δ2θ = −2 s cos θ / R
        displacementMm: {
          value: (-displacement.value * radius) / (2 * DEGREES),
          esd: displacement.esd === undefined ? undefined : (displacement.esd * radius) / (2 * DEGREES),
        },
      }),
    profile: instrument,
    ...(fractions?.amorphous && { amorphousFraction: fractions.amorphous }),
    parameters: free.map((parameter) => {
      const { name, phase } = layout.specs[parameter];
      return { name, ...(phase !== undefined && { phase }), ...estimate(parameter) };
    }),
    notices: [
      ...noticesOf(request, state, plan, uncertainty, columns, phases, fractions),
      ...(isRietveld ? unexplainedIntensity(state, evaluation, fitted.chiSquared) : []),
    ],
    cycles: state.cycles,
    converged: state.converged,
    pointCount: points.used,
  };
}

function fractionsOf(request: RefinementRequest, state: FitState, uncertainty: Uncertainty): FractionResult {
  const { model, values } = state;
  const scales = model.layout.phases.map(({ scale }) => scale);
  const contents = model.phases.map(({ metric }, p) => {
    const { structure, particleDiameterUm } = request.phases[p];
    const { cell, cellCount } = model.layout.phases[p];
    const parameters = values.subarray(cell, cell + cellCount);
    const volume = refinedCell(metric, parameters, undefined).volume.value;
    const mass = cellMass(structure);
    return {
      factor: mass * volume,
      absorption:
        request.probe === 'neutron' ? undefined : linearAbsorption(structure, model.radiation[0].wavelength),
      diameterUm: particleDiameterUm,
      density: densityOf(mass, volume),
      mass: values[scales[p]] * mass * volume,
      isFound: isFoundScale(estimateOf(uncertainty, values, scales[p])),
    };
  });
  const absorbed = microabsorption(contents);
  const factors = contents.map(({ factor }, p) => factor / (absorbed.factors?.[p] ?? 1));
  const standard = request.phases.findIndex(({ standardFraction }) => standardFraction !== undefined);
  const fractions = weightFractions(
    scales.map((scale) => values[scale]),
    covariances(uncertainty, scales),
    factors,
    standard < 0 ? undefined : { phase: standard, fraction: request.phases[standard].standardFraction ?? 0 },
  );
  return { ...fractions, microabsorption: absorbed };
}

/** X = K λ / L and Y = 4 Δd/d (full widths), after subtraction of the instrument's X and Y. */
function wholePattern(
  x: Estimate,
  y: Estimate,
  instrument: Pick<InstrumentProfile, 'x' | 'y'>,
  wavelength: number,
): Pick<RefinedPhase, 'sizeNm' | 'strain'> {
  const size = x.value - instrument.x;
  const strain = y.value - instrument.y;
  const length = (DEGREES * SCHERRER_K * wavelength) / (10 * size);
  return {
    ...(size > 0 && x.esd !== undefined && { sizeNm: { value: length, esd: (length * x.esd) / size } }),
    ...(strain > 0 &&
      y.esd !== undefined && { strain: { value: strain / (4 * DEGREES), esd: y.esd / (4 * DEGREES) } }),
  };
}
