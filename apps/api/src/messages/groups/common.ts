/** Texts every part of the server may need. */
import type { MessageTable } from '../message-table.ts';

export const commonMessages = {
  'auth.missing': {
    en: 'Please sign in first.',
    zh: '请先登录。',
  },
  'auth.invalid': {
    en: 'Your sign-in is no longer valid. Please sign in again.',
    zh: '登录状态已失效，请重新登录。',
  },
  'auth.expired': {
    en: 'Your sign-in has expired. Please sign in again.',
    zh: '登录已过期，请重新登录。',
  },
  'request.invalid': {
    en: 'The request is not understood: {{reason}}.',
    zh: '无法理解该请求：{{reason}}。',
  },
  'request.not-json': {
    en: 'The request body is not valid JSON.',
    zh: '请求内容不是有效的 JSON。',
  },
  'request.not-multipart': {
    en: 'The upload is not complete: its parts do not end with the boundary named in the content type. Please upload the file again.',
    zh: '上传内容不完整：没有以请求头中声明的分隔符结束，请重新上传文件。',
  },
  'request.media-type': {
    en: 'This call takes a JSON body.',
    zh: '该接口只接受 JSON 格式的请求。',
  },
  'request.too-large': {
    en: 'The request is too large: at most {{limit}} are accepted.',
    zh: '请求内容过大：最多接受 {{limit}}。',
  },
  'request.too-many': {
    en: 'Too many requests. Please try again in {{seconds}} seconds.',
    zh: '请求过于频繁，请在 {{seconds}} 秒后重试。',
  },
  'request.not-found': {
    en: 'There is nothing at this address.',
    zh: '该地址不存在。',
  },
  'server.failed': {
    en: 'Something went wrong on our side. Please quote this number if you report it: {{errorId}}',
    zh: '服务器出现错误。如需反馈，请提供此编号：{{errorId}}',
  },
  'server.disk-full': {
    en: 'The server has no room left to store this. Nothing of yours was lost; please tell the operator and try again later.',
    zh: '服务器存储空间已满，无法保存。您的数据没有丢失，请联系运营者并稍后再试。',
  },
  'server.busy': {
    en: 'The server is busy. Please try again in a moment.',
    zh: '服务器繁忙，请稍后再试。',
  },
  'server.too-costly': {
    en: 'This calculation needs more time or memory than one may take here and was stopped. Ask for less: fewer atoms, a longer wavelength, a smaller range.',
    zh: '该计算所需的时间或内存超出限制，已被终止。请缩小计算规模，例如减少原子数、增大波长或缩小范围。',
  },
  'request.abandoned': {
    en: 'The request was given up before it was answered.',
    zh: '请求在得到响应前已被放弃。',
  },
} as const satisfies MessageTable;
