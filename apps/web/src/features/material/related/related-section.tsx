/** Related section: electrochemical windows, tools for this material, and similar crystals. */
import { useQuery } from '@tanstack/react-query';
import type { MaterialDetail, RelatedMaterial, RelatedMaterials } from '@unitcell/contract/matdata';
import { FARTHEST_SIMILAR } from '@unitcell/contract/matdata/rules';
import { useId, useMemo } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Formula, formulaText } from '../../../components/formula.tsx';
import { fromMaterial } from '../../../components/from-material.tsx';
import { readScale, ScaleContext, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { useTexts, defineTexts } from '../../../i18n/texts.ts';
import { relatedRequest } from '../material-requests.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from '../sections/sourced-section.tsx';
import { formatNumber } from '../../../lib/format.ts';
import classes from '../material.module.css';
import { NumberText } from '../../../components/number-text.tsx';
import type { MethodId } from '../../../components/provenance/methods.ts';
import { SourcedValue } from '../../../components/provenance/sourced-value.tsx';
import { SpaceGroup } from '../../../components/space-group.tsx';

// A few related materials, why they are related, and a link to all of them.

interface MadeProps {
  readonly name: string;
  readonly method: MethodId;
  readonly value: number | null | undefined;
  readonly decimals?: number;
  readonly isFirst: boolean;
}

const Made = ({ name, method, value, decimals, isFirst }: MadeProps) => (
  <SourcedValue name={name} method={method} isMadeHere={typeof value === 'number'} isTabStop={isFirst}>
    <NumberText value={value} {...(decimals === undefined ? {} : { decimals })} />
  </SourcedValue>
);

interface RelatedListProps {
  readonly title: string;
  readonly lead: string;
  readonly list: { readonly count: number; readonly rows: readonly RelatedMaterial[] };
  /** Message for an empty list. */
  readonly none: string;
  /** Address of a search for the full list. */
  readonly all?: string;
  /** Text of the link to the full list; by default the total number. */
  readonly allName?: string;
  /** Id of the element that explains the distance. */
  readonly describedBy?: string;
}

export function RelatedList({ title, lead, list, none, all, allName, describedBy }: RelatedListProps) {
  const { t } = useTexts(relatedTexts);
  const heading = useId();
  const [parameters] = useSearchParams();
  const { count, rows } = list;
  const hasDistance = rows.some(({ distance }) => distance !== undefined);
  return (
    <section className={classes.list} aria-labelledby={heading} aria-describedby={describedBy}>
      <h3 id={heading} className={classes.listTitle}>
        {title}
        {count > 0 && <span className={classes.count}> {count}</span>}
      </h3>
      <p className={classes.lead}>{lead}</p>
      {rows.length === 0 ? (
        <p className={classes.none}>{none}</p>
      ) : (
        <table className={`uc-table ${classes.relatedTable}`}>
          <thead>
            <tr>
              <th scope="col">{t('formula')}</th>
              <th scope="col">{t('group')}</th>
              <th scope="col" className={classes.relatedNumber}>
                {t('hull')}
              </th>
              {hasDistance && (
                <th scope="col" className={classes.relatedNumber}>
                  {t('distance')}
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={row.struct_id}>
                <td>
                  <Link
                    to={withScale(`/matdatades/${row.struct_id}`, readScale(parameters))}
                    className={classes.link}
                  >
                    <Formula text={row.formula} />
                    <span className="uc-fine">{row.struct_id}</span>
                  </Link>
                </td>
                <td>
                  <SpaceGroup symbol={row.space_group} />
                </td>
                <td className={classes.relatedNumber}>
                  <Made name={t('hull')} method="hull" value={row.e_above_hull} isFirst={place === 0} />
                </td>
                {hasDistance && (
                  <td className={classes.relatedNumber}>
                    <Made
                      name={t('distance')}
                      method="similar"
                      value={row.distance}
                      decimals={2}
                      isFirst={place === 0}
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {count > rows.length &&
        (all === undefined ? (
          <p className={classes.none}>{t('more', { count })}</p>
        ) : (
          <p className={classes.none}>
            <Link to={all}>{allName ?? t('all', { count: count + 1 })}</Link>
          </p>
        ))}
    </section>
  );
}

interface WindowStripProps {
  readonly structId: number;
  readonly windows: RelatedMaterials['windows'];
  readonly scale: string | null;
}

/** Minimum upper end of the axis in V. The axis ends at the next whole volt beyond all onsets. */
const LEAST_TOP = 5;
const volts = (value: number): string => formatNumber(value, { decimals: 2 });

/** The electrochemical windows of a material: one bar per ion on a common axis; each links to its page. */
function WindowStrip({ structId, windows, scale }: WindowStripProps) {
  const { t } = useTexts(relatedTexts);
  if (windows.length === 0) return <p className={classes.none}>{t('noWindows')}</p>;
  const onsets = windows.flatMap(({ reduction_onset: low, oxidation_onset: high }) => [low, high ?? low]);
  const top = Math.max(LEAST_TOP, Math.ceil(Math.max(...onsets) + 0.2));
  const bottom = Math.min(0, Math.floor(Math.min(...onsets)));
  const share = (value: number): string => `${(100 * (value - bottom)) / (top - bottom)}%`;
  const ticks = Array.from({ length: top - bottom + 1 }, (_, i) => bottom + i);
  return (
    <section className={classes.windows} aria-labelledby="related-windows">
      <h3 id="related-windows" className={classes.listTitle}>
        {t('windows')}
      </h3>
      <p className={classes.lead}>{t('windowsLead', { scale: scale ?? '' })}</p>
      <ul className={`uc-list ${classes.bars}`}>
        {windows.map(({ working_ion: ion, reduction_onset: low, oxidation_onset: high }) => {
          const end = high ?? top;
          const label =
            high === null
              ? t('windowOpen', { ion, low: volts(low) })
              : t('windowOf', { ion, low: volts(low), high: volts(high) });
          return (
            <li key={ion}>
              <Link
                to={withScale(`/Ec_windowDetail/${structId}/${ion}`, scale)}
                className={classes.window}
                title={label}
              >
                <span className={classes.ion}>{ion}</span>
                <span className={classes.track}>
                  <span
                    className={classes.bar}
                    data-open={high === null || undefined}
                    style={{
                      insetInlineStart: share(low),
                      inlineSize: `max(2px, calc(${share(end)} - ${share(low)}))`,
                    }}
                  />
                </span>
                <span className={classes.onsets}>
                  {volts(low)} – {high === null ? '∞' : volts(high)}
                </span>
              </Link>
            </li>
          );
        })}
      </ul>
      <div className={classes.axis} aria-hidden="true">
        <span />
        <span className={classes.ticks}>
          {ticks.map((tick) => (
            <span key={tick} style={{ insetInlineStart: share(tick) }}>
              {formatNumber(tick, { decimals: 0 })}
            </span>
          ))}
        </span>
        <span>V</span>
      </div>
    </section>
  );
}

const title = { en: 'Related', zh: '相关' };

/** Number of elements in a phase diagram. */
const DIAGRAM_ELEMENTS = { min: 2, max: 4 } as const;

function RelatedSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(relatedTexts);
  const related = useQuery(relatedRequest(String(material.struct_id)));
  return (
    <SourcedSection material={material} of={['phase_diagram']} id="related" title={title[language]}>
      <Tools material={material} />
      {related.isError && <ErrorPanel error={related.error} onRetry={() => void related.refetch()} />}
      {related.data && <Relations material={material} related={related.data} />}
    </SourcedSection>
  );
}

function Tools({ material: { struct_id: id, elements } }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(relatedTexts);
  const [parameters] = useSearchParams();
  const scale = readScale(parameters);
  const tools = [
    {
      to: withScale(fromMaterial('/Interface_reaction', id, { reactant1: String(id) }), scale),
      name: t('reactions'),
      hint: t('reactionsHint'),
    },
    ...(elements.length >= DIAGRAM_ELEMENTS.min && elements.length <= DIAGRAM_ELEMENTS.max
      ? [
          {
            to: withScale(fromMaterial('/phase', id, { q: elements.join(' ') }), scale),
            name: t('diagram', { system: elements.join('–') }),
            hint: t('diagramHint'),
          },
        ]
      : []),
    {
      to: fromMaterial('/xrd', id, { elements: elements.join(' ') }),
      name: t('match'),
      hint: t('matchHint'),
    },
  ];
  return (
    <nav className={classes.tools} aria-label={t('goOn')}>
      {tools.map(({ to, name, hint }) => (
        <Link key={to} to={to} className={classes.tool}>
          <span className={classes.toolName}>{name}</span>
          <span className="uc-hint">{hint}</span>
        </Link>
      ))}
    </nav>
  );
}

interface RelationsProps extends MaterialSectionProps {
  readonly related: RelatedMaterials;
}

function Relations({ material, related }: RelationsProps) {
  const { t } = useTexts(relatedTexts);
  const about = useId();
  const { prototype, functional } = related;
  const system = material.elements.join('-');
  const shown = useMemo(
    () => ({ scale: functional ?? '', release: material.release?.id ?? null }),
    [functional, material],
  );
  return (
    <ScaleContext value={shown}>
      <WindowStrip structId={material.struct_id} windows={related.windows} scale={functional} />
      <div className={classes.lists}>
        <RelatedList
          title={t('polymorphs')}
          lead={t('polymorphsLead', { formula: formulaText(material.formula) })}
          list={related.polymorphs}
          none={t('noPolymorphs')}
          all={`/matdata?by=formula&q=${encodeURIComponent(material.formula)}`}
        />
        <RelatedList
          title={t('system')}
          lead={t('systemLead', { system: material.elements.join('–') })}
          list={related.same_system}
          none={t('noSystem')}
          all={`/matdata?q=${encodeURIComponent(system)}`}
        />
        {prototype !== null && (
          <>
            <RelatedList
              title={t('prototype')}
              lead={t('prototypeLead', { key: prototype })}
              list={related.same_prototype}
              none={t('noPrototype')}
              all={`/matdata?filter=${encodeURIComponent(`prototype = "${prototype}"`)}`}
              allName={t('allWithPositions')}
              describedBy={about}
            />
            <RelatedList
              title={t('similar')}
              lead={t('similarLead')}
              list={related.similar}
              none={t('noSimilar', { limit: FARTHEST_SIMILAR })}
              describedBy={about}
            />
          </>
        )}
      </div>
      {prototype !== null && (
        <p className={classes.about} id={about}>
          {t('about')}
        </p>
      )}
    </ScaleContext>
  );
}

export const relatedSection: MaterialSection = {
  id: 'related',
  title,
  Component: RelatedSection,
};

const relatedTexts = defineTexts('related', {
  goOn: ['Continue with this material', '由此材料出发'],
  reactions: ['Interface reactions', '与其他材料的界面反应'],
  reactionsHint: ['in contact with another material', '与另一材料接触时'],
  diagram: ['Phase diagram {{system}}', '{{system}} 相图'],
  diagramHint: ['with this material marked', '标出此材料'],
  match: ['Match a measured pattern', '与实测衍射图谱比对'],
  matchHint: ['against crystals of the same elements', '在所含元素的晶体中查找'],
  windows: ['Electrochemical windows', '电化学窗口'],
  windowsLead: [
    'Reduction to oxidation onset, V vs. M/Mⁿ⁺. {{scale}}.',
    '还原起始电位至氧化起始电位，单位 V，相对于 M/Mⁿ⁺。{{scale}}。',
  ],
  windowOf: ['{{ion}}: from {{low}} to {{high}} V', '{{ion}}：{{low}} 至 {{high}} V'],
  windowOpen: ['{{ion}}: from {{low}} V, no upper limit', '{{ion}}：自 {{low}} V 起，无上限'],
  noWindows: [
    'No windows: the energy on this scale is not known.',
    '未列出窗口：该能量基准下没有此材料的能量。',
  ],
  polymorphs: ['Polymorphs', '多晶型'],
  polymorphsLead: ['Other crystals of {{formula}}', '{{formula}} 的其他晶体'],
  noPolymorphs: ['No other polymorph in this database.', '本库没有该化学式的其他晶体。'],
  system: ['Same elements', '相同元素'],
  systemLead: ['Other formulas of {{system}}', '{{system}} 体系的其他化学式'],
  noSystem: [
    'No other compound of exactly these elements in this database.',
    '本库没有恰由这些元素组成的其他化合物。',
  ],
  prototype: ['Same prototype', '同原型结构'],
  prototypeLead: [
    'Same space group, occupied Wyckoff positions ({{key}}) and structure type',
    '空间群、占据的 Wyckoff 位置（{{key}}）与结构类型相同',
  ],
  allWithPositions: ['All with these positions', '占据这些位置的全部晶体'],
  noPrototype: ['No other crystal with this prototype in this database.', '本库没有该原型的其他晶体。'],
  similar: ['Similar structures', '相似结构（不同原型）'],
  similarLead: ['Similar structures with another prototype', '原型不同而原子排列相近'],
  noSimilar: ['No other structure within a distance of {{limit}}.', '距离 {{limit}} 以内没有其他结构。'],
  distance: ['Distance', '距离'],
  hull: ['Above hull (eV/atom)', '高于凸包 (eV/atom)'],
  formula: ['Formula', '化学式'],
  group: ['Space group', '空间群'],
  all: ['All {{count}}', '全部 {{count}} 个'],
  more: ['{{count}} in all', '共 {{count}} 个'],
  about: [
    'Distance: 0 = identical up to scale and elements, 1 = unrelated. Below 0.05 two structures are practically the same; above 0.2 nothing is listed. It compares the interatomic distances, scaled by the volume per atom.',
    '结构距离：0 为相同（不计尺寸与元素），1 为完全不同；小于 0.05 几乎相同，大于 0.2 的不列出。由按每原子体积标度的原子间距比较得出。',
  ],
});
