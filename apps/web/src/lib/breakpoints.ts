/** Widths at which the layout changes, for scripts. Style sheets have the same numbers: 799.98px and 1280px. */
import { useMediaQuery } from '@mantine/hooks';

/** Below this the menu collapses and the periodic table takes its phone form. */
export const COMPACT_QUERY = '(max-width: 799.98px)';

export const useIsCompact = (): boolean =>
  useMediaQuery(COMPACT_QUERY, undefined, { getInitialValueInEffect: false });
