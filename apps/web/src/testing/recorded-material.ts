import { materialDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { detailWithAllFields } from '@unitcell/contract/examples';
import answers from './answers.json';

/** Rutile, as a site of the seed answered it. */
export const recordedMaterial: MaterialDetail = materialDetail.parse(
  detailWithAllFields(answers.getStructDetail),
);
