/** The buttons above the stage: contents, view and controls. */
import { type ToolbarButton, ToolbarButtons } from '../../components/toolbar-buttons.tsx';
import { useTexts } from '../../i18n/texts.ts';
import classes from './crystal-viewer.module.css';
import type { StageController } from './stage-controller.ts';
import { viewerTexts } from './texts.ts';
import type { DrawOptions } from './visible.ts';

export type Toggle = 'hasLabels' | 'hasCell' | 'hasBonds' | 'hasPolyhedra';

interface ViewerToolbarProps {
  readonly options: Pick<DrawOptions, Toggle>;
  /** Whether the crystal has polyhedra; atoms of one element have none about them. */
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

export function ViewerToolbar(props: ViewerToolbarProps) {
  const { options, hasBodies, controller, isOpen, isMeasuring, isFullScreen } = props;
  const { t } = useTexts(viewerTexts);
  const toggles = TOGGLES.map(
    ([key, label]): ToolbarButton => ({
      id: key,
      label: t(label),
      isOn: options[key],
      onClick: () => props.onToggle(key),
      // Always in its place.
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
