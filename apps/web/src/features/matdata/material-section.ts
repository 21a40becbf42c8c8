/** A part of the material page. Sections know the detail and each other not at all. */
import type { MaterialDetail } from '@unitcell/contract';
import type { ComponentType } from 'react';

export interface MaterialSectionProps {
  readonly material: MaterialDetail;
}

export interface MaterialSection {
  /** Also the fragment of a deep link: `/matdatades/1#structure`. */
  readonly id: string;
  readonly title: { readonly en: string; readonly zh: string };
  /** Absent: always shown. */
  readonly isPresent?: (material: MaterialDetail) => boolean;
  /** The whole section, usually a <Section> with this id. Heavy parts load lazily inside. */
  readonly Component: ComponentType<MaterialSectionProps>;
}
