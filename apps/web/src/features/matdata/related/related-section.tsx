/** Related: where a material leads. Its windows, the tools that take it, and crystals of its kind. */
import { useQuery } from '@tanstack/react-query';
import { FARTHEST_SIMILAR, type MaterialDetail, type RelatedMaterials } from '@unitcell/contract';
import { useId, useMemo } from 'react';
import { Link } from 'react-router';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { fromMaterial } from '../../../components/from-material.tsx';
import { ScaleContext } from '../../../components/provenance/scale-context.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { relatedRequest } from '../api/use-related.ts';
import type { MaterialSection, MaterialSectionProps } from '../material-section.ts';
import { SourcedSection } from '../sections/sourced-section.tsx';
import { RelatedList } from './related-list.tsx';
import classes from './related.module.css';
import { relatedTexts } from './texts.ts';
import { WindowStrip } from './window-strip.tsx';

const title = { en: 'Related', zh: '相关' };

/** Elements a phase diagram is drawn for. */
const DIAGRAM_ELEMENTS = { min: 2, max: 4 } as const;

function RelatedSection({ material }: MaterialSectionProps) {
  const { language } = useTexts(relatedTexts);
  const related = useQuery(relatedRequest(String(material.struct_id)));
  return (
    <SourcedSection material={material} of={['structure']} id="related" title={title[language]}>
      <Tools material={material} />
      {related.isError && <ErrorPanel error={related.error} onRetry={() => void related.refetch()} />}
      {related.data && <Relations material={material} related={related.data} />}
    </SourcedSection>
  );
}

function Tools({ material: { struct_id: id, elements } }: { readonly material: MaterialDetail }) {
  const { t } = useTexts(relatedTexts);
  const tools = [
    {
      to: fromMaterial('/Interface_reaction', id, { reactant1: String(id) }),
      name: t('reactions'),
      hint: t('reactionsHint'),
    },
    ...(elements.length >= DIAGRAM_ELEMENTS.min && elements.length <= DIAGRAM_ELEMENTS.max
      ? [
          {
            to: fromMaterial('/phase', id, { q: elements.join(' ') }),
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
          <span className={classes.toolHint}>{hint}</span>
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
