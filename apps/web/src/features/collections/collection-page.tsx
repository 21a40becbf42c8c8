/** A collection: editable for its owner, read-only if shared. */
import { Button, Skeleton, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { CallAnswer } from '@unitcell/contract';
import { materialRows } from '@unitcell/contract/calls';
import type { CollectionDetail } from '@unitcell/contract/collections';
import type { SearchRow } from '@unitcell/material';
import { type FormEvent, useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { completenessTexts, ListCompletenessNote } from '../../components/completeness/completeness-note.tsx';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import { ScaleOrigin, useScaleName } from '../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel, InlineFailure } from '../../components/failure.tsx';
import { foundMaterial, materialColumns } from '../../components/materials/columns.tsx';
import { compareAddress, MOST_COMPARED, usePicked } from '../../components/materials/use-picked.ts';
import { DownloadResult } from '../../components/materials/download-result.tsx';
import { dayText } from '../../i18n/dates.ts';
import { useTexts } from '../../i18n/texts.ts';
import { apiQuery, isMissing, type RequestOf } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format.ts';
import classes from './collections.module.css';
import { RemoveButton } from './remove-button.tsx';
import { collectionTexts } from './texts.ts';
import {
  type CollectionPlace,
  useChangeCollection,
  useCollection,
  useRemoveCollection,
  useSaveCollection,
  useShareCollection,
} from './use-collections.ts';

interface CollectionHeadProps {
  readonly collection: CollectionDetail;
  readonly onRemoved: () => void;
}

/** Form for name, note and sharing of a collection. */
function CollectionHead({ collection, onRemoved }: CollectionHeadProps) {
  const { t, language } = useTexts(collectionTexts);
  const [edited, setEdited] = useState<{ readonly name: string; readonly note: string } | null>(null);
  const save = useSaveCollection();
  const share = useShareCollection();
  const remove = useRemoveCollection();
  const { id, name, note, release, share_key: key, is_own: isOwn, updated_at: changed } = collection;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (edited) save.mutate({ id, ...edited }, { onSuccess: () => setEdited(null) });
  };
  const address = key === null ? null : `${location.origin}/collections/shared/${key}`;
  return (
    <header className={classes.header}>
      <h1>{name}</h1>
      {note !== '' && <p className={classes.note}>{note}</p>}
      <p className={classes.facts}>
        {[
          ...(release === null ? [] : [t('release', { release })]),
          t('changed', { date: dayText(changed, language) }),
          ...(isOwn ? [] : [t('readOnly')]),
        ].join(' · ')}
      </p>
      {isOwn && (
        <p className={`uc-row ${classes.actions}`}>
          <Button
            variant="default"
            aria-expanded={edited !== null}
            onClick={() => {
              setEdited(edited ? null : { name, note });
              save.reset();
            }}
          >
            {t('edit')}
          </Button>
          <Button
            variant="default"
            disabled={share.isPending}
            onClick={() => share.mutate({ id, is_shared: key === null })}
          >
            {t(key === null ? 'share' : 'unshare')}
          </Button>
          <RemoveButton
            name={name}
            isBusy={remove.isPending}
            onRemove={() => remove.mutate(id, { onSuccess: onRemoved })}
          />
          <InlineFailure error={save.error ?? share.error ?? remove.error} />
        </p>
      )}
      {isOwn && address !== null && (
        <TextInput
          className={classes.edit}
          label={t('link')}
          readOnly
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
      )}
      {edited && (
        <form className={classes.edit} onSubmit={submit}>
          <TextInput
            label={t('name')}
            maxLength={100}
            value={edited.name}
            onChange={(event) => setEdited({ ...edited, name: event.currentTarget.value })}
          />
          <Textarea
            label={t('note')}
            rows={3}
            maxLength={2000}
            value={edited.note}
            onChange={(event) => setEdited({ ...edited, note: event.currentTarget.value })}
          />
          <Button variant="default" type="submit" disabled={edited.name.trim() === '' || save.isPending}>
            {t('save')}
          </Button>
        </form>
      )}
    </header>
  );
}

export function Page() {
  const { t } = useTexts(collectionTexts);
  const { id = '', key } = useParams();
  const place: CollectionPlace =
    key === undefined ? { id: /^\d{1,9}$/.test(id) ? Number(id) : 1e9 } : { key };
  const collection = useCollection(place);
  const navigate = useNavigate();
  const isGone = isMissing(collection.error);
  return (
    <div className={`uc-page ${classes.page}`}>
      <p className={classes.back}>
        <Link to="/collections">{t('all')}</Link>
      </p>
      {isGone && (
        <div role="alert">
          <h1>{t('missingTitle')}</h1>
          <p>{t('missing')}</p>
        </div>
      )}
      {collection.isError && !isGone && (
        <ErrorPanel error={collection.error} onRetry={() => void collection.refetch()} />
      )}
      {collection.isPending && <Skeleton height={200} />}
      {collection.data && (
        <>
          <CollectionHead
            key={collection.data.id}
            collection={collection.data}
            onRemoved={() => void navigate('/collections')}
          />
          <Materials collection={collection.data} />
        </>
      )}
    </div>
  );
}

const rowsRequest = (ids: readonly number[]): RequestOf<typeof materialRows> => ({
  call: materialRows,
  body: { ids: [...ids] },
});

const materialsOf = (answer: CallAnswer<typeof materialRows>) => ({
  ...answer,
  materials: answer.rows.map((row) => foundMaterial(row as SearchRow, answer.completeness)),
});

function useRows(ids: readonly number[]) {
  return useQuery({
    ...apiQuery(rowsRequest(ids)),
    enabled: ids.length > 0,
    select: materialsOf,
  });
}

function Materials({ collection }: { readonly collection: CollectionDetail }) {
  const { t, language } = useTexts(collectionTexts);
  const { id, name, struct_ids: ids, is_own: isOwn } = collection;
  const rows = useRows(ids);
  const nameOf = useScaleName();
  const picked = usePicked();
  const change = useChangeCollection();
  const [takenOut, setTakenOut] = useState<readonly number[]>([]);
  const { t: completeness } = useTexts(completenessTexts);
  const columns = useMemo(() => materialColumns(language, completeness), [language, completeness]);
  const chosen = picked.materials.map(({ structId }) => structId);
  const takeOut = (): void =>
    change.mutate(
      { id, remove: chosen },
      {
        onSuccess: () => {
          picked.clear();
          setTakenOut(chosen);
        },
      },
    );
  const putBack = (): void => change.mutate({ id, add: [...takenOut] }, { onSuccess: () => setTakenOut([]) });
  const undo = takenOut.length > 0 && (
    <output className={`uc-row ${classes.actions}`}>
      {t('tookOut', { count: takenOut.length, n: formatCount(takenOut.length) })}
      <Button variant="default" disabled={change.isPending} onClick={putBack}>
        {t('undo')}
      </Button>
      <InlineFailure error={change.error} />
    </output>
  );
  if (ids.length === 0)
    return (
      <>
        {undo}
        <p className={classes.none}>
          {t('empty')} <Link to="/matdata?filter=">{t('search')}</Link>
        </p>
      </>
    );
  if (rows.isError) return <ErrorPanel error={rows.error} onRetry={() => void rows.refetch()} />;
  if (!rows.data) return <Skeleton height={200} />;
  const { materials, scale, completeness: list } = rows.data;
  const gone = ids.length - materials.length;
  return (
    <>
      {undo}
      {gone > 0 && <output>{t('gone', { count: gone, n: formatCount(gone) })}</output>}
      <ScaleOrigin scale={scale}>
        <DataTable
          label={t('csvLabel', { name })}
          rows={materials}
          columns={columns}
          rowKey={(material) => material.structId}
          rowHref={(material) => `/matdatades/${material.structId}`}
          selection={picked.selection}
          caption={
            <>
              <h2 className={classes.count}>
                {t('materials', { count: materials.length, n: formatCount(materials.length) })}{' '}
                <span className={classes.facts}>{nameOf(scale.functional)}</span>
              </h2>
              <ListCompletenessNote
                of="materials"
                completeness={list}
                incomplete={materials.filter(({ missing }) => missing !== null).length}
              />
            </>
          }
        />
      </ScaleOrigin>
      {chosen.length > 0 && (
        <p className={`uc-row ${classes.actions}`}>
          {chosen.length >= 2 && chosen.length <= MOST_COMPARED && (
            <Link to={compareAddress(chosen)}>{t('compare')}</Link>
          )}
          {isOwn && (
            <Button variant="default" disabled={change.isPending} onClick={takeOut}>
              {t('takeOut', { count: chosen.length, n: formatCount(chosen.length) })}
            </Button>
          )}
          <InlineFailure error={change.error} />
        </p>
      )}
      <div className={`uc-row ${classes.actions} ${classes.downloads}`}>
        <DownloadResult total={ids.length} of={{ ids }} scale={scale.functional} />
        <CopyAsCode sent={rowsRequest(ids)} />
      </div>
    </>
  );
}
