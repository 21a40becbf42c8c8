/** Shared by the tensor sections: matrix with provenance, hints for symbols, warning about wrong axes. */
import type { SectionSource } from '@unitcell/contract/matdata';
import type { ReactNode } from 'react';
import { Tooltip } from '@mantine/core';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { Notice } from '../../../components/notice.tsx';
import { isZero, TensorTable, type TensorTableProps } from '../../../components/tensor-table.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import classes from '../material.module.css';

export const tensorTexts = defineTexts('material-tensors', {
  electronicTensor: ['Electronic dielectric tensor', '电子介电张量'],
  totalTensor: ['Total dielectric tensor', '总介电张量'],
  scalars: ['Derived quantities', '导出量'],
  epsInfTensorHint: [
    'Dielectric tensor of the electrons at fixed ions (high-frequency limit), relative to vacuum, Cartesian axes.',
    '离子固定时电子的介电张量（高频极限），相对于真空，笛卡尔坐标轴。',
  ],
  eps0TensorHint: [
    'Static dielectric tensor: electrons and ions respond. Relative to vacuum, Cartesian axes.',
    '静态介电张量：电子与离子均响应。相对于真空，笛卡尔坐标轴。',
  ],
  epsInfName: ['Electronic dielectric constant', '电子介电常数'],
  eps0Name: ['Dielectric constant', '介电常数'],
  nName: ['Refractive index', '折射率'],
  epsInfHint: [
    'Mean of the electronic dielectric tensor: a third of its trace.',
    '电子介电张量的平均值：迹的三分之一。',
  ],
  eps0Hint: [
    'Mean of the static dielectric tensor, electrons and ions: a third of its trace.',
    '静态介电张量（电子与离子）的平均值：迹的三分之一。',
  ],
  nHint: [
    'Refractive index estimated from the electronic part: n = √ε∞.',
    '由电子部分估算的折射率：n = √ε∞。',
  ],
  noIonic: ['Only the electronic part of this material is known.', '该材料仅有电子部分的数据。'],
  notSymmetric: [
    'Not symmetric to its cell: under the point group of the crystal a component changes by {{percent}} % of the largest. The source gives this tensor in other axes than the cell, or for another crystal; single components cannot be relied on.',
    '与晶胞对称性不符：在晶体点群操作下，分量的变化达最大分量的 {{percent}} %。来源给出的张量所用坐标轴与晶胞不同，或属于另一种晶体，单个分量不可采信。',
  ],
  piezoTensor: ['Total piezoelectric tensor', '总压电张量'],
  piezoHint: [
    'Piezoelectric stress tensor e: polarisation (row x, y, z) per strain (column, Voigt order), electrons and ions.',
    '压电应力张量 e：单位应变（列，Voigt 顺序）产生的极化（行 x、y、z），含电子与离子贡献。',
  ],
  piezoMax: ['Largest component', '最大分量'],
  piezoMaxHint: ['The component of e with the largest magnitude.', 'e 中绝对值最大的分量。'],
  piezoResponse: ['Largest response', '最大响应'],
  piezoResponseHint: [
    'Largest polarisation that a strain with Σ εij² = 1 causes, whatever the axes. The maxima of the Materials Project weight shear less.',
    '满足 Σ εij² = 1 的应变引起的最大极化，与坐标轴无关。Materials Project 的最大值对剪应变的权重较小。',
  ],
  piezoDirection: ['Its direction', '其方向'],
  piezoDirectionHint: [
    'Direction of the largest polarisation in the Cartesian axes of the tensor.',
    '最大极化的方向，取张量的笛卡尔坐标轴。',
  ],
  stiffness: ['Elastic tensor', '弹性张量'],
  stiffnessHint: [
    'Stiffness C in Voigt order: stress (row) per strain (column), engineering shear strains.',
    'Voigt 顺序的刚度 C：单位应变（列，工程剪应变）对应的应力（行）。',
  ],
  moduli: ['Moduli of a polycrystal', '多晶模量'],
  others: ['Derived quantities', '导出量'],
  bulkName: ['Bulk modulus', '体积模量'],
  shearName: ['Shear modulus', '剪切模量'],
  youngName: ["Young's modulus", '杨氏模量'],
  poissonName: ["Poisson's ratio", '泊松比'],
  anisotropyName: ['Universal anisotropy', '普适各向异性'],
  debyeName: ['Debye temperature', '德拜温度'],
  longitudinalName: ['Longitudinal sound', '纵波声速'],
  transverseName: ['Transverse sound', '横波声速'],
  conductivityName: ['Thermal conductivity', '热导率'],
  voigt: ['Voigt: equal strain in all grains, an upper bound.', 'Voigt：假设各晶粒应变相同，为上限。'],
  reuss: ['Reuss: equal stress in all grains, a lower bound.', 'Reuss：假设各晶粒应力相同，为下限。'],
  hill: ['Hill: the mean of Voigt and Reuss.', 'Hill：Voigt 与 Reuss 的平均值。'],
  bulk: ['Bulk modulus: resistance to a change of volume.', '体积模量：抵抗体积变化的能力。'],
  shear: ['Shear modulus: resistance to a change of shape.', '剪切模量：抵抗形状变化的能力。'],
  young: [
    "Young's modulus of the polycrystal, E = 9KG/(3K + G), from Hill's moduli.",
    '多晶杨氏模量 E = 9KG/(3K + G)，取 Hill 模量。',
  ],
  poisson: ["Poisson's ratio of the polycrystal, from Hill's moduli.", '多晶泊松比，取 Hill 模量。'],
  anisotropy: [
    'Universal anisotropy index A = 5 G(V)/G(R) + K(V)/K(R) − 6; 0 for an isotropic crystal.',
    '普适各向异性指数 A = 5 G(V)/G(R) + K(V)/K(R) − 6；各向同性晶体为 0。',
  ],
  debye: [
    "Debye temperature from the mean speed of sound of Hill's moduli.",
    '由 Hill 模量的平均声速得到的德拜温度。',
  ],
  longitudinal: [
    "Speed of longitudinal sound, √((K + 4G/3)/ρ), with Hill's moduli.",
    '纵波声速 √((K + 4G/3)/ρ)，取 Hill 模量。',
  ],
  transverse: ["Speed of transverse sound, √(G/ρ), with Hill's moduli.", '横波声速 √(G/ρ)，取 Hill 模量。'],
  clarke: [
    'Estimate of the lowest lattice thermal conductivity at high temperature by Clarke (2003): 0.87 k n^(2/3) √(E/ρ), with n atoms per volume.',
    '按 Clarke (2003) 估算的高温最小晶格热导率：0.87 k n^(2/3) √(E/ρ)，n 为单位体积原子数。',
  ],
  cahill: [
    'Estimate of the thermal conductivity of a disordered lattice at high temperature by Cahill et al. (1992): 0.40 k n^(2/3) (v(l) + 2 v(t)).',
    '按 Cahill 等 (1992) 估算的无序晶格高温热导率：0.40 k n^(2/3) (v(l) + 2 v(t))。',
  ],
  surface: ["Directional Young's modulus", '方向杨氏模量'],
  surfaceHint: [
    'E(n) of the single crystal pulled along n; the distance from the centre is the modulus along that direction.',
    '单晶沿 n 方向拉伸的 E(n)；曲面到中心的距离即该方向的模量。',
  ],
  surfaceNote: [
    'From {{min}} GPa along {{minDirection}} to {{max}} GPa along {{maxDirection}}; Cartesian axes of the tensor.',
    '沿 {{minDirection}} 最小，{{min}} GPa；沿 {{maxDirection}} 最大，{{max}} GPa；取张量的笛卡尔坐标轴。',
  ],
  unstable: [
    'This tensor is not positive definite: the crystal would be mechanically unstable, and its modulus is not drawn.',
    '该张量非正定：晶体力学不稳定，不绘制其模量。',
  ],
});

/** Copy of TENSOR_SYMMETRY_TOLERANCE of @unitcell/tensors: the page need not load that package for one constant. */
const TOLERANCE = 0.1;

/** Warns if a tensor lacks the symmetry of the cell: then the axes of the tensor and of the cell differ. */
export function TensorSymmetryNote({ deviation }: { readonly deviation: number | null }) {
  const { t } = useTexts(tensorTexts);
  if (deviation === null || deviation <= TOLERANCE) return null;
  return <Notice kind="warning">{t('notSymmetric', { percent: Math.round(100 * deviation) })}</Notice>;
}

// A symbol with its explanation on hover, focus and touch (spec §2.8, hint tooltips).

interface TensorHintProps {
  readonly symbol: ReactNode;
  readonly meaning: string;
}

export const TensorHint = ({ symbol, meaning }: TensorHintProps) => (
  <Tooltip
    label={meaning}
    multiline
    w={260}
    withArrow
    events={{ hover: true, focus: true, touch: true }}
    withinPortal={false}
  >
    <button type="button" className={`uc-link-button ${classes.hint}`}>
      {symbol}
      <span className="uc-visually-hidden">: {meaning}</span>
    </button>
  </Tooltip>
);

/** `K` with a small subscript. */
export const Symbol = ({ base, index }: { readonly base: string; readonly index?: string }) => (
  <>
    <i>{base}</i>
    {index && <sub>{index}</sub>}
  </>
);

interface TensorMatrixProps extends Omit<TensorTableProps, 'renderCell'> {
  /** Method and source of the components; the first component is the tab stop. */
  readonly method: MethodId;
  readonly source?: SectionSource | undefined;
  /** Predicted or calculated by the site. */
  readonly isMadeHere?: boolean;
  /** Symbol of the tensor, used to name its components. */
  readonly symbol: string;
}

/** A tensor whose components show their provenance. */
export function TensorMatrix({ method, source, isMadeHere = false, symbol, ...table }: TensorMatrixProps) {
  const { rows, columns, rowNames, decimals } = table;
  const firstRow = rows.findIndex((values) => values.some((value) => !isZero(value, decimals)));
  const firstColumn = rows[firstRow]?.findIndex((value) => !isZero(value, decimals));
  return (
    <TensorTable
      {...table}
      renderCell={(text, row, column) => (
        <SourcedValue
          name={`${symbol} ${rowNames[row] ?? ''}, ${columns[column] ?? ''}`}
          method={method}
          source={source}
          isMadeHere={isMadeHere}
          isTabStop={row === firstRow && column === firstColumn}
        >
          {text}
        </SourcedValue>
      )}
    />
  );
}
