/** Sample file: silicon, a = 5.431 Å (diamond structure, measured at room temperature). */
export const SILICON_CIF = `data_Si
_cell_length_a 5.431
_cell_length_b 5.431
_cell_length_c 5.431
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F d -3 m :1'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Si1 Si 0 0 0
`;

export const sampleFile = (): File => new File([SILICON_CIF], 'Si.cif', { type: 'chemical/x-cif' });
