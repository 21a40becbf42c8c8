/** A section of the material page that states its source, on the page and in exported files. */
import type { MaterialDetail, SectionSource, SourceSection } from '@unitcell/contract/matdata';
import { type ComponentProps, useMemo } from 'react';
import { FileOrigin } from '../../../components/file-origin.tsx';
import { SourceLine } from '../../../components/provenance/source-line.tsx';
import { Section } from '../../../components/section.tsx';
import { originOf } from '../sources-view-model.ts';

interface SourcedSectionProps extends Omit<ComponentProps<typeof Section>, 'title' | 'source'> {
  readonly title: string;
  readonly material: Pick<MaterialDetail, 'sources'>;
  /** The answer's sections that are shown here. */
  readonly of: readonly SourceSection[];
  /** Selects among several sources: the bands of one functional. */
  readonly isShown?: (source: SectionSource) => boolean;
}

export function SourcedSection({ material, of, isShown, ...section }: SourcedSectionProps) {
  const sources = material.sources.filter(
    (source) => of.includes(source.section) && (isShown?.(source) ?? true),
  );
  const key = JSON.stringify(sources);
  const facts = useMemo(() => originOf(JSON.parse(key) as SectionSource[]), [key]);
  return (
    <FileOrigin facts={facts}>
      <Section {...section} source={<SourceLine sources={sources} title={section.title} />} />
    </FileOrigin>
  );
}
