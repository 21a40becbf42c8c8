import { useTexts } from '../../../i18n/texts.ts';
import { tightBindingTexts } from '../texts.ts';
import type { Playground } from '../use-playground.ts';
import classes from './tight-binding-view.module.css';

/** What the link asked for and did not get. */
export function LinkNotes({ playground }: { readonly playground: Playground }) {
  const { t } = useTexts(tightBindingTexts);
  const { isLoadingNet, unknownId, net, faults } = playground;
  const notes = [
    ...(isLoadingNet ? [t('loadingNet')] : []),
    ...(unknownId === null ? [] : [t('faultGrid', { id: unknownId.slice(0, 40), used: net.id })]),
    ...(faults.length > 0 ? [t('faultFields', { fields: faults.join(', ') })] : []),
  ];
  return notes.length > 0 ? (
    <div aria-live="polite">
      {notes.map((note) => (
        <p key={note} className={classes.note}>
          {note}
        </p>
      ))}
    </div>
  ) : null;
}
