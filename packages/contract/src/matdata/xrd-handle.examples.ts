/** Rutile from a fresh install: five points around the strongest peak, and the first three peaks. */

export const examples = {
  getXrdHandle: {
    request: { struct_id: 142 },
    response: {
      x: [27.42, 27.44, 27.46, 27.48, 27.5],
      y: [59.609, 88.143, 100, 84.189, 54.897],
      data: [
        {
          name: 'TiO2',
          x: [27.4584, 36.1149, 39.2229],
          y: [100, 45.561, 6.818],
          text: ['(1 1 0) ×4, d = 3.2483 Å', '(1 0 1) ×8, d = 2.4871 Å', '(2 0 0) ×4, d = 2.2969 Å'],
        },
      ],
      wavelength: 1.54184,
      crystal_size: 200,
    },
  },
  getXrdHandle2: {
    request: { struct_id: 142, wavelength: 0.71073, crystalSize: 50 },
    response: {
      x: [12.52, 12.54, 12.56, 12.58, 12.6],
      y: [65.064, 88.205, 100, 91.322, 69.116],
      data: [
        {
          name: 'TiO2',
          x: [12.5617, 16.4296, 17.8008],
          y: [100, 47.624, 7.254],
          text: ['(1 1 0) ×4, d = 3.2483 Å', '(1 0 1) ×8, d = 2.4871 Å', '(2 0 0) ×4, d = 2.2969 Å'],
        },
      ],
      wavelength: 0.71073,
      crystal_size: 50,
    },
  },
} as const;
