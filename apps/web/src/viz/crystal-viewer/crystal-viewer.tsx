/** An interactive drawing of a crystal. It depends only on its props and fetches nothing. */
import { compositionOf, reducedFormula, type Structure } from '@unitcell/crystal';
import { type DragEvent, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useComputedColorScheme } from '@mantine/core';
import { formulaText } from '../../components/formula.tsx';
import { Notice } from '../../components/notice.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useDownload } from '../../components/file-origin.tsx';
import { downloadText } from '../../lib/download.ts';
import { colorKeys, type ColorScheme, schemesOf } from './colors.ts';
import { writeGltf } from './gltf.ts';
import { buildScene, MOST_ATOMS, type Repeats, repeatsFor, type Scene } from './scene.ts';
import { SiteCard, SiteTable } from './site-card.tsx';
import type { StageController } from './stage-controller.ts';
import { CrystalStage } from './stage.tsx';
import { viewerTexts } from './texts.ts';
import { isNearlySameCell, type Projection } from './view.ts';
import { type CellKind, type Toggle, ViewerOptions, ViewerToolbar } from './viewer-options.tsx';
import { type DrawOptions, visibleOf } from './visible.ts';
import classes from './crystal-viewer.module.css';

/** The page's colours in the form that the canvas needs, for the current colour scheme. */
function useStageColors(frame: RefObject<HTMLElement | null>) {
  const scheme = useComputedColorScheme();
  const [colors, setColors] = useState({ ink: '#191d22', ground: '#fffefb', accent: '#174b73' });
  useEffect(() => {
    const read = (): void => {
      if (!frame.current) return;
      const style = getComputedStyle(frame.current);
      const token = (name: string): string => style.getPropertyValue(`--uc-${name}`).trim();
      const [ink, ground, accent] = [token('ink'), token('surface'), token('prussian')];
      if (ink !== '')
        setColors((now) =>
          now.ink === ink && now.ground === ground && now.accent === accent ? now : { ink, ground, accent },
        );
    };
    // Wait a frame, because the document changes its colour scheme after its components have rendered.
    const soon = requestAnimationFrame(read);
    return () => cancelAnimationFrame(soon);
    // A new colour scheme changes the values.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies
  }, [frame, scheme]);
  return colors;
}

// Shows a part of the page on the whole screen.

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

export interface ViewedCell {
  readonly kind: Exclude<CellKind, 'file'>;
  readonly structure: Structure;
  /** Wyckoff positions of its sites, in their order: `4a`. */
  readonly wyckoffs?: readonly string[];
}

interface CrystalViewerProps {
  readonly structure: Structure;
  /** Names the drawing and its picture file. */
  readonly formula: string;
  /** Kind of the cell that is shown. */
  readonly kind?: ViewedCell['kind'];
  /** Wyckoff positions of the sites: `4a`. */
  readonly wyckoffs?: readonly string[];
  /** Other cells of the same crystal, from which the visitor can choose. */
  readonly otherCells?: readonly ViewedCell[];
}

const NOTHING: ReadonlySet<string> = new Set();
const NONE: readonly number[] = [];
const MAX_CHOSEN = 3;

/** Selected atoms, by their indices in a scene. */
interface Choice {
  readonly scene: Scene;
  readonly atoms: readonly number[];
}

/** True if the atoms moved while the crystal stayed the same, as in a relaxation. */
const isSameMoved = (before: Structure, after: Structure): boolean =>
  before.sites.length === after.sites.length && isNearlySameCell(before.latticeVectors, after.latticeVectors);

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
    () => (asked && isSameMoved(asked.of, structure) ? asked.repeats : repeatsFor(structure)),
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

  // A selection made in another scene is ignored.
  const chosen = choice?.scene === scene ? choice.atoms : NONE;
  const schemes = useMemo(() => schemesOf(scene, letters !== undefined), [scene, letters]);
  const shownScheme = schemes.includes(scheme) ? scheme : 'element';
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
        const isNew = before.includes(atom) || before.length === MAX_CHOSEN;
        return { scene, atoms: isNew ? [atom] : [...before, atom] };
      }),
    [isMeasuring, scene],
  );
  const open = async (file: File): Promise<void> => {
    const read = await import('./own-file.ts')
      .then(({ readOwnFile }) => readOwnFile(file, t))
      // The reader could not be loaded, for example without a connection.
      .catch(() => ({ problem: t('notRead') }));
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
  const count = scene.atoms.filter(({ completes }) => !completes).length;

  return (
    <div ref={frame} className={`uc-panel ${classes.frame}`} data-open={isOpen || undefined}>
      <ViewerToolbar
        options={options}
        hasBodies={scene.polyhedra.length > 0}
        onToggle={(key) => setToggled({ ...toggled, [key]: !options[key] })}
        controller={controller}
        isOpen={isOpen}
        onOpen={() => setOpen(!isOpen)}
        isMeasuring={isMeasuring}
        onMeasure={() => {
          setMeasuring(!isMeasuring);
          setChoice(null);
        }}
        isFullScreen={isFullScreen}
        onFullScreen={() => void toggleFullScreen(frame.current)}
      />
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
          schemes={schemes}
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
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
      {kind === 'file' && own && (
        <output className={classes.own}>
          {t('ownFileShown', { name: own.name, formula: formulaText(shownFormula) })}{' '}
          <button
            type="button"
            className={`uc-link-button ${classes.link}`}
            onClick={() => setKind(firstKind)}
          >
            {t('back', { formula: formulaText(formula) })}
          </button>
        </output>
      )}
      {/* Keyboard users have the button among the options; dropping is for the mouse. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className={classes.drop} onDragOver={(event) => event.preventDefault()} onDrop={drop}>
        <CrystalStage
          frame={frame}
          shown={shown}
          onPick={pick}
          onController={setController}
          label={t('description', {
            count: structure.sites.length,
            formula: shownFormula,
            atoms: structure.sites.length,
            coordination: scene.coordination.join(', ') || t('none'),
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
      <div className={`uc-row ${classes.legend}`}>
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
        <span className={`uc-fine ${classes.hint}`}>
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
