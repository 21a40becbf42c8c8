/** An answer from a fresh install. */

export const examples = {
  predict: {
    request: { struct_id: 1 },
  },
} as const;
