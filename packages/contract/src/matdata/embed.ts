/**
 * Addresses that other sites may show in a frame. The key in the address opens one material or diagram to
 * readers without an account.
 */
import { z } from 'zod';
import { outcome, structId } from '../common.ts';
import * as address from '../calls.ts';
import { defineCall } from '../define-call.ts';
import { materialDetail } from './get-struct-detail.ts';

const embedKey = z.string().max(100).describe('The key in the address of the frame.');

export const getEmbedKey = defineCall(address.getEmbedKey, {
  summary: 'The key of an address for a frame: of a material, or of a phase diagram',
  request: z.object({
    kind: z.enum(['material', 'phase']).describe('A crystal or a phase diagram.'),
    of: z
      .string()
      .min(1)
      .max(300)
      .describe('The id, or the components and the scale: `Li Fe O@PBE (MP 2018)`.'),
  }),
  answer: outcome.extend({ key: embedKey }),
});

export const getEmbeddedMaterial = defineCall(address.getEmbeddedMaterial, {
  summary: 'The crystal of a material, its source and licence, for a frame',
  access: 'public',
  request: z.object({ struct_id: structId, key: embedKey }),
  answer: materialDetail
    .pick({ struct_id: true, formula: true, names: true, symmetry_data: true, source: true, sources: true })
    .extend({ structure: materialDetail.shape.structures.shape.conventional }),
  faults: ['material.not-found', 'embed.bad-key'],
});
