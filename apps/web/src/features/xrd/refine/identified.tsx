/** The result of an identification, shown above the refinement: the verdict, and alternatives for each phase. */
import type { IdentifyResult } from '@unitcell/contract/xrd';
import { Fragment } from 'react';
import { Formula } from '../../../components/formula.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import xrd from '../components/xrd.module.css';
import { IDENTIFIED_ID } from '../view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';

const CONFIDENCE = { identified: 'confident', partly: 'possible', none: 'none' } as const;
const TITLE = { identified: 'identified', partly: 'partly', none: 'noMatch' } as const;

type Named = Pick<IdentifyResult['phases'][number], 'struct_id' | 'formula' | 'space_group'>;

const Material = ({ struct_id, formula, space_group }: Named) => (
  <>
    <a href={`/matdatades/${struct_id}`} target="_blank" rel="noopener">
      <Formula text={formula} />
    </a>{' '}
    <SpaceGroup symbol={space_group} /> ({struct_id})
  </>
);

/** The verdict, with formulas and space groups in print notation. */
function Statement({ statement, phases }: Pick<IdentifyResult, 'statement' | 'phases'>) {
  const named = new Map(phases.map((phase) => [`${phase.formula} (${phase.space_group})`, phase]));
  const names = [...named.keys()].sort((a, b) => b.length - a.length);
  const pieces = names.reduce(
    (parts, name) =>
      parts.flatMap((part) =>
        named.has(part)
          ? [part]
          : part.split(name).flatMap((text, index) => (index === 0 ? [text] : [name, text])),
      ),
    [statement],
  );
  return pieces.map((piece, index) => {
    const phase = named.get(piece);
    return (
      <Fragment key={index}>
        {phase ? (
          <>
            <Formula text={phase.formula} /> (<SpaceGroup symbol={phase.space_group} />)
          </>
        ) : (
          piece
        )}
      </Fragment>
    );
  });
}

export function Identified({ result }: { readonly result: IdentifyResult }) {
  const { t } = useTexts(refineTexts);
  const { phases } = result;
  return (
    <div id={IDENTIFIED_ID} className={xrd.verdict} data-confidence={CONFIDENCE[result.verdict]}>
      <p className={xrd.verdictTitle}>{t(TITLE[result.verdict])}</p>
      <p className={xrd.verdictText}>
        <Statement {...result} />
      </p>
      {phases.length > 0 && (
        <ul className={classes.found} aria-label={t('identifiedPhases')}>
          {phases.map((phase) => (
            <li key={phase.struct_id}>
              <Material {...phase} />{' '}
              <span className="uc-hint">
                {t('evidence', {
                  significance: formatNumber(phase.significance, { decimals: 0 }),
                  share: formatNumber(100 * phase.confirmed_share, { decimals: 0 }),
                })}
              </span>
              {phase.alternatives.length > 0 && (
                <p className={classes.alternatives}>
                  {t('alternatives')}{' '}
                  {phase.alternatives.map((other, index) => (
                    <span key={other.struct_id}>
                      {index > 0 && ', '}
                      <Material {...other} />
                    </span>
                  ))}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <p className="uc-hint">
        {t('identifiedIn', {
          n: formatCount(result.candidates),
          seconds: formatNumber(result.seconds, { decimals: 1 }),
        })}
      </p>
    </div>
  );
}
