import { materialDetail, type MaterialDetail } from '@unitcell/contract/matdata';
import { detailWithAllFields } from '@unitcell/contract/examples';
import answers from './answers.json';

/** Rutile, as returned by a site with the seed data. */
export const recordedMaterial: MaterialDetail = materialDetail.parse(
  detailWithAllFields(answers.getStructDetail),
);
