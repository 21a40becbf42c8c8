/** Texts of the account calls and of the operator's page. */
import type { MessageTable } from '../message-table.ts';

export const accountMessages = {
  'login.code-sent': {
    en: 'The code has been sent.',
    zh: '验证码已发送。',
  },
  'login.not-registered': {
    en: 'This number has no account yet.',
    zh: '该手机号尚未注册。',
  },
  'login.already-registered': {
    en: 'This number already has an account.',
    zh: '该手机号已注册。',
  },
  'login.wrong-code': {
    en: 'The code is wrong or has expired. Please request a new one.',
    zh: '验证码错误或已过期，请重新获取。',
  },
  'login.wrong-token': {
    en: 'The confirmation has expired. Please request a new code.',
    zh: '验证已过期，请重新获取验证码。',
  },
  'login.too-soon': {
    en: 'A code was sent a moment ago. Please wait {{seconds}} seconds before requesting another.',
    zh: '刚刚已发送过验证码，请在 {{seconds}} 秒后再试。',
  },
  'login.too-many-codes': {
    en: 'Too many codes were requested. Please try again in {{minutes}} minutes.',
    zh: '验证码请求次数过多，请在 {{minutes}} 分钟后再试。',
  },
  'login.too-many-here': {
    en: 'Too many sign-in attempts from your network. Please try again in {{minutes}} minutes, or from another network.',
    zh: '您所在网络的登录尝试过多，请在 {{minutes}} 分钟后再试，或更换网络。',
  },
  'login.sms-spent': {
    en: 'This site has reached its limit of text messages for now. Your number is fine; please try again in {{minutes}} minutes, or sign in another way.',
    zh: '本站目前已达到短信发送上限，与您的号码无关；请在 {{minutes}} 分钟后再试，或使用其他登录方式。',
  },
  'login.proof-needed': {
    en: 'This site is sending many text messages, so the next one needs a proof of work. The login page solves it automatically; a program solves the task in "proof" and repeats the request with the answer.',
    zh: '本站当前短信发送量较大，发送前需完成一次工作量证明。登录页面会自动完成；程序请按 "proof" 字段计算后携带结果重新请求。',
  },
  'login.wrong-proof': {
    en: 'The proof of work is wrong, has already been used or has expired. Please request the code again.',
    zh: '工作量证明错误、已使用或已过期，请重新获取验证码。',
  },
  'login.delivery-failed': {
    en: 'The text message could not be sent. Please try again later; this attempt does not count.',
    zh: '短信发送失败，请稍后再试；本次不计入次数。',
  },
  'login.other-number': {
    en: 'This code belongs to another number.',
    zh: '该验证码属于另一个手机号。',
  },
  'sms.text': {
    en: 'Unitcell: your verification code is {{code}}. It is valid for {{minutes}} minutes. Do not share it.',
    zh: '【Unitcell】您的验证码是 {{code}}，{{minutes}} 分钟内有效，请勿告知他人。',
  },
  'auth.scope': {
    en: 'This API key does not allow this call. Ask an administrator for the scope "{{scope}}".',
    zh: '此 API 密钥无权调用该接口，请向管理员申请权限“{{scope}}”。',
  },
  'account.blocked': {
    en: 'This account was blocked by an administrator. Write to the address on the About page if you think this is a mistake.',
    zh: '该账号已被本站管理员停用。如有疑问，请通过“关于”页面上的联系方式与我们联系。',
  },
  'account.updated': {
    en: 'Information updated successfully',
    zh: '信息更新成功',
  },
  'account.avatar-missing': {
    en: 'No picture was received. Choose a PNG, JPEG or WebP file.',
    zh: '未收到图片，请选择 PNG、JPEG 或 WebP 文件。',
  },
  'account.avatar-format': {
    en: 'This is not a PNG, JPEG or WebP picture, or it is damaged.',
    zh: '该文件不是 PNG、JPEG 或 WebP 图片，或文件已损坏。',
  },
  'account.avatar-pixels': {
    en: 'The picture has too many pixels: at most {{megapixels}} million are accepted.',
    zh: '图片像素过多：最多 {{megapixels}} 百万像素。',
  },
  'account.avatar-too-large': {
    en: 'The picture is larger than {{megabytes}} MB.',
    zh: '图片超过 {{megabytes}} MB。',
  },
  'account.avatar-foreign': {
    en: 'This picture was not uploaded by this account. Please upload it again.',
    zh: '该图片不是由本账号上传的，请重新上传。',
  },
  'account.mobile-failed': {
    en: 'Mobile binding failed: confirm the current number first, then the new one.',
    zh: '手机号绑定失败：请先验证当前手机号，再验证新手机号。',
  },
  'account.mobile-taken': {
    en: 'Mobile binding failed: this number belongs to another account.',
    zh: '手机号绑定失败：该手机号已属于其他账号。',
  },
  'account.mobile-same': {
    en: 'Mobile binding failed: this is already the current number.',
    zh: '手机号绑定失败：该手机号就是当前手机号。',
  },
  'account.no-such-session': {
    en: 'This session does not exist or has ended.',
    zh: '该登录会话不存在或已结束。',
  },
  'account.already-bound': {
    en: 'Already bound',
    zh: '您已绑定',
  },
  'account.not-bound': {
    en: 'There is no binding to remove.',
    zh: '尚未绑定，无需解绑。',
  },
  'account.last-way-in': {
    en: 'Bind a mobile number first: unbinding is confirmed by a code sent to it.',
    zh: '解绑需用手机验证码确认，请先绑定手机号。',
  },
  'third-party.unavailable': {
    en: 'This sign-in is not set up on this site.',
    zh: '本站未启用该登录方式。',
  },
  'third-party.redirect': {
    en: 'redirect_uri must be a page of this site ({{origin}}), without user name or fragment.',
    zh: 'redirect_uri 必须是本站（{{origin}}）的页面，且不含用户名和片段。',
  },
  'third-party.expired': {
    en: 'The third-party sign-in has expired or has already been used. Please start again.',
    zh: '第三方登录已过期或已被使用，请重新开始。',
  },
  'login.no-phone': {
    en: 'This site sends no text messages. Sign in with your institute’s account.',
    zh: '本站不发送短信，请使用所在机构的账号登录。',
  },
  'directory.wrong': {
    en: 'The user name or password is wrong.',
    zh: '用户名或密码错误。',
  },
  'directory.not-allowed': {
    en: 'Your institute account is not allowed to use this site. Ask an administrator.',
    zh: '您的机构账号无权使用本站，请联系本站管理员。',
  },
  'directory.away': {
    en: 'The sign-in service of your institute does not respond. Please try again in a moment.',
    zh: '机构登录服务无响应，请稍后再试。',
  },
  'invite.expired': {
    en: 'This invitation has expired or has already been used. Ask an administrator for another.',
    zh: '邀请链接已过期或已被使用，请向本站管理员重新索取。',
  },
} as const satisfies MessageTable;

// ── Texts about second factors ──

export const secondFactorMessages = {
  'second-factor.wrong-code': {
    en: 'This code is wrong or has already been used. Enter the one your authenticator app shows now, or a recovery code.',
    zh: '验证码错误或已使用过，请输入验证器应用当前显示的验证码，或使用恢复码。',
  },
  'second-factor.expired': {
    en: 'This sign-in has expired or had too many wrong codes. Please sign in again.',
    zh: '本次登录已过期，或错误次数过多，请重新登录。',
  },
  'second-factor.too-many': {
    en: 'Too many wrong codes for this account. Please try again in {{minutes}} minutes.',
    zh: '该账号尝试验证码次数过多，请在 {{minutes}} 分钟后再试。',
  },
  'second-factor.already': {
    en: 'This account already has a second factor. Remove it before setting up another.',
    zh: '该账号已启用两步验证，如需更换请先停用。',
  },
  'second-factor.demanded': {
    en: 'An administrator requires a second factor for your account; it cannot be removed.',
    zh: '本站管理员要求您的账号使用两步验证，无法停用。',
  },
  'second-factor.unreadable': {
    en: 'The second factor of this account can no longer be checked. Please ask an administrator to reset it.',
    zh: '该账号的两步验证已无法校验，请联系管理员重置。',
  },
} as const satisfies MessageTable;

// ── Texts about API keys made by members ──

export const keyMessages = {
  'key.not-offered': {
    en: 'On this site administrators issue API keys. Please ask for one.',
    zh: '本站的 API 密钥由管理员发放，请联系管理员申请。',
  },
  'key.scope': {
    en: 'A key cannot have the scope "{{scope}}". Choose among: {{offered}}.',
    zh: '“{{scope}}”不是有效的密钥权限，可选：{{offered}}。',
  },
  'key.too-many': {
    en: 'You have {{limit}} active keys, which is the limit. Revoke one that you no longer use.',
    zh: '您已有 {{limit}} 个有效密钥，达到上限。请先撤销不再使用的密钥。',
  },
  'key.not-found': {
    en: 'There is no active key with this number in your account.',
    zh: '您的账号中没有该编号的有效密钥。',
  },
  'key.none': {
    en: 'This call is for API keys; you called with a sign-in. Your keys are listed on your account page.',
    zh: '该接口供 API 密钥查询自身信息，而此次请求使用的是登录令牌。密钥列表见个人中心。',
  },
} as const satisfies MessageTable;

// ── Texts of the operator's page ──

export const operateMessages = {
  'operate.administrators-only': {
    en: 'Only administrators of this site may do this. Sign in with an administrator’s account.',
    zh: '仅限本站管理员操作，请以管理员账号登录。',
  },
  'operate.not-found': {
    en: 'This entry no longer exists. Reload the list.',
    zh: '该条目已不存在，请刷新列表。',
  },
  'operate.yourself': {
    en: 'You cannot block or delete yourself; another administrator can.',
    zh: '不能封禁或删除自己的账号，请由其他管理员操作。',
  },
  'operate.other-administrator': {
    en: 'A link that signs in as another administrator can only be created on the command line.',
    zh: '登录其他管理员账号的链接只能在命令行中生成。',
  },
  'operate.already-blocked': {
    en: 'Account {{id}} is already blocked.',
    zh: '账号 {{id}} 已被封禁。',
  },
  'operate.not-blocked': {
    en: 'Account {{id}} is not blocked.',
    zh: '账号 {{id}} 未被封禁。',
  },
  'operate.no-factor': {
    en: 'Account {{id}} has no second factor.',
    zh: '账号 {{id}} 没有启用两步验证。',
  },
  'operate.job-not-failed': {
    en: 'Only failed jobs can be retried; this one has not failed or no longer exists.',
    zh: '只有失败的任务可以重试，该任务未失败或已不存在。',
  },
  'operate.job-runs': {
    en: 'The job is running or no longer exists: only waiting or finished jobs can be removed.',
    zh: '该任务正在运行或已不存在，只能移除等待中或已结束的任务。',
  },
  'operate.backup-time': {
    en: '"{{typed}}" is not a time: expected minute, hour, day, month and weekday as in cron, for example 15 2 * * * for every night at 02:15.',
    zh: '无法识别时间“{{typed}}”：应按 cron 格式依次填写分、时、日、月、星期，例如 15 2 * * * 表示每天凌晨 2:15。',
  },
  'operate.text-changed': {
    en: 'Someone has changed this text since you opened it. Copy your version, reload the page and paste it in.',
    zh: '您打开之后已有人修改此内容。请先复制您的文字，刷新页面后再填入。',
  },
  'operate.text-invalid': {
    en: '{{place}} is not accepted: {{reason}}.',
    zh: '{{place}} 的内容有误：{{reason}}。',
  },
  'operate.text-too-long': {
    en: 'too long; at most {{limit}} are accepted',
    zh: '过长，上限为 {{limit}}',
  },
  'operate.text-format': {
    en: 'expected an https, mailto or site address, a mail address, or a small inline picture',
    zh: '应为 https、mailto 或本站地址，邮箱地址，或较小的内嵌图片',
  },
  'operate.text-shape': {
    en: 'a value is missing or has the wrong type',
    zh: '缺少数值或类型不符',
  },
  'account.last-administrator': {
    en: 'This is the last administrator who can sign in. Make another account an administrator first.',
    zh: '这是最后一位可以登录的管理员。请先将其他账号设为管理员。',
  },
} as const satisfies MessageTable;
