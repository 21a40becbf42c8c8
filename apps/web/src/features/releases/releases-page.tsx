/** Dumps of the catalogue: what is in them, what they weigh, how to check and to cite them. */
import { type CallAnswer, listReleases } from '@unitcell/contract/calls';
import type { PublishedRelease, ReleaseFile } from '@unitcell/contract/releases';
import { useMutation, useQuery } from '@tanstack/react-query';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { ScrollFrame } from '../../components/scroll-frame.tsx';
import { Section } from '../../components/section.tsx';
import { ToolHeader, Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { callApi, fileAt, type RequestOf } from '../../lib/api-client.ts';
import { downloadBlob } from '../../lib/download.ts';
import { formatCount } from '../../lib/format.ts';
import { openLogin, useToken } from '../../lib/session.ts';
import classes from './releases.module.css';
import { releasesTexts } from './texts.ts';

const RELEASES: RequestOf<typeof listReleases> = { call: listReleases, body: undefined };

const useReleases = () =>
  useQuery({
    queryKey: ['releases'],
    queryFn: ({ signal }): Promise<CallAnswer<typeof listReleases>> =>
      callApi(RELEASES.call, RELEASES.body, { signal }),
  });

export function Page() {
  const { t } = useTexts(releasesTexts);
  const { data, error, refetch } = useReleases();
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      {!data && !error && <Waiting>{t('title')}</Waiting>}
      {error && !data && <ErrorPanel error={error} onRetry={() => void refetch()} />}
      {data?.releases.length === 0 && <p>{t('none')}</p>}
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

interface ReleaseProps {
  readonly release: PublishedRelease;
  /** Everybody may have the files. */
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
          <button type="button" className={classes.signIn} onClick={() => openLogin('/releases')}>
            {t('members')}
          </button>
        </p>
      )}
      <ScrollFrame>
        <div className={classes.scroller}>
          <table className={classes.files}>
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

const TABLES = ['materials', 'hulls', 'windows', 'optimade'] as const;
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
  useFailureToastOf(download.error);
  const [table = ''] = file.name.split('.', 1);
  return (
    <tr>
      <th scope="row">
        {isOpen && <a href={file.address}>{file.name}</a>}
        {!isOpen && canGet && (
          <button
            type="button"
            className={classes.file}
            disabled={download.isPending}
            onClick={() => download.mutate()}
          >
            {file.name}
          </button>
        )}
        {!canGet && file.name}
        {download.isPending && <output>{t('loading', { name: file.name })}</output>}
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
