/** A CIF with half sodium, half potassium on one site. */
export const DISORDERED_CIF = `data_shared
_cell_length_a 6
_cell_length_b 6
_cell_length_c 6
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
_atom_site_occupancy
Na1 Na 0 0 0 0.5
K1 K 0 0 0 0.5
Cl1 Cl 0.5 0.5 0.5 1
`;
