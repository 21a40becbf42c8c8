/** A part of the material page. Sections know the detail and each other not at all. */
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { UseQueryOptions } from '@tanstack/react-query';
import type { ComponentType } from 'react';

export interface MaterialSectionProps {
  readonly material: MaterialDetail;
}

/** What is known of a section's own request: its answer, once there is one, or its fault. */
export interface SectionAnswer {
  readonly data: unknown;
  readonly isError: boolean;
}

export interface MaterialSection {
  /** Also the fragment of a deep link: `/matdatades/1#structure`. */
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** Absent: always shown. */
  readonly isPresent?: (material: MaterialDetail, answer: SectionAnswer | undefined) => boolean;
  /** The section this one is drawn in; absent, or null: none. It then has no place of its own, but its entry of the outline. */
  readonly within?: (material: MaterialDetail) => string | null;
  /** The whole section, usually a <Section> with this id. Heavy parts load lazily inside. */
  readonly Component: ComponentType<MaterialSectionProps>;
}

/**
 * What a section asks the server for beside the detail. Sent at once with it, before the code of the section has come; the
 * section reads it by the same key.
 */
export interface SectionRequest {
  /** Of the section. */
  readonly id: string;
  readonly request: (structId: string) => Pick<UseQueryOptions, 'queryKey' | 'queryFn' | 'retryOnMount'>;
}

/** What stands below the first screen of a material. */
export interface SectionsBelowProps {
  readonly material: MaterialDetail;
  /** Of the first screen, which the outline names too. */
  readonly above: readonly Pick<MaterialSection, 'id' | 'title'>[];
  readonly answers: ReadonlyMap<string, SectionAnswer>;
  /** Somebody comes for a section: none has to wait for those above it. */
  readonly isAtOnce: boolean;
}
