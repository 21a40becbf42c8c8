/** Names of the groups of calls a key opens; the group itself where a later one has no name yet. */
import { useTexts } from '../../../i18n/texts.ts';
import { keyTexts } from '../key-texts.ts';

const NAMED = [
  'matdata',
  'phase-diagram',
  'ecwindow',
  'interface-reaction',
  'run4u',
  'xrd',
  'tight-binding',
  'prediction',
  'design',
  'topology',
  'about',
] as const;

export function useScopeText(): (scope: string) => string {
  const { t } = useTexts(keyTexts);
  return (scope) => {
    if (scope === 'all') return t('all');
    const named = NAMED.find((name) => name === scope);
    return named === undefined ? scope : t(`scope.${named}`);
  };
}
