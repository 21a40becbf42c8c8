/**
 * Limits per visitor, process and calculation. Operators change them by environment variables; `unitcell
 * diagnose` shows the values in force.
 */
import { availableParallelism } from 'node:os';

interface Figure {
  readonly default: number;
  readonly minimum: number;
  readonly meaning: string;
  /** The meaning in Chinese. */
  readonly zh: string;
}

const FIGURES = {
  threads: {
    // One more thread than a single visitor may use, so that a second visitor never waits for the first.
    default: Math.max(3, availableParallelism()),
    minimum: 1,
    meaning: 'threads that calculate for requests',
    zh: '处理请求计算的线程数',
  },
  taskSeconds: {
    default: 20,
    minimum: 1,
    meaning: 'longest calculation of a request',
    zh: '单个请求的最长计算时间（秒）',
  },
  tasksWaiting: {
    default: 64,
    minimum: 0,
    meaning: 'calculations that may wait for a thread',
    zh: '可排队等待线程的计算数',
  },
  tasksPerOwner: {
    default: 2,
    minimum: 1,
    meaning: 'calculations of one account or key at a time',
    zh: '同一账号或密钥可同时进行的计算数',
  },
  tasksWaitingPerOwner: {
    default: 6,
    minimum: 0,
    meaning: 'further ones of the same owner that may wait',
    zh: '同一账号或密钥可排队的计算数',
  },
  // The temperature slider of a phase diagram has 69 positions, and each is a calculation.
  calculationsPerMinute: {
    default: 300,
    minimum: 1,
    meaning: 'calls of one owner that may calculate',
    zh: '同一账号或密钥每分钟的计算类调用次数',
  },
  uploadsPerMinute: {
    default: 20,
    minimum: 1,
    meaning: 'files one owner may send',
    zh: '同一账号或密钥每分钟可上传的文件数',
  },
  // A page makes about ten calls; a program that copies the catalogue calls continuously.
  callsPerMinute: {
    default: 3_000,
    minimum: 1,
    meaning: 'other calls of one account; a key has its own rate',
    zh: '同一账号每分钟的其他调用次数；密钥按各自的速率计',
  },
  // A person opens about ten materials a minute. Searches, screening and downloads return whole lists.
  detailsPerMinute: {
    default: 300,
    minimum: 1,
    meaning: 'details and files of materials of one account; a key has its own rate',
    zh: '同一账号每分钟的材料详情与文件数；密钥按各自的速率计',
  },
  // A page makes at most two calls without a token, but the members of a laboratory may share an address.
  // Sign-in has separate limits.
  visitorCallsPerMinute: {
    default: 1_200,
    minimum: 1,
    meaning: 'calls of one address without an account',
    zh: '未登录时同一地址每分钟的调用次数',
  },
  optimadePerMinute: {
    default: 600,
    minimum: 1,
    meaning: 'calls of one owner or address to OPTIMADE',
    zh: '同一账号或地址每分钟的 OPTIMADE 调用次数',
  },
  reflections: {
    default: 200_000,
    minimum: 1_000,
    meaning: 'reflections in one powder pattern',
    zh: '单个粉末衍射图谱的衍射峰数',
  },
  matchSeconds: {
    default: 600,
    minimum: 1,
    meaning: 'longest step of a search among all patterns',
    zh: '全库图谱匹配单步的最长时间（秒）',
  },
  imagesAtOnce: { default: 1, minimum: 1, meaning: 'pictures decoded at a time', zh: '同时解码的图片数' },
  imagesWaiting: {
    default: 8,
    minimum: 0,
    meaning: 'pictures that may wait for that',
    zh: '可排队等待解码的图片数',
  },
  imageMegapixels: { default: 25, minimum: 1, meaning: 'size of a picture', zh: '图片大小（百万像素）' },
  // Two api processes, a worker and the queue stay below PostgreSQL's default of 100.
  databaseConnections: {
    default: 12,
    minimum: 2,
    meaning: 'connections of one process to the database',
    zh: '每个进程的数据库连接数',
  },
  // With about 200 clients that call continuously, each call is still served within a second.
  callsAtOnce: {
    default: 200,
    minimum: 1,
    meaning: 'calls under way before new ones are refused',
    zh: '同时处理的请求数上限，超过后拒绝新请求',
  },
  databaseWaiting: {
    default: 200,
    minimum: 1,
    meaning: 'questions that may wait for a connection before new requests are refused',
    zh: '等待数据库连接的查询数上限，超过后拒绝新请求',
  },
  databaseWaitSeconds: {
    default: 5,
    minimum: 1,
    meaning: 'longest wait of a request for a connection',
    zh: '请求等待数据库连接的最长时间（秒）',
  },
  statementSeconds: {
    default: 20,
    minimum: 1,
    meaning: 'longest question of a request to the database',
    zh: '请求单次数据库查询的最长时间（秒）',
  },
  // Shorter than the longest wait for a database connection, so that requests waiting behind a blocked one are
  // still served.
  lockSeconds: {
    default: 3,
    minimum: 1,
    meaning: 'longest wait of a request for a lock in the database',
    zh: '请求等待数据库锁的最长时间（秒）',
  },
  idleTransactionSeconds: {
    default: 10,
    minimum: 1,
    meaning: 'longest pause of a request within a transaction',
    zh: '请求在事务中停顿的最长时间（秒）',
  },
  // Long enough for a phone that loses its connection in a tunnel.
  answerSeconds: {
    default: 60,
    minimum: 1,
    meaning: 'longest pause of who reads an answer before it is given up',
    zh: '客户端读取应答时允许的最长停顿（秒），超过后放弃发送',
  },
  messagesPerHour: {
    default: 2000,
    minimum: 1,
    meaning: 'text messages the installation sends',
    zh: '本站每小时发送的短信数',
  },
  messagesToStrangersPerHour: {
    default: 1200,
    minimum: 1,
    meaning: 'of these, to numbers without an account: the rest is kept for members',
    zh: '其中发往未注册号码的短信数，其余留给已注册用户',
  },
  proofBelowPercent: {
    default: 50,
    minimum: 0,
    meaning: 'share of a budget of text messages below which each costs a proof of work; 0: never',
    zh: '短信余量低于该百分比时，每条短信须先完成工作量证明；0 表示从不',
  },
  // Eight parts of 2^16 hashes each: about a second on a laptop, several on a phone.
  proofBits: {
    default: 16,
    minimum: 1,
    meaning: 'zero bits of each part of that proof; two more in the end',
    zh: '该证明每一部分的零比特数，最后再加两位',
  },
  streamsPerAccount: {
    default: 5,
    minimum: 1,
    meaning: 'open event streams of one account',
    zh: '同一账号可打开的事件流数',
  },
} as const satisfies Readonly<Record<string, Figure>>;

export type Limits = Readonly<Record<keyof typeof FIGURES, number>>;

const variableOf = (name: string): string => `LIMIT_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;

/** Node's timers fire immediately if their delay is longer than this. */
const LONGEST_SECONDS = Math.floor((2 ** 31 - 1) / 1000);

/**
 * The limits in force; adds a sentence to `problems` for each variable that is not a whole number or is outside
 * its range.
 */
export function readLimits(
  env: Readonly<Record<string, string | undefined>>,
  problems: string[] = [],
): Limits {
  const entries = Object.entries<Figure>(FIGURES).map(([name, { default: usual, minimum }]) => {
    const variable = variableOf(name);
    const text = env[variable]?.trim();
    const value = Number(text || usual);
    if (!Number.isInteger(value) || value < minimum)
      problems.push(`${variable} is "${text}": expected a whole number of at least ${minimum}`);
    else if (name.endsWith('Seconds') && value > LONGEST_SECONDS)
      problems.push(`${variable} is "${text}": expected at most ${LONGEST_SECONDS} s`);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as Limits;
}

/** Every limit: variable, value in force, default and meaning. */
export const limitFigures = (limits: Limits) =>
  Object.entries<Figure>(FIGURES).map(([name, { default: usual, meaning, zh }]) => ({
    variable: variableOf(name),
    value: limits[name as keyof Limits],
    usual,
    meaning: { en: meaning, zh },
  }));

/** One line per limit: variable, value in force, meaning. */
export const describeLimits = (limits: Limits): string[] =>
  limitFigures(limits).map(({ variable, value, meaning }) => `${variable}=${value} (${meaning.en})`);
