/** Said where a tensor does not have the symmetry of the cell beside it: then they are not in one frame. */
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { tensorTexts } from './tensor-texts.ts';

/** As TENSOR_SYMMETRY_TOLERANCE of @unitcell/tensors, which the page does not load for one number. */
const TOLERANCE = 0.1;

export function TensorSymmetryNote({ deviation }: { readonly deviation: number | null }) {
  const { t } = useTexts(tensorTexts);
  if (deviation === null || deviation <= TOLERANCE) return null;
  return <Notice kind="warning">{t('notSymmetric', { percent: Math.round(100 * deviation) })}</Notice>;
}
