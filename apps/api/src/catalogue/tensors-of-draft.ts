/**
 * The tensors of a draft in stored form: in the axes of the original cell, with the scalars derived from
 * them.
 */
import { figure, type MaterialDraft, NO_PROPERTIES, type Properties, type Scalars } from '@unitcell/material';
import { IDENTITY3, transpose3 } from '@unitcell/numerics';
import { type CatalogueCells, pointRotations } from '@unitcell/symmetry';
import { ieeeOrientation, TENSOR_SYMMETRY_TOLERANCE, TensorError } from '@unitcell/tensors';
import { tensorScalars, tensorSymmetry, rotateTensors } from '../domain/tensors.ts';
import { isQuoted, sourceOf } from '../domain/read-statement.ts';
import { RefusedUnit } from './import/draft/refused-unit.ts';

type Tensors = Properties<'given'>['tensors'];
type TensorScalars = Pick<
  Scalars,
  'bulkModulus' | 'shearModulus' | 'dielectricTotal' | 'dielectricElectronic'
>;

/**
 * Scalars that do not depend on the axes. Elastic constants that are quoted without a checked source give
 * none: lists of values show no sources, so these values would be taken for measured ones.
 * @param elasticSource what the provenance states about the elastic tensor
 * @throws RefusedUnit for an unphysical tensor from which nothing can be derived
 */
export function scalarsOfTensors(tensors: Tensors, elasticSource?: unknown): TensorScalars {
  try {
    const { elastic: moduli, dielectric } = tensorScalars(tensors);
    const elastic = isQuoted(sourceOf(elasticSource)) ? null : moduli;
    return {
      bulkModulus: elastic && figure(elastic.bulk.hill, 'GPa'),
      shearModulus: elastic && figure(elastic.shear.hill, 'GPa'),
      dielectricTotal: tensors.dielectric?.total && dielectric ? figure(dielectric.meanTotal, '') : null,
      dielectricElectronic: dielectric && figure(dielectric.meanElectronic, ''),
    };
  } catch (error) {
    throw error instanceof TensorError ? new RefusedUnit(error.message) : error;
  }
}

/**
 * Rotates tensors from their stated axes to those of the original cell.
 * @throws RefusedUnit when a tensor does not have the symmetry of the crystal in the stated axes, which means
 * that the axes are stated wrongly
 */
function inGivenAxes(
  { properties: { tensors }, tensorFrame }: MaterialDraft,
  cells: CatalogueCells,
): Tensors {
  if (tensorFrame === undefined) return tensors;
  const { conventional, idealised, rotation } = cells;
  const rotations = pointRotations(cells);
  const standard =
    tensorFrame === 'conventional'
      ? rotateTensors(tensors, IDENTITY3, 'standard')
      : rotateTensors(
          tensors,
          transpose3(
            ieeeOrientation(idealised.crystalSystem, conventional.structure.latticeVectors, rotations),
          ),
          'standard',
        );
  for (const [kind, deviation] of Object.entries(tensorSymmetry(standard, rotations)))
    if (deviation !== null && deviation > TENSOR_SYMMETRY_TOLERANCE)
      throw new RefusedUnit(
        `the ${kind} tensor changes by ${Math.round(100 * deviation)} % under the point group ${idealised.pointGroup} in the axes "${tensorFrame}": expected at most ${100 * TENSOR_SYMMETRY_TOLERANCE} %, so it is in other axes or belongs to another cell`,
      );
  return rotateTensors(standard, transpose3(rotation), 'given');
}

/**
 * @returns `left` is the reason why the draft is kept without its tensors; null if the tensors are kept
 * @throws RefusedUnit
 */
export function tensorsOfDraft(
  draft: MaterialDraft,
  cells: CatalogueCells,
): { readonly tensors: Tensors; readonly scalars: TensorScalars; readonly left: string | null } {
  try {
    const scalars = scalarsOfTensors(draft.properties.tensors, draft.provenance.elastic_tensor);
    return { tensors: inGivenAxes(draft, cells), scalars, left: null };
  } catch (error) {
    if (!(draft.leaveOutTensorsOfOtherAxes && error instanceof RefusedUnit)) throw error;
    return {
      tensors: NO_PROPERTIES.tensors,
      scalars: scalarsOfTensors(NO_PROPERTIES.tensors),
      left: error.message,
    };
  }
}
