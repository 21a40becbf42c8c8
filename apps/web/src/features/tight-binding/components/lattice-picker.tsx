/** Lattice picker: search by name and alias, filters, thumbnails, and keyboard control from the search box. */
import { Checkbox, Modal, NativeSelect, Switch, TextInput, VisuallyHidden } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import { listNets, loadAllNets, type Net } from '@unitcell/tight-binding';
import {
  type ComponentProps,
  type KeyboardEvent,
  memo,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { notify } from '../../../lib/notify.ts';
import { tightBindingTexts } from '../texts.ts';
import classes from '../tight-binding.module.css';
import { bondsPath, cellsIn, grown, startView } from '../view/plane.ts';

// Search of the lattice picker: words in names, and properties of the lattice.

interface NetFilter {
  readonly text: string;
  readonly isFlat: boolean;
  readonly isDirac: boolean;
  /** Degree of at least one site; '' for any. */
  readonly degree: string;
  readonly planeGroup: string;
  /** Sites per cell, a key of {@link SITE_CLASSES}; '' for any. */
  readonly sites: string;
}

export const NO_FILTER: NetFilter = {
  text: '',
  isFlat: false,
  isDirac: false,
  degree: '',
  planeGroup: '',
  sites: '',
};

export const SITE_CLASSES: Readonly<Record<string, readonly [number, number]>> = {
  '1–3': [1, 3],
  '4–6': [4, 6],
  '7–12': [7, 12],
  '13–24': [13, 24],
  '25–60': [25, 60],
};

/** Without case and spaces, and with powers written out: `3.12^2` as `3.12.12`. */
const plain = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, '')
    .replaceAll(/(\d+)\^(\d)(?!\d)/g, (_, ring: string, times: string) =>
      Array<string>(Number(times)).fill(ring).join('.'),
    );

/** 0: a name equals the text, 1: one starts with it, 2: one contains it; undefined: no match. */
function rankOf(net: Net, text: string): number | undefined {
  const names = [net.id, ...net.names].map(plain);
  if (text === '' || names.includes(text)) return 0;
  if (names.some((name) => name.startsWith(text))) return 1;
  return names.some((name) => name.includes(text)) ? 2 : undefined;
}

function isWanted(net: Net, { isFlat, isDirac, degree, planeGroup, sites }: NetFilter): boolean {
  const [least, most] = SITE_CLASSES[sites] ?? [1, Number.POSITIVE_INFINITY];
  const count = net.positions.length;
  return (
    (!isFlat || net.flatBands.length > 0) &&
    (!isDirac || net.diracPoints.length > 0) &&
    (degree === '' || net.orbits.some((orbit) => String(orbit.degree) === degree)) &&
    (planeGroup === '' || net.planeGroup === planeGroup) &&
    count >= least &&
    count <= most
  );
}

/** The matching nets, best matches first, otherwise in the given order. */
export function filterNets(nets: readonly Net[], filter: NetFilter): readonly Net[] {
  const text = plain(filter.text);
  return nets
    .flatMap((net) => {
      const rank = isWanted(net, filter) ? rankOf(net, text) : undefined;
      return rank === undefined ? [] : [{ net, rank }];
    })
    .sort((a, b) => a.rank - b.rank)
    .map(({ net }) => net);
}

export const degreesOf = (nets: readonly Net[]): string[] =>
  [...new Set(nets.flatMap(({ orbits }) => orbits.map(({ degree }) => degree)))]
    .sort((a, b) => a - b)
    .map(String);

export const planeGroupsOf = (nets: readonly Net[]): string[] =>
  [...new Set(nets.map(({ planeGroup }) => planeGroup))].sort();

interface PickerFiltersProps {
  readonly nets: readonly Net[];
  readonly filter: NetFilter;
  readonly onChange: (filter: NetFilter) => void;
  readonly isAll: boolean;
  readonly onAll: (isAll: boolean) => void;
  readonly isLoading: boolean;
  readonly searchProps: Partial<ComponentProps<'input'>>;
}

function PickerFilters(props: PickerFiltersProps) {
  const { nets, filter, onChange, isAll, onAll, isLoading, searchProps } = props;
  const { t } = useTexts(tightBindingTexts);
  const degrees = useMemo(() => degreesOf(nets), [nets]);
  const groups = useMemo(() => planeGroupsOf(nets), [nets]);
  const select = (field: 'degree' | 'planeGroup' | 'sites', values: readonly string[]) => (
    <NativeSelect
      size="xs"
      label={t(field)}
      value={filter[field]}
      onChange={({ currentTarget }) => onChange({ ...filter, [field]: currentTarget.value })}
      data={[{ value: '', label: t('any') }, ...values]}
    />
  );
  const isFiltered = Object.entries(NO_FILTER).some(
    ([field, none]) => filter[field as keyof NetFilter] !== none,
  );
  return (
    <div className="uc-stack">
      <TextInput
        data-autofocus
        aria-label={t('search')}
        placeholder={t('searchHint')}
        value={filter.text}
        maxLength={60}
        onChange={({ currentTarget }) => onChange({ ...filter, text: currentTarget.value })}
        autoComplete="off"
        {...(searchProps as object)}
      />
      <div className={`uc-wrap ${classes.choices}`}>
        {select('degree', degrees)}
        {select('planeGroup', groups)}
        {select('sites', Object.keys(SITE_CLASSES))}
        <Checkbox
          size="sm"
          label={t('flat')}
          checked={filter.isFlat}
          onChange={({ currentTarget }) => onChange({ ...filter, isFlat: currentTarget.checked })}
        />
        <Checkbox
          size="sm"
          label={t('dirac')}
          checked={filter.isDirac}
          onChange={({ currentTarget }) => onChange({ ...filter, isDirac: currentTarget.checked })}
        />
        <Switch
          size="sm"
          label={isLoading ? t('loadingNet') : t('allNets')}
          checked={isAll}
          onChange={({ currentTarget }) => onAll(currentTarget.checked)}
        />
        {isFiltered && (
          <button type="button" className={classes.clear} onClick={() => onChange(NO_FILTER)}>
            {t('clearFilters')}
          </button>
        )}
      </div>
    </div>
  );
}

/** Approximate number of sites that make the pattern of a net recognisable in a thumbnail. */
const SITES_SHOWN = 26;

const NetThumbnail = memo(({ net, size = 72 }: { readonly net: Net; readonly size?: number }) => {
  const view = startView(net, 1, Math.max(1.4, SITES_SHOWN / net.positions.length));
  return (
    <svg
      className={classes.thumbnail}
      width={size}
      height={size}
      viewBox={`${view.x} ${-view.y - view.height} ${view.width} ${view.height}`}
      aria-hidden="true"
    >
      <path
        d={bondsPath(net, net.edges, cellsIn(net.latticeVectors, grown(view, 1.5)))}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
});
NetThumbnail.displayName = 'NetThumbnail';

interface LatticePickerProps {
  readonly net: Net;
  readonly onPick: (net: Net) => void;
}

/** Number of thumbnails rendered at first; more on demand. */
const PAGE = 96;

export function LatticePicker({ net, onPick }: LatticePickerProps) {
  const { t } = useTexts(tightBindingTexts);
  const [isOpen, setOpen] = useState(false);
  const isCompact = useIsCompact();
  return (
    <>
      <button type="button" className={classes.current} onClick={() => setOpen(true)} aria-haspopup="dialog">
        <VisuallyHidden>{t('chooseLattice')}: </VisuallyHidden>
        <NetThumbnail net={net} size={56} />
        <span className={classes.names}>
          <span className={classes.id}>{net.id}</span>
          <span className={`uc-fine ${classes.facts}`}>
            {t('netFacts', { group: net.planeGroup, count: net.positions.length })}
          </span>
          {net.names.length > 0 && (
            <span className={`uc-fine ${classes.facts}`}>
              {t('alsoCalled', { names: net.names.slice(0, 4).join(', ') })}
            </span>
          )}
        </span>
        <IconChevronDown size={18} aria-hidden="true" />
      </button>
      <Modal
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={t('chooseLattice')}
        size="58rem"
        fullScreen={isCompact}
        closeButtonProps={{ 'aria-label': t('close') }}
      >
        <PickerPanel
          current={net}
          onPick={(picked) => {
            setOpen(false);
            onPick(picked);
          }}
        />
      </Modal>
    </>
  );
}

function useNets(isAll: boolean, onFailure: () => void): { nets: readonly Net[]; isLoading: boolean } {
  const [all, setAll] = useState<readonly Net[] | null>(null);
  const fail = useRef(onFailure);
  useEffect(() => {
    if (!isAll) return;
    const load = async (): Promise<void> => {
      try {
        setAll(await loadAllNets());
      } catch {
        fail.current();
      }
    };
    void load();
  }, [isAll]);
  return { nets: isAll && all ? all : listNets(), isLoading: isAll && !all };
}

function PickerPanel({ current, onPick }: { readonly current: Net; readonly onPick: (net: Net) => void }) {
  const { t } = useTexts(tightBindingTexts);
  const [filter, setFilter] = useState(NO_FILTER);
  const [isAll, setAll] = useState(false);
  // The list opens at the current lattice, so that Enter keeps it.
  const [start] = useState(() => Math.max(0, listNets().indexOf(current)));
  const [limit, setLimit] = useState(Math.max(PAGE, start + PAGE / 2));
  const [active, setActive] = useState(start);
  const { nets, isLoading } = useNets(isAll, () => {
    setAll(false);
    notify('error', t('failedAll'));
  });
  const wanted = useDeferredValue(filter);
  const found = useMemo(() => filterNets(nets, wanted), [nets, wanted]);
  const shown = found.slice(0, limit);
  const list = useRef<HTMLDivElement>(null);
  const id = useId();
  useEffect(() => {
    list.current?.children[start]?.scrollIntoView({ block: 'center' });
  }, [start]);

  const change = (next: typeof filter): void => {
    setFilter(next);
    setActive(0);
    setLimit(PAGE);
  };
  const moveTo = (index: number): void => {
    const bounded = Math.min(shown.length - 1, Math.max(0, index));
    setActive(bounded);
    list.current?.children[bounded]?.scrollIntoView({ block: 'nearest' });
  };
  const onKey = (event: KeyboardEvent): void => {
    const first = list.current?.children[0];
    const columns =
      first && list.current ? Math.max(1, Math.floor(list.current.clientWidth / first.clientWidth)) : 1;
    const stride = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns }[event.key];
    // The list may still show results for the previous text; Enter must use the current one.
    const picked = (wanted === filter ? shown : filterNets(nets, filter))[active];
    // Left and right move the caret while there is text.
    const isTyping = filter.text !== '' && (event.key === 'ArrowLeft' || event.key === 'ArrowRight');
    if (stride !== undefined && !isTyping) {
      event.preventDefault();
      moveTo(active + stride);
    } else if (event.key === 'Enter' && picked) {
      event.preventDefault();
      onPick(picked);
    }
  };
  return (
    <div className={`uc-stack ${classes.panel}`}>
      <PickerFilters
        nets={nets}
        filter={filter}
        onChange={change}
        isAll={isAll}
        onAll={setAll}
        isLoading={isLoading}
        searchProps={{
          role: 'combobox',
          'aria-expanded': true,
          'aria-controls': id,
          'aria-activedescendant': shown[active] ? `${id}-${shown[active].id}` : undefined,
          onKeyDown: onKey,
        }}
      />
      <p className="uc-hint" aria-live="polite">
        {found.length === 0 ? t('nothingFound') : t('found', { count: found.length })}
      </p>
      {/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus */}
      <div ref={list} id={id} role="listbox" aria-label={t('chooseLattice')} className={classes.list}>
        {shown.map((net, index) => (
          <div
            key={net.id}
            id={`${id}-${net.id}`}
            role="option"
            aria-selected={net.id === current.id}
            aria-label={t('netLabel', {
              id: net.id,
              group: net.planeGroup,
              sites: net.positions.length,
              count: net.positions.length,
            })}
            data-active={index === active || undefined}
            className={classes.option}
            onClick={() => onPick(net)}
          >
            <NetThumbnail net={net} size={72} />
            <span className={classes.optionId}>{net.id}</span>
            <span className={classes.optionNote}>{net.names[0] ?? net.planeGroup}</span>
          </div>
        ))}
      </div>
      {/* oxlint-enable */}
      {found.length > shown.length && (
        <button type="button" className={classes.more} onClick={() => setLimit(limit + 2 * PAGE)}>
          {t('showMore')} ({found.length - shown.length})
        </button>
      )}
    </div>
  );
}
