/**
 * Name, method and path of each call. The definitions (`defineCall`) take their address from here, and the web client
 * and programs need no more at run time: the schemas stay with the server, so that clients bundle no validator.
 */
export interface CallAddress<Name extends string = string> {
  /** Unique, in camelCase; also the OpenAPI operationId. */
  readonly name: Name;
  readonly method: 'GET' | 'POST';
  /** Ends with a slash. */
  readonly path: string;
}

const get = <const Name extends string>(name: Name, path: string): CallAddress<Name> => ({
  name,
  method: 'GET',
  path,
});
const post = <const Name extends string>(name: Name, path: string): CallAddress<Name> => ({
  name,
  method: 'POST',
  path,
});

// account
export const bindGetSmsToken = post('bindGetSmsToken', '/api/arkid/bind_get_sms_token/');
export const bindRequestSm = post('bindRequestSm', '/api/arkid/bind_request_sm/');
export const changeInfor = post('changeInfor', '/api/arkid/change_infor/');
export const changeMobile = post('changeMobile', '/api/arkid/change_mobile/');
export const createApiKey = post('createApiKey', '/api/arkid/create_key/');
export const deleteAccount = post('deleteAccount', '/api/arkid/delete_account/');
export const getKey = get('getKey', '/api/key/');
export const getSecondFactor = get('getSecondFactor', '/api/arkid/second_factor/');
export const getUserInfor = get('getUserInfor', '/api/arkid/get_user_infor/');
export const githubBind = post('githubBind', '/api/arkid/github/bind/');
export const githubLogin = post('githubLogin', '/api/arkid/github/login/');
export const githubRegister = post('githubRegister', '/api/arkid/github/register/');
export const githubUnbind = post('githubUnbind', '/api/arkid/github/unbind/');
export const inviteLogin = post('inviteLogin', '/api/arkid/invite/login/');
export const ldapLogin = post('ldapLogin', '/api/arkid/ldap/login/');
export const listApiKeys = get('listApiKeys', '/api/arkid/keys/');
export const listProviders = get('listProviders', '/api/arkid/providers/');
export const listSessions = get('listSessions', '/api/arkid/sessions/');
export const loginCheckSm = post('loginCheckSm', '/api/arkid/login_check_sm/');
export const loginGetSmsToken = post('loginGetSmsToken', '/api/arkid/login_get_sms_token/');
export const loginRequestSm = post('loginRequestSm', '/api/arkid/login_request_sm/');
export const logout = post('logout', '/api/arkid/logout/');
export const oidcLogin = post('oidcLogin', '/api/arkid/oidc/login/');
export const registerCheckSm = post('registerCheckSm', '/api/arkid/register_check_sm/');
export const registerGetSmsToken = post('registerGetSmsToken', '/api/arkid/register_get_sms_token/');
export const registerRequestSm = post('registerRequestSm', '/api/arkid/register_request_sm/');
export const revokeApiKey = post('revokeApiKey', '/api/arkid/revoke_key/');
export const revokeSession = post('revokeSession', '/api/arkid/revoke_session/');
export const secondFactorConfirm = post('secondFactorConfirm', '/api/arkid/second_factor_confirm/');
export const secondFactorDisable = post('secondFactorDisable', '/api/arkid/second_factor_disable/');
export const secondFactorEnroll = post('secondFactorEnroll', '/api/arkid/second_factor_enroll/');
export const secondFactorVerify = post('secondFactorVerify', '/api/arkid/second_factor_verify/');
export const uploadAvatar = post('uploadAvatar', '/api/arkid/upload_avatar/');
export const wechatBind = post('wechatBind', '/api/arkid/wechat/bind/');
export const wechatLogin = post('wechatLogin', '/api/arkid/wechat/login/');
export const wechatRegister = post('wechatRegister', '/api/arkid/wechat/register/');
export const wechatUnbind = post('wechatUnbind', '/api/arkid/wechat/unbind/');

// about
export const getData = get('getData', '/api/about/get_data/');
export const getLists = get('getLists', '/api/about/lists/');

// matdata
export const searchByElements = post('searchByElements', '/api/matdata/search_by_elements/');
export const searchByFormula = post('searchByFormula', '/api/matdata/search_by_formula/');
export const searchByStructId = post('searchByStructId', '/api/matdata/search_by_struct_id/');
export const getEmbedKey = post('getEmbedKey', '/api/matdata/embed_key/');
export const getEmbeddedMaterial = post('getEmbeddedMaterial', '/api/matdata/embedded_material/');
export const reportEntry = post('reportEntry', '/api/matdata/report_entry/');
export const listReports = post('listReports', '/api/matdata/reports/');
export const screenMaterials = post('screenMaterials', '/api/matdata/screen/');
export const downloadScreened = post('downloadScreened', '/api/matdata/screen/download/');
export const screenPoints = post('screenPoints', '/api/matdata/screen/points/');
export const screenElements = post('screenElements', '/api/matdata/screen/elements/');
export const materialRows = post('materialRows', '/api/matdata/screen/rows/');
export const getStructDetail = post('getStructDetail', '/api/matdata/get_struct_detail/');
export const getBrillouinZone = post('getBrillouinZone', '/api/matdata/get_brillouin_zone/');
export const getPhononModes = post('getPhononModes', '/api/matdata/get_phonon_modes/');
export const getPhonons = post('getPhonons', '/api/matdata/get_phonons/');
export const getRelated = post('getRelated', '/api/matdata/get_related/');
export const getXrdHandle = post('getXrdHandle', '/api/matdata/get_xrd_handle/');
export const getXrdHandle2 = post('getXrdHandle2', '/api/matdata/get_xrd_handle2/');
export const listReleases = get('listReleases', '/api/releases/');

// collections
export const listCollections = post('listCollections', '/api/collections/list/');
export const getCollection = post('getCollection', '/api/collections/get/');
export const saveCollection = post('saveCollection', '/api/collections/save/');
export const changeCollection = post('changeCollection', '/api/collections/change/');
export const shareCollection = post('shareCollection', '/api/collections/share/');
export const removeCollection = post('removeCollection', '/api/collections/remove/');
export const saveSearch = post('saveSearch', '/api/collections/save_search/');
export const seeSearch = post('seeSearch', '/api/collections/see_search/');
export const removeSearch = post('removeSearch', '/api/collections/remove_search/');

// topology
export const fetchIrvsp = post('fetchIrvsp', '/api/irvsp/fetch_irvsp/');

// phase-diagram
export const getEmbeddedDiagram = post('getEmbeddedDiagram', '/api/phase_diagram/embedded/');
export const phaseDiagramHandle = post('phaseDiagramHandle', '/api/phase_diagram/phase_diagram_handle/');
export const getPhaseDiagram = post('getPhaseDiagram', '/api/matdata/get_phase_diagram/');
export const placeCompound = post('placeCompound', '/api/phase_diagram/place_compound/');
export const getChemicalPotentials = post('getChemicalPotentials', '/api/phase_diagram/chemical_potentials/');
export const getEnergyScales = get('getEnergyScales', '/api/phase_diagram/energy_scales/');

// ecwindow
export const searchWindowsByElements = post('searchWindowsByElements', '/api/ecwindow/search_by_elements/');
export const searchWindowsByFormula = post('searchWindowsByFormula', '/api/ecwindow/search_by_formula/');
export const searchWindowsById = post('searchWindowsById', '/api/ecwindow/search_by_id/');
export const getEcwDetail = post('getEcwDetail', '/api/ecwindow/get_ecw_detail/');

// electrodes
export const searchElectrodes = post('searchElectrodes', '/api/electrodes/search/');
export const getElectrodes = post('getElectrodes', '/api/electrodes/get/');
export const getConversion = post('getConversion', '/api/electrodes/conversion/');

// interface-reaction
export const interfaceReceive = post('interfaceReceive', '/api/interface_reaction/interface_receive/');

// coatings
export const coatingMatrix = post('coatingMatrix', '/api/coatings/matrix/');
export const searchCoatings = post('searchCoatings', '/api/coatings/search/');

// stability
export const calculateReaction = post('calculateReaction', '/api/stability/reaction/');
export const drawEllingham = post('drawEllingham', '/api/stability/ellingham/');
export const drawPourbaix = post('drawPourbaix', '/api/stability/pourbaix/');

// run4u
export const dashboardHandle = post('dashboardHandle', '/api/run4u/dashboard_handle/');
export const run4uCancel = post('run4uCancel', '/api/run4u/run4u_cancel/');
export const run4uDetail = post('run4uDetail', '/api/run4u/run4u_detail/');
export const run4uExpect = post('run4uExpect', '/api/run4u/run4u_expect/');
export const run4uHandle = post('run4uHandle', '/api/run4u/run4u_handle/');
export const run4uResubmit = post('run4uResubmit', '/api/run4u/run4u_resubmit/');
export const run4uSubmit = post('run4uSubmit', '/api/run4u/run4u_submit/');
export const watchSubmissions = get('watchSubmissions', '/api/run4u/events/');

// xrd
export const xrdCancel = post('xrdCancel', '/api/xrd/xrd_cancel/');
export const xrdExplain = post('xrdExplain', '/api/xrd/xrd_explain/');
export const xrdGet = post('xrdGet', '/api/xrd/xrd_get/');
export const xrdIdentify = post('xrdIdentify', '/api/xrd/identify/');
export const xrdMatch = post('xrdMatch', '/api/xrd/xrd_match/');
export const xrdNorData = post('xrdNorData', '/api/xrd/xrd_nor_data/');
export const xrdProgress = post('xrdProgress', '/api/xrd/xrd_progress/');
export const xrdReceive = post('xrdReceive', '/api/xrd/xrd_receive/');
export const xrdRefine = post('xrdRefine', '/api/xrd/refine/');
export const xrdRemoveBg = post('xrdRemoveBg', '/api/xrd/xrd_remove_bg/');

// tight-binding
export const getLatticeStructure = post('getLatticeStructure', '/api/tight_binding/get_lattice_structure/');
export const getBandData = post('getBandData', '/api/tight_binding/get_band_data/');

// prediction
export const predict = post('predict', '/api/prediction/predict/');
export const modelCard = get('modelCard', '/api/prediction/model/');
export const predictionScore = get('predictionScore', '/api/prediction/score/');

// design
export const startDesign = post('startDesign', '/api/design/start/');
export const listDesigns = post('listDesigns', '/api/design/runs/');
export const getDesign = post('getDesign', '/api/design/run/');
export const cancelDesign = post('cancelDesign', '/api/design/cancel/');
export const designStructure = post('designStructure', '/api/design/structure/');

// operate
export const operatePeople = post('operatePeople', '/api/operate/people/');
export const operatePerson = post('operatePerson', '/api/operate/person/');
export const operateBlock = post('operateBlock', '/api/operate/person/block/');
export const operateUnblock = post('operateUnblock', '/api/operate/person/unblock/');
export const operateRole = post('operateRole', '/api/operate/person/role/');
export const operateQuota = post('operateQuota', '/api/operate/person/quota/');
export const operateEndSessions = post('operateEndSessions', '/api/operate/person/sessions/');
export const operateResetFactor = post('operateResetFactor', '/api/operate/person/factor/');
export const operateDeletePerson = post('operateDeletePerson', '/api/operate/person/delete/');
export const operateInvite = post('operateInvite', '/api/operate/invite/');
export const operateSubmissions = post('operateSubmissions', '/api/operate/submissions/');
export const operateCancel = post('operateCancel', '/api/operate/submission/cancel/');
export const operateRetry = post('operateRetry', '/api/operate/submission/retry/');
export const operateDrain = post('operateDrain', '/api/operate/drain/');
export const operateImports = post('operateImports', '/api/operate/imports/');
export const operateRelease = post('operateRelease', '/api/operate/release/');
export const operateQueue = post('operateQueue', '/api/operate/queue/');
export const operateRetryJob = post('operateRetryJob', '/api/operate/job/retry/');
export const operateRemoveJob = post('operateRemoveJob', '/api/operate/job/remove/');
export const operateHealth = post('operateHealth', '/api/operate/health/');
export const operateTexts = post('operateTexts', '/api/operate/texts/');
export const operatePreviewText = post('operatePreviewText', '/api/operate/text/preview/');
export const operateSaveText = post('operateSaveText', '/api/operate/text/save/');
export const operateKeys = post('operateKeys', '/api/operate/keys/');
export const operateRevokeKey = post('operateRevokeKey', '/api/operate/key/revoke/');
export const operateBudgets = post('operateBudgets', '/api/operate/budgets/');
export const operateStorage = post('operateStorage', '/api/operate/storage/');
export const operateBackups = post('operateBackups', '/api/operate/backups/');
export const operateBackUp = post('operateBackUp', '/api/operate/backup/now/');
export const operateBackupSchedule = post('operateBackupSchedule', '/api/operate/backup/schedule/');
export const operateReports = post('operateReports', '/api/operate/reports/');
export const operateAnswerReport = post('operateAnswerReport', '/api/operate/report/answer/');
export const operateAudit = post('operateAudit', '/api/operate/audit/');
