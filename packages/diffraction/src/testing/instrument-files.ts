/** Small files in the format of every instrument, with the same pattern and tube, written by hand for tests. */

export const POINTS = Array.from({ length: 40 }, (_, i) => ({
  x: Number((20 + 0.02 * i).toFixed(2)),
  y: 100 + ((i * 37) % 23) + (i === 17 ? 900 : 0),
}));

const counts = POINTS.map(({ y }) => y);
const LAST = POINTS[POINTS.length - 1].x;

/** The encoder of every browser and Node. */
declare const TextEncoder: new () => { encode(text: string): Uint8Array };
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

export const xrdml = ({
  axis = 'Gonio',
  intended = 'K-Alpha',
  anode = 'Cu',
  kAlpha1 = '1.5405980',
  kBeta = '1.3922500',
  data = '',
  slit = 'fixedDivergenceSlitType',
  monochromator = '',
} = {}): string => `<?xml version="1.0"?>
<xrdMeasurements xmlns="http://www.xrdml.com/XRDMeasurement/1.5"><xrdMeasurement measurementType="Scan">
<usedWavelength intended="${intended}"><kAlpha1 unit="Angstrom">${kAlpha1}</kAlpha1>
<kAlpha2 unit="Angstrom">1.5444260</kAlpha2><kBeta unit="Angstrom">${kBeta}</kBeta><ratioKAlpha2KAlpha1>0.5000</ratioKAlpha2KAlpha1></usedWavelength>
<incidentBeamPath><xRayTube><anodeMaterial>${anode}</anodeMaterial></xRayTube>
<divergenceSlit id="1" name="Slit 1/2°" xsi:type="${slit}"></divergenceSlit>${monochromator && `<monochromator name="${monochromator}"></monochromator>`}</incidentBeamPath>
<scan appendNumber="0" mode="Continuous" scanAxis="${axis}"><dataPoints>
${
  data ||
  `<positions axis="2Theta" unit="deg"><startPosition>20.00</startPosition><endPosition>${LAST}</endPosition></positions>
<commonCountingTime unit="seconds">12.5</commonCountingTime><intensities unit="counts">${counts.join(' ')}</intensities>`
}</dataPoints></scan></xrdMeasurement></xrdMeasurements>`;

/** Counts measured with an attenuator, at listed positions. */
export const attenuated = `<positions axis="2Theta"><listPositions>${POINTS.map(({ x }) => x).join(' ')}</listPositions></positions>
<beamAttenuationFactors>${counts.map(() => '2').join(' ')}</beamAttenuationFactors>
<counts unit="counts">${counts.map((y) => y / 2).join(' ')}</counts>`;

/** Counts of a scan whose second half was counted three times as long; 10 s on average. */
export const variableTime = `<positions axis="2Theta"><startPosition>20.00</startPosition><endPosition>${LAST}</endPosition></positions>
<countingTimes unit="seconds">${counts.map((_, i) => (i < 20 ? 5 : 15)).join(' ')}</countingTimes>
<intensities unit="counts">${counts.map((y, i) => y * (i < 20 ? 0.5 : 1.5)).join(' ')}</intensities>`;

const rasScan = (axis: string): string => `*RAS_HEADER_START
*HW_XG_TARGET_NAME "Cu"
*HW_XG_WAVE_LENGTH_ALPHA1 "1.540593"
*HW_XG_WAVE_LENGTH_ALPHA2 "1.544414"
*MEAS_SCAN_AXIS_X_INTERNAL "${axis}"
*MEAS_COND_AXIS_NAME-3 "DS"
*MEAS_COND_AXIS_POSITION-3 "1.250deg"
*MEAS_SCAN_SPEED "2.0000"
*MEAS_SCAN_SPEED_UNIT "deg/min"
*MEAS_SCAN_STEP "0.0200"
*MEAS_SCAN_UNIT_Y "counts"
*RAS_HEADER_END
*RAS_INT_START
${POINTS.map(({ x, y }) => `${x} ${y / 10} 10.0000`).join('\n')}
*RAS_INT_END
`;
export const ras = (...axes: string[]): string =>
  `*RAS_DATA_START\n${axes.map(rasScan).join('')}*RAS_DATA_END\n`;

export const uxd = (drive = 'COUPLED', hasAngles = true, unit = 'COUNTS'): string => `; (Diffrac Plus file)
_FILEVERSION=2
_WL1=1.788970
_WL2=1.792850
_WLRATIO=0.500000
_ANODE='Co'
; (Data for Range number 1)
_DRIVE='${drive}'
_STEPTIME=0.500000
_STEPSIZE=0.020000
_START=20.000000
${hasAngles ? `_2THETA${unit}\n${POINTS.map(({ x, y }) => `${x}\t${y}`).join('\n')}` : `_COUNTS\n${counts.join(' ')}`}
`;

export const asc = (axis = '2theta/theta'): string => `*TYPE\t\t=  Raw
*CLASS\t\t=  ASCII CLASS
*SCAN_AXIS\t=  ${axis}
*TARGET\t\t=  29
*WAVE_LENGTH1\t=  1.54056
*WAVE_LENGTH2\t=  1.5444
*SPEED_DIM\t=  sec./step
*BEGIN
*GROUP\t\t=  0
*START\t\t=  20
*STEP\t\t=  0.02
*SPEED\t\t=  0.4
*COUNT\t\t=  40
${Array.from({ length: 10 }, (_, i) => counts.slice(4 * i, 4 * i + 4).join(', ')).join('\n')}
*END
*EOF
`;

export const udf = (slit = 'Fixed, 1.0000'): string => `SampleIdent,Powder ,/
Anode,Cu,/
LabdaAlpha1,  1.54060,/
LabdaAlpha2,  1.54439,/
RatioAlpha21,  0.50000,/
DivergenceSlit,${slit},/
DataAngleRange,  20.0000,  ${LAST},/
ScanStepSize,    0.020,/
ScanStepTime,    1.00,/
RawScan
${Array.from({ length: 5 }, (_, i) => counts.slice(8 * i, 8 * i + 8).join(', ')).join(',\n')}/
`;

/** @param names `Angle,Intensity`, or with the other columns that files have: `Angle, TimePerStep, Intensity, ESD` */
export const panalyticalCsv = (names = 'Angle,Intensity', axis = 'Gonio'): string => `[Measurement conditions]
Sample identification,
Comment - 1,"Configuration=Spinner, Owner=User-1"
Anode material,Co
K-Alpha1 wavelength,1.7890100
K-Alpha2 wavelength,1.7929000
Ratio K-Alpha2/K-Alpha1,0.500
Divergence slit,Fixed,  1
Scan axis,${axis}
No. of points, 40
Time per step,50.165
[Scan points]
${names}
${POINTS.map(({ x, y }) => (names.includes('ESD') ? `${x}, 50.1650, ${y}, 9.9` : `${x},${y}.0`)).join('\n')}
`;

const fixed = (values: readonly string[], perLine: number): string =>
  values
    .flatMap((value, i) => [value.padStart(8), (i + 1) % perLine === 0 ? '\n' : ''])
    .join('')
    .trimEnd();
export const gsas = {
  std: `Title\nBANK 1 40 4 CONST 2000.0 2.0 0 0 STD\n${fixed(counts.map(String), 10)}\n`,
  /** Counts per counter; a field starts with the number of counters in two characters (GSAS manual, LAUR 86-748). */
  counters: (counters: (point: number) => number): string =>
    `Title\nBANK 1 40 4 CONST 2000.0 2.0 0 0 STD\n${counts.map((y, i) => `${counters(i)}`.padStart(2) + `${y / 10}`.padStart(6)).join('')}\n`,
  esd: `Title\nBANK 1 40 8 CONST 2000.0 2.0 0 0 ESD\n${fixed(
    counts.flatMap((y) => [`${y}.0`, '9.9']),
    10,
  )}\n`,
  fxye: `# Calibrated wavelength = 0.413529\nBANK 1 40 40 CONS 2000.0 2.0 0 0 FXYE\n${POINTS.map(({ x, y }) => `${(100 * x).toFixed(1)} ${y} 9.9`).join('\n')}\n`,
  timeOfFlight: `Title\nBANK 1 40 4 SLOG 2000.0 2.0 0.1 0 STD\n${fixed(counts.map(String), 10)}\n`,
};

export const cif = (angles = true): string => `data_profile
_diffrn_radiation_wavelength 1.5406
_pd_proc_2theta_range_min 20.0
_pd_proc_2theta_range_inc 0.02
loop_
${angles ? '_pd_meas_2theta_scan\n' : ''}_pd_meas_intensity_total
${POINTS.map(({ x, y }) => `${angles ? `${x} ` : ''}${y}(9)`).join('\n')}
`;

/** Bytes with the given values at their offsets. */
function binary(
  size: number,
  write: (view: DataView, text: (at: number, value: string) => void) => void,
): Uint8Array {
  const bytes = new Uint8Array(size);
  write(new DataView(bytes.buffer), (at, value) => bytes.set(utf8(value), at));
  return bytes;
}
const profileAt = (view: DataView, at: number, stride = 4): void => {
  for (const [i, y] of counts.entries()) view.setFloat32(at + stride * i, y, true);
};

export const rawVersion1 = binary(156 + 160, (view, text) => {
  text(0, 'RAW ');
  view.setUint32(4, 40, true);
  view.setFloat32(8, 4, true);
  view.setFloat32(12, 0.02, true);
  view.setFloat32(24, 20, true);
  view.setFloat32(72, 1.5406, true);
  view.setFloat32(76, 1.54443, true);
  profileAt(view, 156);
});

export const rawVersion2 = binary(256 + 48 + 160, (view, text) => {
  text(0, 'RAW2');
  view.setUint16(4, 1, true);
  text(188, 'Cu');
  view.setFloat32(190, 1.5406, true);
  view.setFloat32(194, 1.54439, true);
  view.setFloat32(198, 0.5, true);
  view.setUint16(256, 48, true);
  view.setUint16(258, 40, true);
  view.setFloat32(264, 2, true);
  view.setFloat32(268, 0.02, true);
  view.setFloat32(272, 20, true);
  profileAt(view, 304);
});

/** A file with one range for each kind: 0 coupled, 3 rocking, 5 phi. */
export const rawVersion3 = (...kinds: number[]): Uint8Array => rawWithSlit('fix', kinds);

const rawWithSlit = (slit: string, kinds: readonly number[]): Uint8Array =>
  binary(712 + (304 + 40 + 160) * kinds.length, (view, text) => {
    text(0, 'RAW1.01');
    view.setUint32(12, kinds.length, true);
    text(608, 'Cu');
    view.setFloat64(624, 1.5406, true);
    view.setFloat64(632, 1.54439, true);
    view.setFloat64(648, 0.5, true);
    for (const [i, kind] of kinds.entries()) {
      const at = 712 + 504 * i;
      view.setUint32(at, 304, true);
      view.setUint32(at + 4, 40, true);
      view.setFloat64(at + 16, 20, true);
      text(at + 72, slit);
      view.setFloat64(at + 176, 0.02, true);
      view.setFloat32(at + 192, 0.5, true);
      view.setUint32(at + 196, kind, true);
      view.setUint32(at + 256, 40, true);
      profileAt(view, at + 344);
    }
  });

export const rawVersion4 = (axis = 'Locked Coupled'): Uint8Array =>
  binary(61 + 136 + 160 + 32 + 320, (view, text) => {
    text(0, 'RAW4.00');
    view.setUint32(61, 30, true);
    view.setUint32(65, 136, true);
    view.setFloat64(61 + 80, 1.5406, true);
    view.setFloat64(61 + 88, 1.54439, true);
    view.setFloat64(61 + 104, 0.5, true);
    text(61 + 116, 'Cu');
    const range = 61 + 136;
    text(range + 32, axis);
    view.setFloat64(range + 72, 20, true);
    view.setFloat64(range + 80, 0.02, true);
    view.setUint32(range + 88, 40, true);
    view.setFloat32(range + 92, 0.5, true);
    view.setUint32(range + 136, 8, true);
    view.setUint32(range + 140, 32, true);
    profileAt(view, range + 192, 8);
  });

export const rasx = (axis = 'TwoThetaTheta'): Map<string, Uint8Array> =>
  new Map([
    ['Data0/Profile0.txt', utf8(`\ufeff${POINTS.map(({ x, y }) => `${x}\t${y}\t1`).join('\n')}\n`)],
    [
      'Data0/MesurementConditions0.xml',
      utf8(`<Conditions><XrayGenerator><TargetName>Cu</TargetName><WavelengthKalpha1>1.540593</WavelengthKalpha1>
<WavelengthKalpha2>1.544414</WavelengthKalpha2></XrayGenerator><ScanInformation><AxisName>${axis}</AxisName>
<Step>0.0200</Step><Speed>2.0000</Speed><SpeedUnit>deg/min</SpeedUnit></ScanInformation></Conditions>`),
    ],
  ]);

/** @param datum measured time (s), absorption factor, and intensity with that factor */
export const brml = (
  axis = 'TwoTheta',
  datum: (y: number, point: number) => readonly number[] = (y) => [96, 1, y],
): Map<string, Uint8Array> =>
  new Map([
    [
      'Experiment0/RawData0.xml',
      utf8(`<RawData><DataRoutes><DataRoute RouteFlag="Measured"><ScanInformation ScanName="LockedCoupled">
<TimePerStepEffective>96</TimePerStepEffective><ScanAxes><ScanAxisInfo AxisId="${axis}" VisibleName="${axis}">
<Increment>0.02</Increment></ScanAxisInfo><ScanAxisInfo AxisId="Theta" VisibleName="Theta"><Increment>0.01</Increment>
</ScanAxisInfo></ScanAxes></ScanInformation>
${POINTS.map(({ x, y }, i) => {
  const [time, absorption, intensity] = datum(y, i);
  return `<Datum>${time},${absorption},${x},${x / 2},${intensity},7</Datum>`;
}).join('\n')}
<DataViews><RawDataView Start="0" Length="1" LogicName="MeasuredTime" />
<RawDataView Start="1" Length="1" LogicName="AbsorptionFactor" />
<RawDataView Start="2" Length="2"><Varying LogicName="ScanAxes" /></RawDataView>
<RawDataView Start="4" Length="1"><Recording LogicName="ScanCounter" /></RawDataView></DataViews></DataRoute></DataRoutes>
<TubeMaterial>Ag</TubeMaterial><WaveLengthAlpha1 Unit="Å" Value="0.55941" /><WaveLengthAlpha2 Unit="Å" Value="0.5638" />
<WaveLengthRatio Unit="" Value="0.5" /></RawData>`),
    ],
  ]);

const NONE: ReadonlyMap<string, Uint8Array> = new Map();

/** One example of every format: the file, and its members if it is an archive. */
export const EXAMPLES: readonly (readonly [string, Uint8Array, ReadonlyMap<string, Uint8Array>, object])[] = [
  [
    'XRDML',
    utf8(xrdml()),
    NONE,
    {
      radiation: 'CuKa',
      anode: 'Cu',
      kAlphaRatio: 0.5,
      step: 0.02,
      stepSeconds: 12.5,
      divergenceSlit: 'Slit 1/2°',
      isSlitVariable: false,
      wavelengths: [
        { wavelength: 1.540598, weight: 1 },
        { wavelength: 1.544426, weight: 0.5 },
      ],
    },
  ],
  [
    'XRDML of Kα1',
    utf8(xrdml({ intended: 'K-Alpha 1', monochromator: '1xGe111' })),
    NONE,
    {
      radiation: 'CuKa1',
      axis: 'Gonio',
      monochromator: '1xGe111',
      wavelengths: [{ wavelength: 1.540598, weight: 1 }],
    },
  ],
  ['XRDML of counts with an attenuator', utf8(xrdml({ data: attenuated })), NONE, { stepSeconds: undefined }],
  [
    'XRDML of a variable counting time',
    utf8(xrdml({ data: variableTime })),
    NONE,
    { stepSeconds: undefined },
  ],
  [
    'RAS',
    utf8(ras('TwoThetaTheta')),
    NONE,
    { radiation: 'CuKa', stepSeconds: 0.6, divergenceSlit: '1.250deg' },
  ],
  [
    'RAS with a rocking curve first',
    utf8(ras('Omega', 'TwoTheta')),
    NONE,
    { otherScans: ['Omega 20–20.78'] },
  ],
  ['ASC', utf8(asc()), NONE, { format: 'Rigaku ASC', radiation: 'CuKa', anode: 'Cu', stepSeconds: 0.4 }],
  ['UDF', utf8(udf()), NONE, { format: 'Philips UDF', radiation: 'CuKa', divergenceSlit: 'Fixed, 1.0000' }],
  ['UDF of a variable slit', utf8(udf('Automatic')), NONE, { stepSeconds: 1, isSlitVariable: true }],
  [
    'PANalytical CSV',
    utf8(panalyticalCsv().replaceAll('\n', '\r\n')),
    NONE,
    {
      format: 'PANalytical CSV',
      radiation: 'CoKa',
      anode: 'Co',
      axis: 'Gonio',
      stepSeconds: 50.165,
      divergenceSlit: 'Fixed,  1',
      wavelengths: [
        { wavelength: 1.78901, weight: 1 },
        { wavelength: 1.7929, weight: 0.5 },
      ],
    },
  ],
  [
    'PANalytical CSV of four columns',
    utf8(panalyticalCsv('Angle, TimePerStep, Intensity, ESD')),
    NONE,
    { radiation: 'CoKa' },
  ],
  [
    'XRDML of a variable slit',
    utf8(xrdml({ slit: 'programmableDivergenceSlitType' })),
    NONE,
    { divergenceSlit: 'Slit 1/2°', isSlitVariable: true },
  ],
  [
    'RAS of Kα1',
    utf8(ras('TwoTheta').replace('*MEAS_SCAN_AXIS', '*MEAS_COND_XG_WAVE_TYPE "Ka1"\n*MEAS_SCAN_AXIS')),
    NONE,
    { radiation: 'CuKa1', wavelengths: [{ wavelength: 1.540593, weight: 1 }] },
  ],
  ['RASX', utf8('PK'), rasx(), { radiation: 'CuKa', axis: 'TwoThetaTheta', stepSeconds: 0.6 }],
  ['BRML', utf8('PK'), brml(), { radiation: 'AgKa', anode: 'Ag', axis: 'TwoTheta/Theta', stepSeconds: 96 }],
  ['UXD with angles', utf8(uxd()), NONE, { radiation: 'CoKa', anode: 'Co', stepSeconds: 0.5 }],
  [
    'UXD of a variable slit',
    utf8(uxd().replace('_STEPTIME', "_VARDIVERGENCE='V20'\n_STEPTIME")),
    NONE,
    { divergenceSlit: 'V20', isSlitVariable: true },
  ],
  ['UXD without angles', utf8(uxd('COUPLED', false)), NONE, { axis: 'COUPLED' }],
  ['RAW 1', rawVersion1, NONE, { format: 'Bruker RAW 1', radiation: 'CuKa', stepSeconds: 4 }],
  ['RAW 2', rawVersion2, NONE, { format: 'Bruker RAW 2', radiation: 'CuKa', anode: 'Cu', kAlphaRatio: 0.5 }],
  [
    'RAW 3',
    rawVersion3(0, 0),
    NONE,
    { format: 'Bruker RAW 3', isSlitVariable: false, otherScans: ['2θ 20–20.78'] },
  ],
  ['RAW 3 of a variable slit', rawWithSlit('V6', [0]), NONE, { divergenceSlit: 'V6', isSlitVariable: true }],
  ['RAW 4', rawVersion4(), NONE, { format: 'Bruker RAW 4', axis: 'Locked Coupled', kAlpha2: 1.54439 }],
  ['GSAS STD', utf8(gsas.std), NONE, { format: 'GSAS', step: 0.02, radiation: undefined }],
  ['GSAS STD of ten counters', utf8(gsas.counters(() => 10)), NONE, { format: 'GSAS' }],
  [
    'GSAS STD of five and fifteen counters',
    utf8(gsas.counters((i) => (i % 2 === 0 ? 5 : 15))),
    NONE,
    { format: 'GSAS' },
  ],
  ['GSAS ESD', utf8(gsas.esd), NONE, { format: 'GSAS' }],
  ['GSAS FXYE', utf8(gsas.fxye), NONE, { radiation: '0.413529' }],
  [
    'CIF with angles',
    utf8(cif()),
    NONE,
    { format: 'CIF', radiation: 'CuKa1', wavelengths: [{ wavelength: 1.5406, weight: 1 }] },
  ],
  [
    'CIF with the mean of Kα1 and Kα2',
    utf8(cif().replace('1.5406', '1.5418')),
    NONE,
    { radiation: 'CuKa', wavelengths: undefined },
  ],
  ['CIF with a range', utf8(cif(false)), NONE, { format: 'CIF' }],
];
