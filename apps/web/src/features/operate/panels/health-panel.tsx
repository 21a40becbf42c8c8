/** Every part of the site: well, to be looked at, or down; and its figures. */
import { operateHealth } from '@unitcell/contract/calls';
import type { SitePart } from '@unitcell/contract/operate';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import {
  Answered,
  durationText,
  Mark,
  PanelHead,
  sizeText,
  type Tone,
  useTimes,
} from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

const TONES: Readonly<Record<SitePart['state'], Tone>> = {
  well: 'good',
  watch: 'watch',
  down: 'bad',
  off: 'none',
};

type FactName = Extract<keyof typeof siteTexts.en, string>;
const isFactName = (name: string): name is FactName => name in siteTexts.en;

export function HealthPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const health = useAsked(operateHealth, {}, 15_000);

  const shown = (name: string, value: number | string | null): string => {
    if (value === null || value === '') return '–';
    if (typeof value === 'string') return name.endsWith('_at') ? time(value) : value;
    if (name.endsWith('_bytes')) return sizeText(value);
    if (name.endsWith('_seconds') || name === 'behind') return durationText(value);
    if (name === 'milliseconds') return `${value} ms`;
    if (name.startsWith('share')) return `${Math.floor(100 * value)} %`;
    return formatCount(value);
  };

  return (
    <>
      <PanelHead title={frame.t('health')} />
      <Answered asked={health}>
        {({ at, parts }) => (
          <>
            <p className={classes.hint}>{t('asOf', { time: time(at) })}</p>
            <div className={classes.parts}>
              {parts.map(({ part, state, facts }) => (
                <article key={part} className={classes.part}>
                  <header>
                    <h3>{t(part)}</h3>
                    <Mark tone={TONES[state]}>{t(state)}</Mark>
                  </header>
                  <dl className={classes.facts}>
                    {Object.entries(facts).map(([name, value]) => (
                      <Fact
                        key={name}
                        name={isFactName(name) ? t(name as 'version') : name}
                        value={shown(name, value)}
                      />
                    ))}
                  </dl>
                </article>
              ))}
            </div>
          </>
        )}
      </Answered>
    </>
  );
}

const Fact = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </>
);
