/** Dumps of the catalogue: contents, size, checksums and citation. */
import { useMutation, useQuery } from '@tanstack/react-query';
import { listReleases } from '@unitcell/contract/calls';
import type { PublishedRelease, ReleaseFile } from '@unitcell/contract/matdata';
import { Fragment } from 'react';
import { Link } from 'react-router-dom';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel, InlineFailure } from '../../components/failure.tsx';
import { ScrollFrame } from '../../components/scroll-frame.tsx';
import { Section } from '../../components/section.tsx';
import { ToolHeader, Waiting } from '../../components/tool-page/tool-page.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { apiQuery, fileAt, type RequestOf } from '../../lib/api-client.ts';
import { downloadBlob } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import { openLogin, useToken } from '../../lib/session.ts';
import classes from './releases.module.css';

const releasesTexts = defineTexts('releases', {
  title: ['Data releases', '数据发布'],
  lead: [
    'The whole database, its hulls and its electrochemical windows as dated files: JSON Lines, Parquet, and OPTIMADE JSON Lines. Every row names its source and licence.',
    '整个材料库及其凸包与电化学窗口，以注明日期的文件发布：JSON Lines、Parquet 与 OPTIMADE JSON Lines。每一行都注明来源与许可。',
  ],
  none: [
    'No files have been published yet. You can already download any search result as CSV, JSON Lines, CIF or POSCAR files.',
    '尚未发布数据文件。任何检索结果现在都可以下载为 CSV、JSON Lines、CIF 或 POSCAR 文件。',
  ],
  search: ['Search and download', '检索并下载'],
  publish: ['Administrators publish the current release with', '管理员发布当前版本的命令：'],
  contents: ['Files of a release', '每次发布的文件'],
  heading: ['Release {{n}}', '版本 {{n}}'],
  published: ['{{date}} · {{n}} materials', '{{date}} · {{n}} 个材料'],
  file: ['File', '文件'],
  holds: ['Row content', '每行内容'],
  rows: ['Rows', '行数'],
  size: ['Size', '大小'],
  sha: ['SHA-256', 'SHA-256'],
  licences: ['Licences', '许可'],
  notStated: ['not stated', '未注明'],
  cite: ['How to cite', '引用方式'],
  members: [
    'The files are for members: sign in here, or use an API key.',
    '文件供注册用户使用：请在此登录，或在程序中使用 API 密钥。',
  ],
  loading: ['Downloading {{name}}…', '正在下载 {{name}}…'],
  materials: [
    'One material: its fields, its structure as given, source and licence; in JSON Lines with tensors, bands and all energies',
    '一个材料：各字段、原始结构、来源与许可；JSON Lines 另含张量、能带与全部能量',
  ],
  hulls: [
    'One material on one energy scale: energies, distance to the convex hull, decomposition',
    '一个材料在一个能量基准上：能量、高于凸包的能量、分解产物',
  ],
  windows: [
    'One electrochemical window: a material against a working ion on an energy scale',
    '一个电化学窗口：材料在某一能量基准上相对于某一工作离子',
  ],
  electrodes: [
    'One insertion electrode: both ends, voltages, capacities and plateaus on an energy scale',
    '一个嵌入型电极：某一能量基准上的两端材料、电压、容量与各平台',
  ],
  optimade: [
    'One OPTIMADE structure, after a header and the property descriptions',
    '一个 OPTIMADE 结构，其前为文件头与属性说明',
  ],
});

const RELEASES: RequestOf<typeof listReleases> = { call: listReleases, body: undefined };

const useReleases = () => useQuery(apiQuery(RELEASES));

export function Page() {
  const { t } = useTexts(releasesTexts);
  const { data, error, refetch } = useReleases();
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      {!data && !error && <Waiting>{t('title')}</Waiting>}
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data?.releases.length === 0 && <NoRelease />}
      {data?.releases.map((release, index) => (
        <Release
          key={release.release}
          release={release}
          isOpen={data.access === 'public'}
          hasCode={index === 0}
        />
      ))}
    </div>
  );
}

const FILES = ['materials', 'hulls', 'windows', 'electrodes', 'optimade'] as const;

/** What a release will contain, and how to get data until then. */
function NoRelease() {
  const { t } = useTexts(releasesTexts);
  return (
    <>
      <div className={`uc-stack uc-panel ${classes.none}`}>
        <p>{t('none')}</p>
        <Link to="/matdata?filter=" className={classes.search}>
          {t('search')}
        </Link>
        <p className="uc-note">
          {t('publish')} <code>unitcell release publish</code>
        </p>
      </div>
      <Section id="contents" title={t('contents')}>
        <dl className={classes.facts}>
          {FILES.map((name) => (
            <Fragment key={name}>
              <dt className="uc-caption">{name}</dt>
              <dd>{t(name)}</dd>
            </Fragment>
          ))}
        </dl>
      </Section>
    </>
  );
}

interface ReleaseProps {
  readonly release: PublishedRelease;
  /** True if the files can be downloaded without an account. */
  readonly isOpen: boolean;
  readonly hasCode: boolean;
}

function Release({ release, isOpen, hasCode }: ReleaseProps) {
  const { t } = useTexts(releasesTexts);
  const hasToken = useToken() !== null;
  const licences = Object.entries(release.licences).sort(([, a], [, b]) => b - a);
  return (
    <Section
      id={`release-${release.release}`}
      title={t('heading', { n: release.release })}
      lead={t('published', {
        date: release.published_at.slice(0, 10),
        n: formatCount(release.materials),
      })}
      tools={hasCode && <CopyAsCode sent={RELEASES} />}
    >
      {!isOpen && !hasToken && (
        <p>
          <button
            type="button"
            className={`uc-link-button ${classes.signIn}`}
            onClick={() => openLogin('/releases')}
          >
            {t('members')}
          </button>
        </p>
      )}
      <ScrollFrame>
        <div className={classes.scroller}>
          <table className={`uc-table ${classes.files}`}>
            <thead>
              <tr>
                <th scope="col">{t('file')}</th>
                <th scope="col">{t('holds')}</th>
                <th scope="col" className={classes.number}>
                  {t('rows')}
                </th>
                <th scope="col" className={classes.number}>
                  {t('size')}
                </th>
                <th scope="col">{t('sha')}</th>
              </tr>
            </thead>
            <tbody>
              {release.files.map((file) => (
                <FileRow key={file.name} file={file} isOpen={isOpen} canGet={isOpen || hasToken} />
              ))}
            </tbody>
          </table>
        </div>
      </ScrollFrame>
      <dl className={classes.facts}>
        <dt className="uc-caption">{t('licences')}</dt>
        <dd>
          {licences.map(([name, count]) => (
            <span key={name} className={classes.licence}>
              {name === 'not stated' ? t('notStated') : name} <small>{formatCount(count)}</small>
            </span>
          ))}
        </dd>
        <dt className="uc-caption">{t('cite')}</dt>
        <dd lang="en">{release.cite}</dd>
      </dl>
    </Section>
  );
}

const MEGABYTE = 1e6;
const sizeText = (bytes: number): string =>
  bytes < MEGABYTE ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / MEGABYTE).toFixed(1)} MB`;

const TABLES = ['materials', 'hulls', 'windows', 'electrodes', 'optimade'] as const;
const isTable = (name: string): name is (typeof TABLES)[number] => TABLES.some((table) => table === name);

interface FileRowProps {
  readonly file: ReleaseFile;
  readonly isOpen: boolean;
  readonly canGet: boolean;
}

function FileRow({ file, isOpen, canGet }: FileRowProps) {
  const { t } = useTexts(releasesTexts);
  const download = useMutation({
    mutationFn: async () => downloadBlob(file.name, await fileAt(file.address)),
  });
  const [table = ''] = file.name.split('.', 1);
  return (
    <tr>
      <th scope="row">
        {isOpen && <a href={file.address}>{file.name}</a>}
        {!isOpen && canGet && (
          <button
            type="button"
            className={`uc-link-button ${classes.file}`}
            disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            {file.name}
          </button>
        )}
        {!canGet && file.name}
        {download.isPending && <output>{t('loading', { name: file.name })}</output>}
        <InlineFailure error={download.error} />
      </th>
      <td>{isTable(table) ? t(table) : file.about}</td>
      <td className={classes.number}>{formatCount(file.rows)}</td>
      <td className={classes.number}>{sizeText(file.bytes)}</td>
      <td>
        <code className={classes.sha} title={file.sha256}>
          {file.sha256}
        </code>
      </td>
    </tr>
  );
}
