/** An interactive drawing of a crystal: props in, nothing fetched. */
import { useComputedColorScheme } from '@mantine/core';
import { compositionOf, reducedFormula, type Structure } from '@unitcell/crystal';
import { type DragEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { formulaText } from '../../components/formula.tsx';
import { Notice } from '../../components/notice.tsx';
import { type ToolbarButton, ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useDownload } from '../../components/file-origin.tsx';
import { downloadText } from '../../lib/download.ts';
import { type ColorScheme, colorKeys } from './colors.ts';
import classes from './crystal-viewer.module.css';
import { type DrawOptions, visibleOf } from './drawing.ts';
import { writeGltf } from './gltf.ts';
import { readOwnFile } from './own-file.ts';
import { MOST_ATOMS, type Repeats, repeatsFor } from './repeats.ts';
import { buildScene, describeCoordination, type Scene } from './scene.ts';
import { SiteCard } from './site-card.tsx';
import { SiteTable } from './site-table.tsx';
import type { StageController } from './stage-controller.ts';
import { CrystalStage } from './stage.tsx';
import { viewerTexts } from './texts.ts';
import type { Projection } from './view.ts';
import { type CellKind, ViewerOptions } from './viewer-options.tsx';

export interface ViewedCell {
  readonly kind: Exclude<CellKind, 'file'>;
  readonly structure: Structure;
  /** Of its sites, in their order. */
  readonly wyckoffs?: readonly string[];
}

interface CrystalViewerProps {
  readonly structure: Structure;
  /** Names the drawing and its picture file. */
  readonly formula: string;
  /** Which cell of the crystal the structure is. */
  readonly kind?: ViewedCell['kind'];
  /** Wyckoff letters of the sites. */
  readonly wyckoffs?: readonly string[];
  /** The same crystal in other cells, to choose from. */
  readonly otherCells?: readonly ViewedCell[];
}

type Toggle = 'hasLabels' | 'hasCell' | 'hasBonds' | 'hasPolyhedra';
const NOTHING: ReadonlySet<string> = new Set();
const NONE: readonly number[] = [];
const MOST_CHOSEN = 3;

/** Atoms picked, by their places in a scene. */
interface Choice {
  readonly scene: Scene;
  readonly atoms: readonly number[];
}

const toggledIn = (keys: ReadonlySet<string>, key: string): ReadonlySet<string> =>
  new Set(keys.has(key) ? [...keys].filter((each) => each !== key) : [...keys, key]);

interface Own {
  readonly name: string;
  readonly structure: Structure;
}

export function CrystalViewer(props: CrystalViewerProps) {
  const { structure: first, formula, kind: firstKind = 'given', wyckoffs, otherCells = [] } = props;
  const { t } = useTexts(viewerTexts);
  const download = useDownload();
  const frame = useRef<HTMLDivElement>(null);
  const [kind, setKind] = useState<CellKind>(firstKind);
  const [own, setOwn] = useState<Own | null>(null);
  const [problem, setProblem] = useState('');
  const other = otherCells.find((cell) => cell.kind === kind);
  const structure = (kind === 'file' ? own?.structure : other?.structure) ?? first;
  const letters =
    structure === first ? wyckoffs : structure === other?.structure ? other.wyckoffs : undefined;
  const [asked, setAsked] = useState<{ readonly of: Structure; readonly repeats: Repeats } | null>(null);
  const repeats = useMemo(
    () => (asked?.of === structure ? asked.repeats : repeatsFor(structure)),
    [asked, structure],
  );
  const scene = useMemo(() => buildScene(structure, repeats), [structure, repeats]);
  const [toggled, setToggled] = useState<Partial<Record<Toggle, boolean>>>({});
  const [scheme, setScheme] = useState<ColorScheme>('element');
  const [hidden, setHidden] = useState(NOTHING);
  const [projection, setProjection] = useState<Projection>('orthographic');
  const [isOpen, setOpen] = useState(false);
  const [isMeasuring, setMeasuring] = useState(false);
  const [choice, setChoice] = useState<Choice | null>(null);
  const [controller, setController] = useState<StageController | null>(null);
  const isFullScreen = useFullScreen(frame);

  // What was chosen in another cell is not in this one.
  const chosen = choice?.scene === scene ? choice.atoms : NONE;
  const shownScheme = scheme === 'wyckoff' && !letters ? 'element' : scheme;
  const { hasPolyhedra, hasBonds } = scene.suggests;
  const options = useMemo<DrawOptions>(
    () => ({
      hasLabels: false,
      hasCell: true,
      hasBonds,
      hasPolyhedra,
      ...toggled,
      scheme: shownScheme,
      hidden,
    }),
    [hasBonds, hasPolyhedra, toggled, shownScheme, hidden],
  );
  const keys = useMemo(() => colorKeys(scene, shownScheme, letters), [scene, shownScheme, letters]);
  const visible = useMemo(() => visibleOf(scene, options, keys, letters), [scene, options, keys, letters]);
  const colors = useStageColors(frame);
  const shown = useMemo(
    () => ({ scene, visible, projection, writing: { hasLabels: options.hasLabels, chosen, colors } }),
    [scene, visible, projection, options.hasLabels, chosen, colors],
  );

  const pick = useCallback(
    (atom: number | undefined): void =>
      setChoice((now) => {
        if (atom === undefined) return null;
        const before = isMeasuring && now?.scene === scene ? now.atoms : [];
        const isNew = before.includes(atom) || before.length === MOST_CHOSEN;
        return { scene, atoms: isNew ? [atom] : [...before, atom] };
      }),
    [isMeasuring, scene],
  );
  const open = async (file: File): Promise<void> => {
    const read = await readOwnFile(file, t);
    setProblem('problem' in read ? read.problem : '');
    if ('problem' in read) return;
    setOwn(read);
    setKind('file');
    setHidden(NOTHING);
  };
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    const [file] = event.dataTransfer.files;
    if (file) void open(file);
  };
  const shownFormula = kind === 'file' && own ? reducedFormula(compositionOf(own.structure)) : formula;
  const coordination = useMemo(() => describeCoordination(structure), [structure]);

  const toggle = (key: Toggle, label: string): ToolbarButton => ({
    id: key,
    label,
    isOn: options[key],
    onClick: () => setToggled({ ...toggled, [key]: !options[key] }),
  });
  const along = (axis: 'a' | 'b' | 'c', at: number): ToolbarButton => ({
    id: axis,
    label: axis,
    title: t('along', { axis }),
    onClick: () => controller?.lookAlong([at === 0 ? 1 : 0, at === 1 ? 1 : 0, at === 2 ? 1 : 0]),
  });
  const count = scene.atoms.filter(({ completes }) => !completes).length;

  return (
    <div ref={frame} className={classes.frame} data-open={isOpen || undefined}>
      <div className={classes.tools}>
        <div className={classes.foldable}>
          <ToolbarButtons
            label={t('tools')}
            buttons={[
              toggle('hasLabels', t('labels')),
              toggle('hasCell', t('cell')),
              toggle('hasBonds', t('bonds')),
              // Always in its place; atoms of one element have no polyhedra about them.
              { ...toggle('hasPolyhedra', t('polyhedra')), isDisabled: scene.polyhedra.length === 0 },
            ]}
          />
        </div>
        <ToolbarButtons
          label={t('views')}
          buttons={[
            ...(['a', 'b', 'c'] as const).map(along),
            { id: 'reset', label: t('reset'), onClick: () => controller?.reset() },
            { id: 'more', label: t('more'), isOn: isOpen, onClick: () => setOpen(!isOpen) },
          ]}
        />
        <div className={classes.foldable}>
          <ToolbarButtons
            label={t('handling')}
            buttons={[
              {
                id: 'measure',
                label: t('measure'),
                isOn: isMeasuring,
                onClick: () => {
                  setMeasuring(!isMeasuring);
                  setChoice(null);
                },
              },
              {
                id: 'full-screen',
                label: isFullScreen ? t('leaveFullScreen') : t('fullScreen'),
                onClick: () => void toggleFullScreen(frame.current),
              },
            ]}
          />
        </div>
      </div>
      {isOpen && (
        <ViewerOptions
          cells={[firstKind, ...otherCells.map((cell) => cell.kind), ...(own ? (['file'] as const) : [])]}
          cell={kind}
          onCell={setKind}
          repeats={repeats}
          onRepeats={(wanted) => {
            const n = structure.sites.length * wanted[0] * wanted[1] * wanted[2];
            setProblem(n > MOST_ATOMS ? t('tooManyAtoms', { n, limit: MOST_ATOMS }) : '');
            if (n <= MOST_ATOMS) setAsked({ of: structure, repeats: wanted });
          }}
          scheme={shownScheme}
          hasWyckoffs={letters !== undefined}
          onScheme={(wanted) => {
            setScheme(wanted);
            setHidden(NOTHING);
          }}
          projection={projection}
          onProjection={setProjection}
          onLook={(uvw) => controller?.lookAlong(uvw)}
          onPicture={(scale, isTransparent) =>
            void controller
              ?.picture(scale, isTransparent)
              .then((blob) => download.png(`${shownFormula}.png`, blob))
          }
          onGltf={() =>
            downloadText(`${shownFormula}.gltf`, writeGltf(visible, shownFormula), 'model/gltf+json')
          }
          onFile={(file) => void open(file)}
        />
      )}
      {problem !== '' && (
        <div role="alert">
          <Notice kind="problem">{problem}</Notice>
        </div>
      )}
      {kind === 'file' && own && (
        <output className={classes.own}>
          {t('ownFileShown', { name: own.name, formula: formulaText(shownFormula) })}{' '}
          <button type="button" className={classes.link} onClick={() => setKind(firstKind)}>
            {t('back', { formula: formulaText(formula) })}
          </button>
        </output>
      )}
      {/* The button among the options is the keyboard's way; dropping is the mouse's. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={classes.drop} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <CrystalStage
          shown={shown}
          onPick={pick}
          onController={setController}
          label={t('description', {
            formula: shownFormula,
            atoms: structure.sites.length,
            coordination: coordination.join(', ') || t('none'),
          })}
        >
          <SiteCard
            scene={scene}
            chosen={chosen}
            isMeasuring={isMeasuring}
            wyckoffs={letters}
            onClose={() => setChoice(null)}
          />
        </CrystalStage>
      </div>
      <div className={classes.legend}>
        {keys.map(({ name, color }) => (
          <button
            key={name}
            type="button"
            className={classes.key}
            aria-pressed={!hidden.has(name)}
            aria-label={t('toggleKey', { key: name })}
            onClick={() => setHidden((now) => toggledIn(now, name))}
          >
            <i className={classes.ball} style={{ background: color }} />
            {name}
          </button>
        ))}
        <span className={classes.hint}>
          {count > 0 &&
            Math.max(...repeats) > 1 &&
            t('cells', { a: repeats[0], b: repeats[1], c: repeats[2] })}
          <span className={classes.keys}>{t('keys')}</span>
        </span>
      </div>
      <SiteTable structure={structure} scene={scene} wyckoffs={letters} />
    </div>
  );
}

/** The page's colours as the canvas wants them, those of the scheme in force. */
function useStageColors(frame: RefObject<HTMLElement | null>) {
  const scheme = useComputedColorScheme();
  const [colors, setColors] = useState({ ink: '#191d22', ground: '#fffefb', accent: '#174b73' });
  useEffect(() => {
    const read = (): void => {
      if (!frame.current) return;
      const style = getComputedStyle(frame.current);
      const token = (name: string): string => style.getPropertyValue(`--uc-${name}`).trim();
      if (token('ink') !== '')
        setColors({ ink: token('ink'), ground: token('surface'), accent: token('prussian') });
    };
    // The document takes its scheme after its parts.
    const soon = requestAnimationFrame(read);
    return () => cancelAnimationFrame(soon);
    // Another colour scheme gives other values.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [frame, scheme]);
  return colors;
}

async function toggleFullScreen(frame: HTMLElement | null): Promise<void> {
  if (document.fullscreenElement) await document.exitFullscreen();
  else await frame?.requestFullscreen?.();
}

function useFullScreen(frame: RefObject<HTMLElement | null>): boolean {
  const [isFull, setFull] = useState(false);
  useEffect(() => {
    const update = (): void => setFull(document.fullscreenElement === frame.current);
    document.addEventListener('fullscreenchange', update);
    return () => document.removeEventListener('fullscreenchange', update);
  }, [frame]);
  return isFull;
}
