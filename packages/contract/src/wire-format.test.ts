/**
 * The interface that external programs rely on: method and path of every call, and the fields of its request and
 * answer. A line changes only after a decision to change the API, such as a new scalar in the table of fields. Nested
 * fields are covered by the recorded examples, which must fit their schemas.
 */
import { FIELD_NAMES, fieldOf, SEARCH_ROW } from '@unitcell/material';
import { expect, it } from 'vitest';
import { z } from 'zod';
import * as addresses from './calls.ts';
import { WINDOW_ROW_FIELDS } from './ecwindow/rules.ts';
import { calls } from './index.ts';
import { MATCH_ROW_FIELDS } from './xrd/rules.ts';

/** `?` marks an optional field. For a call that returns a file or a stream, the media types are listed. */
const WIRE_FORMAT = `
GET /api/about/get_data/
  -> compounds band_structures phase_diagrams team developers news milestion advisory_board publications supporters contact user_agreement
     privacy_policy is_sample
GET /api/about/lists/
  -> lattices radiation_sources working_ions scales
POST /api/arkid/bind_get_sms_token/: mobile code
  -> error message sms_token
POST /api/arkid/bind_request_sm/: mobile proof?
  -> result isregister message
POST /api/arkid/change_infor/: avatar? name? des? url? occ?
  -> detail? userid username name is_extern_user user_type is_administrator? avatar mobile github_user wechat_user custom_user token? error
     message
POST /api/arkid/change_mobile/: old_mobile_sms_token? new_mobile_sms_token
  -> error message new_mobile
POST /api/arkid/create_key/: sms_token label scopes days
  -> error message id key expires_at
POST /api/arkid/delete_account/: sms_token
  -> error message
GET /api/arkid/get_user_infor/
  -> detail? userid username name is_extern_user user_type is_administrator? avatar mobile github_user wechat_user custom_user token?
POST /api/arkid/github/bind/: sms_token github_id
  -> error message token? second_factor?
POST /api/arkid/github/login/: redirect_uri
  -> error message url
POST /api/arkid/github/register/: mobile sms_token github_id
  -> error message token? second_factor?
POST /api/arkid/github/unbind/: sms_token
  -> error message
POST /api/arkid/invite/login/: invite
  -> error message token? second_factor?
GET /api/arkid/keys/
  -> allowed scopes_offered max_keys max_days keys
POST /api/arkid/ldap/login/: username password
  -> error message token? second_factor?
POST /api/arkid/login_check_sm/: mobile sms_token
  -> error message token? second_factor?
POST /api/arkid/login_get_sms_token/: mobile code
  -> error message sms_token
POST /api/arkid/login_request_sm/: mobile proof?
  -> result isregister message
POST /api/arkid/logout/: everywhere?
  -> error message
POST /api/arkid/oidc/login/: redirect_uri
  -> error message url
GET /api/arkid/providers/
  -> providers phone oidc ldap
POST /api/arkid/register_check_sm/: mobile sms_token
  -> error message token? second_factor?
POST /api/arkid/register_get_sms_token/: mobile code
  -> error message sms_token
POST /api/arkid/register_request_sm/: mobile proof?
  -> result isregister message
POST /api/arkid/revoke_key/: id
  -> error message
POST /api/arkid/revoke_session/: session_id
  -> error message
GET /api/arkid/second_factor/
  -> enabled demanded recovery_codes_left
POST /api/arkid/second_factor_confirm/: code challenge?
  -> error message recovery_codes token?
POST /api/arkid/second_factor_disable/: code
  -> error message
POST /api/arkid/second_factor_enroll/: sms_token? challenge?
  -> error message secret uri
POST /api/arkid/second_factor_verify/: challenge code
  -> error message token
GET /api/arkid/sessions/
  -> sessions
POST /api/arkid/upload_avatar/: file
  -> error message file_url
POST /api/arkid/wechat/bind/: sms_token wechat_id
  -> error message token? second_factor?
POST /api/arkid/wechat/login/: redirect_uri
  -> error message url
POST /api/arkid/wechat/register/: mobile sms_token wechat_id
  -> error message token? second_factor?
POST /api/arkid/wechat/unbind/: sms_token
  -> error message
POST /api/collections/change/: id add? remove?
  -> error message collection
POST /api/collections/get/: id key
  -> error message collection
POST /api/collections/list/
  -> error message collections searches
POST /api/collections/remove/: id
  -> error message
POST /api/collections/remove_search/: id
  -> error message
POST /api/collections/save/: id? name note? add?
  -> error message collection
POST /api/collections/save_search/: name filter scale?
  -> error message search
POST /api/collections/see_search/: id
  -> error message search
POST /api/collections/share/: id is_shared
  -> error message share_key
POST /api/design/cancel/: id
  -> error message run
POST /api/design/run/: id
  -> error message run candidates completeness?
POST /api/design/runs/
  -> error message runs
POST /api/design/start/: elements required? nelements filter? max_atoms? candidates? include_known?
  -> error message id
POST /api/design/structure/: id rank
  -> error message formula structure cif
POST /api/ecwindow/get_ecw_detail/: struct_id work_ion? functional?
  -> error message formula struct_id work_ion charge ref_miu voltage rxn_energy reduction_onset oxidation_onset d_e_reduction_onset
     d_e_oxidation_onset hovertext e_above_hull decomposition_table_data transition_indexes completeness? functional release
POST /api/ecwindow/search_by_elements/: include collapse_work_ion? collapse_excluded_elements? collapse_included_elements?
     collapse_Reduction? collapse_Oxidation? collapse_ehull? collapse_bandgap? functional?
  -> error message results len completeness? functional release
POST /api/ecwindow/search_by_formula/: include collapse_work_ion? collapse_excluded_elements? collapse_included_elements?
     collapse_Reduction? collapse_Oxidation? collapse_ehull? collapse_bandgap? functional?
  -> error message results len completeness? functional release formula
POST /api/ecwindow/search_by_id/: include collapse_work_ion? collapse_excluded_elements? collapse_included_elements? collapse_Reduction?
     collapse_Oxidation? collapse_ehull? collapse_bandgap? functional?
  -> error message results len completeness? functional release
POST /api/interface_reaction/interface_receive/: reactant1 reactant2 open_element? chemical_potential? use_hull_energy? functional?
  -> error message atomic_fraction reaction_energy atomic_title molar_title molar_text text interface_table_data min_re_index reactants open
     completeness? functional release
POST /api/irvsp/fetch_irvsp/: struct_id
  -> is_topo_display labels topo_data_web
GET /api/key/
  -> id label prefix scopes rate_per_minute created_at expires_at last_used_at budgets
POST /api/matdata/embed_key/: kind of
  -> error message key
POST /api/matdata/embedded_material/: struct_id key
  -> struct_id formula names symmetry_data source sources structure
POST /api/matdata/get_brillouin_zone/: struct_id
  -> factor _points kpath kpoints reciprocal_lattice variant
POST /api/matdata/get_phase_diagram/: include n? functional?
  -> error message data annotations title expected_errors? scale_failures? components reservoir? completeness? functional release
POST /api/matdata/get_phonon_modes/: struct_id functional q
  -> frequencies displacements
POST /api/matdata/get_phonons/: struct_id
  -> phonons
POST /api/matdata/get_related/: struct_id
  -> functional windows polymorphs same_system prototype same_prototype similar
POST /api/matdata/get_struct_detail/: struct_id
  -> struct_id formula elements nelements nsites symmetry_data density energies band_gap total_magnetization names source elements_type
     elements_quantity lattice energy_scales scale_failures? run_type calculated_at vasp_version potcar_symbols hubbards band_gap_type
     decomposition output_structs structures elec_diagram epsilon_piezo tensor_symmetry elastic_dict provenance release address sources
     band_gaps observed predicted potential records comparison
POST /api/matdata/get_xrd_handle/: struct_id
  -> x y data wavelength crystal_size
POST /api/matdata/get_xrd_handle2/: struct_id wavelength crystalSize
  -> x y data wavelength crystal_size
POST /api/matdata/report_entry/: struct_id message email?
  -> error message report
POST /api/matdata/reports/: struct_id
  -> error message reports
POST /api/matdata/screen/: filter? scale? sort? fields? facets? limit? offset? cursor?
  -> error message filter scale release catalogue total fields rows units? completeness? next facets conditions
POST /api/matdata/screen/download/: filter? scale? sort? ids? calculated? format
  -> text/csv application/x-ndjson chemical/x-cif application/gzip
POST /api/matdata/screen/elements/: filter? scale? field?
  -> error message total elements
POST /api/matdata/screen/points/: filter? scale? x y color?
  -> error message total x y color
POST /api/matdata/screen/rows/: scale? fields? ids
  -> error message scale release fields rows units? completeness?
POST /api/matdata/search_by_elements/: include functional?
  -> error message functional release results len completeness?
POST /api/matdata/search_by_formula/: include functional?
  -> error message functional release results len completeness? formula
POST /api/matdata/search_by_struct_id/: include functional?
  -> error message functional release results len completeness?
POST /api/phase_diagram/chemical_potentials/: include formula functional?
  -> error message elements compound limits corners completeness? functional release
POST /api/phase_diagram/embedded/: include functional key
  -> error message data annotations title expected_errors? scale_failures? components reservoir? completeness? functional release
GET /api/phase_diagram/energy_scales/
  -> error message default scales
POST /api/phase_diagram/phase_diagram_handle/: include reservoir? functional?
  -> error message data annotations title expected_errors? scale_failures? components reservoir? completeness? functional release
POST /api/phase_diagram/place_compound/: include formula energy_per_atom energy_kind? functional?
  -> error message formula x y z? fEnergy eAboveHull decomposition completeness? functional release
GET /api/prediction/model/
  -> error message model is_shipped members taught_crystals taught_formulas calibration_crystals test_crystals figures classes detection
POST /api/prediction/predict/: structure? file_name? formula? struct_id?
  -> error message formula nsites formation_energy_per_atom band_gap insulator_probability bulk_modulus shear_modulus familiarity
     measured_band_gap measured_insulator_probability nearest hull hull_message model
GET /api/prediction/score/
  -> error message rows summary
GET /api/releases/
  -> error message access releases
POST /api/run4u/dashboard_handle/
  -> user_data quota service
GET /api/run4u/events/
  -> text/event-stream
POST /api/run4u/run4u_cancel/: id
  -> error message id? status? struct_id? limit?
POST /api/run4u/run4u_detail/: id
  -> row submitted match runs
POST /api/run4u/run4u_expect/: structure
  -> error message prediction prediction_message seconds
POST /api/run4u/run4u_handle/: cif-file
  -> error message formula nsites script lattice symmetry structure warnings
POST /api/run4u/run4u_resubmit/: id
  -> error message id? status? struct_id? limit?
POST /api/run4u/run4u_submit/: submit? structure? method? tasks?
  -> error message id? status? struct_id? limit?
POST /api/stability/ellingham/: kind? elements temperature_min? temperature_max? functional?
  -> error message kind gas elements without temperature_min temperature_max lines couples known_elements functional release
POST /api/stability/reaction/: reactants products temperature? pressures? functional?
  -> error message species temperature independent balances functional release
POST /api/tight_binding/get_band_data/: grid_id t1_ratio? t2_ratio? onsites_symbol? new_grid? t2_rule? haldane_flux? k_points?
  -> error message grid_id k_dist plotly_data hsp_nodes hsp_labels
POST /api/tight_binding/get_lattice_structure/: grid_id
  -> error message grid_id script wyckoeffs
POST /api/xrd/refine/: xrd_data sigmas? phases radiation? wavelengths? match_id? method? range? excluded? shift? goniometer_radius? monochromator?
    polarisation? background_terms? humps? instrument? is_calibrated? refined?
  -> error message method verdict statement notices two_theta measured calculated background excluded phases r_wp r_exp r_p r_wp_peaks
     chi_squared esd_factor zero displacement displacement_mm amorphous_fraction instrument parameters wavelengths points cycles
     converged seconds waited_seconds
POST /api/xrd/xrd_cancel/: match_id
  -> error message cancelled
POST /api/xrd/xrd_explain/: xrd_data elements? radiation? match_way? match_id? top? max_strain? crystal_size? phases
  -> error message results functional? crystal_size radiation wavelength hits named confidence statement peaks warnings candidates seconds
     waited_seconds rest explained_share
POST /api/xrd/xrd_get/: struct_id crystal_size? radiation? strain? two_theta_max?
  -> error message x y data wavelength crystal_size struct_id formula space_group radiation strain
POST /api/xrd/xrd_match/: xrd_data elements? radiation? match_way? match_id? top? max_strain? crystal_size?
  -> error message results functional? crystal_size radiation wavelength hits named confidence statement peaks warnings candidates seconds
     waited_seconds
POST /api/xrd/xrd_nor_data/: xrd_data
  -> error message x y name background_removed
POST /api/xrd/xrd_progress/: match_id
  -> error message state position progress
POST /api/xrd/xrd_receive/: xrd-file
  -> error message x y name background_removed file_name warnings measurement?
POST /api/xrd/xrd_remove_bg/: xrd_data isNormalize?
  -> error message x y name background_removed background
`;

interface Shape {
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly Shape[];
}

function fieldsOf({ properties = {}, required = [], anyOf = [] }: Shape): string[] {
  const own = Object.keys(properties).map((name) => (required.includes(name) ? name : `${name}?`));
  return [...new Set([...own, ...anyOf.flatMap(fieldsOf)])];
}

const fields = (schema: z.ZodType, io: 'input' | 'output') =>
  fieldsOf(z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Shape);
const sorted = (names: readonly string[]) => names.toSorted().join(' ');

/** Fields of the detail answer that contain scalars of the table of fields. */
const SCALARS = new Set(FIELD_NAMES.flatMap((name) => fieldOf(name).detail?.split('.')[0] ?? []));

/** For each call the fields of its request and answer, in alphabetical order. */
const expected = Object.fromEntries(
  WIRE_FORMAT.trim()
    .split(/\n(?=\w)/)
    .map((entry) => {
      const [asked = '', answered = ''] = entry.split('->');
      const [call = '', taken = ''] = asked.trim().split(':');
      const words = (text: string) => sorted(text.split(/\s+/).filter(Boolean));
      return [call, { takes: words(taken), answers: words(answered) }];
    }),
);

it('every call keeps its method, its path and its fields', () => {
  const forPrograms = calls.filter(({ access }) => access !== 'administrator');
  const actual = forPrograms.map(({ method, path, body, request, answer, answerType }) => {
    const takes = typeof body === 'object' ? [body.fileField] : fields(request, 'input');
    const answers = answerType === undefined ? fields(answer, 'output') : [answerType].flat();
    const known = expected[`${method} ${path}`]?.answers.split(' ') ?? [];
    const isOld = (name: string): boolean =>
      known.includes(name) || !(path.endsWith('/get_struct_detail/') && SCALARS.has(name));
    return [`${method} ${path}`, { takes: sorted(takes), answers: sorted(answers.filter(isOld)) }];
  });
  expect(Object.fromEntries(actual)).toEqual(expected);
});

it('the call addresses of clients equal those of the server', () => {
  expect({ ...addresses }).toEqual(
    Object.fromEntries(calls.map(({ name, method, path }) => [name, { name, method, path }])),
  );
});

it('the positions of a row keep their order', () => {
  const found = SEARCH_ROW.map((name) => fieldOf(name).row?.name);
  // New positions are appended at the end; the existing ones never move.
  expect(found.slice(0, 20).join(' ')).toBe(
    'struct_id formula space_group form_energy e_above_hull band_gap nsites efermi crystal_system lattice_type has_band is_hubbard has_hse has_epsilon has_piezo has_elastic observed source source_id licence',
  );
  expect(WINDOW_ROW_FIELDS.join(' ')).toBe(
    'struct_id formula reduction_onset oxidation_onset work_ion ehull bandgap nsites spacegroup crystal_system pointgroup hall',
  );
  expect(MATCH_ROW_FIELDS.join(' ')).toBe('distance struct_id formula space_group nsites ehull');
});
