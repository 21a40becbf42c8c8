/** The options of the viewer that are collapsed by default. */
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import type { Vec3 } from '@unitcell/numerics';
import { useTexts } from '../../i18n/texts.ts';
import type { ColorScheme } from './colors.ts';
import { InlineFailure } from '../../components/failure.tsx';
import classes from './crystal-viewer.module.css';
import type { Repeats } from './scene.ts';
import { viewerTexts } from './texts.ts';
import type { Projection } from './view.ts';
import { type ToolbarButton, ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import type { StageController } from './stage-controller.ts';
import type { DrawOptions } from './visible.ts';

export type CellKind = 'conventional' | 'primitive' | 'given' | 'file';

interface ViewerOptionsProps {
  readonly cells: readonly CellKind[];
  readonly cell: CellKind;
  readonly onCell: (cell: CellKind) => void;
  readonly repeats: Repeats;
  readonly onRepeats: (repeats: Repeats) => void;
  readonly scheme: ColorScheme;
  readonly schemes: readonly ColorScheme[];
  readonly onScheme: (scheme: ColorScheme) => void;
  readonly projection: Projection;
  readonly onProjection: (projection: Projection) => void;
  readonly onLook: (uvw: Vec3) => void;
  readonly onPicture: (scale: number, isTransparent: boolean) => void;
  readonly onGltf: () => void;
  readonly onFile: (file: File) => void;
}

const MAX_CELLS = 12;
const SCALES = [1, 2, 4] as const;

function Row({ name, children }: { readonly name: string; readonly children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className={`uc-row ${classes.option}`}>
      <label htmlFor={id} className={classes.optionName}>
        {name}
      </label>
      <span className={`uc-row ${classes.optionValue}`}>{children(id)}</span>
    </div>
  );
}

interface ChoiceProps<Value extends string> {
  readonly name: string;
  readonly value: Value;
  readonly values: readonly Value[];
  readonly onChange: (value: Value) => void;
}

function Choice<Value extends CellKind | ColorScheme | Projection>({
  name,
  value,
  values,
  onChange,
}: ChoiceProps<Value>) {
  const { t } = useTexts(viewerTexts);
  const textOf = (key: CellKind | ColorScheme | Projection): string => t(key);
  return (
    <Row name={name}>
      {(id) => (
        <select
          id={id}
          className={classes.field}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value as Value)}
        >
          {values.map((each) => (
            <option key={each} value={each}>
              {textOf(each)}
            </option>
          ))}
        </select>
      )}
    </Row>
  );
}

/** `[1 -1 0]`, `1,1,0` or `110`: a lattice direction; undefined if the text is invalid. */
export function parseDirection(text: string): Vec3 | undefined {
  const found = /^[-−]?\d[-−]?\d[-−]?\d$/.test(text.trim())
    ? text.match(/[-−]?\d/g)
    : text.match(/[-−]?\d{1,3}/g);
  const numbers = (found ?? []).map((part) => Number(part.replace('−', '-')));
  const [u, v, w] = numbers;
  if (numbers.length !== 3 || u === undefined || v === undefined || w === undefined) return undefined;
  return u === 0 && v === 0 && w === 0 ? undefined : [u, v, w];
}

function Direction({ onLook }: Pick<ViewerOptionsProps, 'onLook'>) {
  const { t } = useTexts(viewerTexts);
  const [text, setText] = useState('1 1 0');
  const [isWrong, setWrong] = useState(false);
  const look = (event: FormEvent): void => {
    event.preventDefault();
    const uvw = parseDirection(text);
    setWrong(!uvw);
    if (uvw) onLook(uvw);
  };
  return (
    <form onSubmit={look}>
      <Row name={t('direction')}>
        {(id) => (
          <>
            <input
              id={id}
              className={`${classes.field} ${classes.short}`}
              value={text}
              aria-invalid={isWrong || undefined}
              onChange={(event) => setText(event.currentTarget.value)}
            />
            <button type="submit" className={classes.small}>
              {t('look')}
            </button>
          </>
        )}
      </Row>
      <InlineFailure error={isWrong ? t('badDirection') : ''} />
    </form>
  );
}

function Cells({ repeats, onRepeats }: Pick<ViewerOptionsProps, 'repeats' | 'onRepeats'>) {
  const { t } = useTexts(viewerTexts);
  // Text of the box in which somebody is typing. It may be empty while its number is replaced.
  const [typed, setTyped] = useState<{ readonly at: number; readonly text: string } | null>(null);
  return (
    <fieldset className={`uc-row ${classes.option}`}>
      <legend className={classes.optionName}>{t('supercell')}</legend>
      <span className={`uc-row ${classes.optionValue}`}>
        {(['a', 'b', 'c'] as const).map((axis, at) => (
          <input
            key={axis}
            className={`${classes.field} ${classes.digit}`}
            type="number"
            min={1}
            max={MAX_CELLS}
            aria-label={t('cellsAlong', { axis })}
            value={typed?.at === at ? typed.text : repeats[at]}
            onBlur={() => setTyped(null)}
            onChange={({ currentTarget: { value, valueAsNumber } }) => {
              setTyped({ at, text: value });
              const n = Math.round(valueAsNumber);
              if (!(n >= 1 && n <= MAX_CELLS)) return;
              const [a, b, c] = repeats.map((old, place) => (place === at ? n : old));
              onRepeats([a ?? 1, b ?? 1, c ?? 1]);
            }}
          />
        ))}
      </span>
    </fieldset>
  );
}

export function ViewerOptions(props: ViewerOptionsProps) {
  const { t } = useTexts(viewerTexts);
  const [scale, setScale] = useState<number>(2);
  const [isTransparent, setTransparent] = useState(false);
  const fileId = useId();
  return (
    <div className={`uc-wrap ${classes.options}`}>
      {props.cells.length > 1 && (
        <Choice name={t('cellChoice')} value={props.cell} values={props.cells} onChange={props.onCell} />
      )}
      <Cells repeats={props.repeats} onRepeats={props.onRepeats} />
      <Direction onLook={props.onLook} />
      <Choice name={t('colorBy')} value={props.scheme} values={props.schemes} onChange={props.onScheme} />
      <Choice
        name={t('projection')}
        value={props.projection}
        values={['orthographic', 'perspective']}
        onChange={props.onProjection}
      />
      <Row name={t('picture')}>
        {(id) => (
          <>
            <select
              id={id}
              className={classes.field}
              aria-label={t('scale')}
              value={scale}
              onChange={(event) => setScale(Number(event.currentTarget.value))}
            >
              {SCALES.map((each) => (
                <option key={each} value={each}>
                  {each}×
                </option>
              ))}
            </select>
            <label className={classes.check}>
              <input
                type="checkbox"
                checked={isTransparent}
                onChange={(event) => setTransparent(event.currentTarget.checked)}
              />
              {t('transparent')}
            </label>
            <button
              type="button"
              className={classes.small}
              onClick={() => props.onPicture(scale, isTransparent)}
            >
              {t('png')}
            </button>
            <button type="button" className={classes.small} onClick={props.onGltf}>
              {t('gltf')}
            </button>
          </>
        )}
      </Row>
      <div className={`uc-row ${classes.option}`}>
        <input
          id={fileId}
          className="uc-visually-hidden"
          type="file"
          accept=".cif,.mcif,.vasp,.poscar,.json,.txt,*"
          onChange={(event) => {
            const [file] = event.currentTarget.files ?? [];
            if (file) props.onFile(file);
            // Resets the input, so that the same file can be chosen again after it was corrected.
            event.currentTarget.value = '';
          }}
        />
        <label htmlFor={fileId} className={classes.small}>
          {t('ownFile')}
        </label>
        <span className="uc-fine">{t('ownFileHint')}</span>
      </div>
    </div>
  );
}

export type Toggle = 'hasLabels' | 'hasCell' | 'hasBonds' | 'hasPolyhedra';

interface ViewerToolbarProps {
  readonly options: Pick<DrawOptions, Toggle>;
  /** True if the crystal has polyhedra; atoms of a pure element have none. */
  readonly hasBodies: boolean;
  readonly onToggle: (key: Toggle) => void;
  readonly controller: StageController | null;
  readonly isOpen: boolean;
  readonly onOpen: () => void;
  readonly isMeasuring: boolean;
  readonly onMeasure: () => void;
  readonly isFullScreen: boolean;
  readonly onFullScreen: () => void;
}

const TOGGLES = [
  ['hasLabels', 'labels'],
  ['hasCell', 'cell'],
  ['hasBonds', 'bonds'],
  ['hasPolyhedra', 'polyhedra'],
] as const;
const AXES = [
  ['a', [1, 0, 0]],
  ['b', [0, 1, 0]],
  ['c', [0, 0, 1]],
] as const;

/** The buttons above the stage: contents, view and controls. */
export function ViewerToolbar(props: ViewerToolbarProps) {
  const { options, hasBodies, controller, isOpen, isMeasuring, isFullScreen } = props;
  const { t } = useTexts(viewerTexts);
  const toggles = TOGGLES.map(
    ([key, label]): ToolbarButton => ({
      id: key,
      label: t(label),
      isOn: options[key],
      onClick: () => props.onToggle(key),
      // The polyhedra button is always present, but disabled for a crystal without polyhedra.
      ...(key === 'hasPolyhedra' && { isDisabled: !hasBodies }),
    }),
  );
  const views = AXES.map(
    ([axis, uvw]): ToolbarButton => ({
      id: axis,
      label: axis,
      title: t('along', { axis }),
      onClick: () => controller?.lookAlong(uvw),
    }),
  );
  return (
    <div className={`uc-wrap ${classes.tools}`}>
      <div className={classes.foldable}>
        <ToolbarButtons label={t('tools')} buttons={toggles} />
      </div>
      <ToolbarButtons
        label={t('views')}
        buttons={[
          ...views,
          { id: 'reset', label: t('reset'), onClick: () => controller?.reset() },
          { id: 'more', label: t('more'), isOn: isOpen, onClick: props.onOpen },
        ]}
      />
      <div className={classes.foldable}>
        <ToolbarButtons
          label={t('handling')}
          buttons={[
            { id: 'measure', label: t('measure'), isOn: isMeasuring, onClick: props.onMeasure },
            {
              id: 'full-screen',
              label: isFullScreen ? t('leaveFullScreen') : t('fullScreen'),
              onClick: props.onFullScreen,
            },
          ]}
        />
      </div>
    </div>
  );
}
