/** The periodic table of a search. With results it collapses to a line that shows the selection and can expand it again. */
import { IconChevronDown } from '@tabler/icons-react';
import { type ReactNode, useId } from 'react';
import { screenMaterials } from '@unitcell/contract/calls';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTexts } from '../i18n/texts.ts';
import classes from './search-form/search-form.module.css';
import { componentTexts } from './texts.ts';
import { apiQuery } from '../lib/api-client.ts';

interface FoldingElementsProps {
  /** The selection as text; empty if nothing is selected. */
  readonly chosen: ReactNode;
  /** True if results are shown below; the table is then collapsed. */
  readonly canFold: boolean;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
  readonly children: ReactNode;
}

export function FoldingElements({ chosen, canFold, isOpen, onOpen, children }: FoldingElementsProps) {
  const { t } = useTexts(componentTexts);
  const table = useId();
  const isShown = !canFold || isOpen;
  return (
    <section className={classes.elements} aria-label={t('elements')}>
      {canFold && (
        <div className={`uc-row ${classes.line}`}>
          <span className={classes.title}>{t('elements')}</span>
          <span className={`uc-wrap uc-note ${classes.chosen}`}>{chosen}</span>
          <button
            type="button"
            className={`uc-button ${classes.fold}`}
            aria-expanded={isShown}
            aria-controls={table}
            onClick={() => onOpen(!isOpen)}
          >
            {t(isShown ? 'elementsClose' : 'elementsOpen')}
            <IconChevronDown size={15} aria-hidden="true" data-up={isShown || undefined} />
          </button>
        </div>
      )}
      <div id={table} hidden={!isShown}>
        {isShown && children}
      </div>
    </section>
  );
}

/** The number of materials per element that match a filter. Undefined while loading: nothing is dimmed then. */
export function useElementCounts(
  filter: string,
  scale: string | null,
): Readonly<Record<string, number>> | undefined {
  const { data } = useQuery({
    ...apiQuery({
      call: screenMaterials,
      body: { filter, facets: ['elements'], limit: 0, ...(scale === null ? {} : { scale }) },
    }),
    select: ({ facets: { elements } }) => (elements?.kind === 'elements' ? elements.counts : {}),
    placeholderData: keepPreviousData,
    retry: false,
  });
  return data;
}
