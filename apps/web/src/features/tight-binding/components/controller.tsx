/** The controls of the original site (t1, t2 and one energy per kind of site) and additional ones. */
import { Accordion, Button, Slider } from '@mantine/core';
import type { Net } from '@unitcell/tight-binding';
import type { ReactNode } from 'react';
import { roundTo } from '@unitcell/numerics';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { type Controls, FLUX_RANGE, ONSITE_RANGE, type Range, T1_RANGE, T2_RANGE } from '../link-state.ts';
import { tightBindingTexts } from '../texts.ts';
import { siteColour } from '../view/lattice-figure.ts';
import classes from '../tight-binding.module.css';
import { formatNumber } from '../../../lib/format.ts';

interface ControllerProps {
  readonly net: Net;
  readonly controls: Controls;
  readonly onChange: (change: Partial<Controls>) => void;
  readonly onGenerate: () => void;
  readonly onDefaults: () => void;
  readonly isGenerating: boolean;
  /** Answer of the server. */
  readonly remark: ReactNode;
}

export function Controller(props: ControllerProps) {
  const { net, controls, onChange, onGenerate, onDefaults, isGenerating, remark } = props;
  const { t } = useTexts(tightBindingTexts);
  return (
    <Accordion
      defaultValue="controller"
      chevronPosition="left"
      classNames={{ item: 'uc-panel', label: classes.controllerTitle }}
    >
      <Accordion.Item value="controller">
        <Accordion.Control>{t('controller')}</Accordion.Control>
        <Accordion.Panel>
          <div className={classes.controls}>
            <LabelledSlider
              name={t('t1')}
              range={T1_RANGE}
              value={controls.t1}
              onChange={(t1) => onChange({ t1 })}
            />
            <LabelledSlider
              name={t('t2')}
              range={T2_RANGE}
              value={controls.t2}
              onChange={(t2) => onChange({ t2 })}
            />
            {net.orbits.map(({ symbol }, orbit) => (
              <LabelledSlider
                key={symbol}
                name={t('onsite', { symbol })}
                label={
                  <>
                    <span
                      className={classes.dot}
                      style={{ background: siteColour(orbit) }}
                      aria-hidden="true"
                    />
                    {t('onsite', { symbol })}
                  </>
                }
                range={ONSITE_RANGE}
                value={controls.onsite[orbit] ?? 0}
                onChange={(energy) =>
                  onChange({ onsite: controls.onsite.map((own, index) => (index === orbit ? energy : own)) })
                }
              />
            ))}
            <LabelledSlider
              name={t('flux')}
              range={FLUX_RANGE}
              value={controls.fluxDeg}
              text={`${String(controls.fluxDeg).replace('-', '\u2212')}°`}
              isDisabled={controls.t2 === 0}
              onChange={(fluxDeg) => onChange({ fluxDeg })}
            />
            <div className={`uc-row ${classes.rule}`}>
              <span className={`uc-line uc-note ${classes.name}`}>{t('rule')}</span>
              <ToolbarButtons
                label={t('rule')}
                buttons={(['graph', 'distance'] as const).map((rule) => ({
                  id: rule,
                  label: t(rule === 'graph' ? 'ruleGraph' : 'ruleDistance'),
                  isOn: controls.rule === rule,
                  onClick: () => onChange({ rule }),
                }))}
              />
            </div>
          </div>
          <div className={`uc-row ${classes.actions}`}>
            <Button size="sm" onClick={onGenerate} loading={isGenerating}>
              {t('generate')}
            </Button>
            <Button size="sm" variant="default" onClick={onDefaults}>
              {t('defaults')}
            </Button>
            <span className={`uc-fine ${classes.remark}`} aria-live="polite">
              {remark}
            </span>
          </div>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  );
}

interface LabelledSliderProps {
  /** Accessible name. */
  readonly name: string;
  readonly label?: ReactNode;
  readonly value: number;
  readonly range: Range;
  readonly text?: string;
  readonly isDisabled?: boolean;
  readonly onChange: (value: number) => void;
}

export function LabelledSlider(props: LabelledSliderProps) {
  const { name, label, value, range, text, isDisabled, onChange } = props;
  const decimals = Number.isInteger(range.step) ? 0 : 1;
  return (
    <div className={`uc-stack ${classes.slider}`}>
      <span className={`uc-line uc-note ${classes.name}`}>{label ?? name}</span>
      <Slider
        size="sm"
        min={range.min}
        max={range.max}
        step={range.step}
        value={value}
        label={null}
        disabled={isDisabled ?? false}
        thumbLabel={name}
        // Rounds, because adding steps of 0.1 gives 0.30000000000000004.
        onChange={(next) => onChange(roundTo(next, 6))}
      />
      <output className={classes.value}>{text ?? formatNumber(value, { decimals })}</output>
    </div>
  );
}
