/** A section of the material page. Sections do not depend on the detail view or on each other. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';

export interface MaterialSectionProps {
  readonly material: MaterialDetail;
}

/** State of a section's own request: the answer, or the error. */
export interface SectionAnswer {
  readonly data: unknown;
  readonly isError: boolean;
}

export interface MaterialSection {
  /** Id of the section, also used as URL fragment: `/matdatades/1#structure`. */
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** If absent the section is always shown. */
  readonly isPresent?: (material: MaterialDetail, answer: SectionAnswer | undefined) => boolean;
  /** The id of the section that contains this section, if any. A contained section still has its own outline entry. */
  readonly within?: (material: MaterialDetail) => string | null;
  /** The whole section, usually a <Section> with this id. Heavy parts should load lazily. */
  readonly Component: ComponentType<MaterialSectionProps>;
}

/**
 * The section's own server request. The page sends it together with the one for the detail, before the section's code has
 * loaded; the section reads it by the same key.
 */
export interface SectionRequest {
  /** Id of the section. */
  readonly id: string;
  readonly request: (structId: string) => Pick<UseQueryOptions, 'queryKey' | 'queryFn' | 'retryOnMount'>;
}

/** Props of the part below the first screen. */
export interface SectionsBelowProps {
  readonly material: MaterialDetail;
  /** Sections of the first screen, which the outline also lists. */
  readonly above: readonly Pick<MaterialSection, 'id' | 'title'>[];
  readonly answers: ReadonlyMap<string, SectionAnswer>;
  /** True if the address names a section: then render all sections without delay. */
  readonly isAtOnce: boolean;
}
