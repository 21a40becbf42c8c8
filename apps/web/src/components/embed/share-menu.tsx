/** Copies the address of the page, or the code that shows its main drawing in a frame of another site. */
import { IconShare } from '@tabler/icons-react';
import { getEmbedKey } from '@unitcell/contract/calls';
import { useTexts } from '../../i18n/texts.ts';
import { answerTo, ApiError } from '../../lib/api-client.ts';
import { notify } from '../../lib/notify.ts';
import { useFailureToast } from '../failure-toast.ts';
import { MenuButton } from '../menu-button.tsx';
import { embedTexts } from './texts.ts';

interface ShareMenuProps {
  readonly kind: 'material' | 'phase';
  /** The material id, or the components of the phase diagram. */
  readonly of: string;
  /** Energy scale of a diagram. */
  readonly scale?: string;
  /** Names the frame for screen readers. */
  readonly title: string;
}

/** px; the drawing takes the width that the other page gives it. */
const HEIGHT = 520;

/** @returns the element for the other page */
function frameCode({ kind, of, scale, title }: ShareMenuProps, key: string, language: string): string {
  const query = new URLSearchParams({ ...(scale === undefined ? {} : { scale }), key, lang: language });
  const address = `${location.origin}/embed/${kind}/${encodeURIComponent(of)}?${query.toString()}`;
  const frame = document.createElement('iframe');
  for (const [name, value] of Object.entries({
    src: address,
    title: `${title} · Unitcell`,
    width: '100%',
    height: String(HEIGHT),
    loading: 'lazy',
    style: 'border:0',
  }))
    frame.setAttribute(name, value);
  return frame.outerHTML;
}

export function ShareMenu(props: ShareMenuProps) {
  const { kind, of, scale } = props;
  const { t, language } = useTexts(embedTexts);
  const say = useFailureToast();
  /** Safari allows copying only at the moment of the click, so copying begins before the text has arrived. */
  const copy = async (text: Promise<string>): Promise<void> => {
    const plain = text.then((copied) => new Blob([copied], { type: 'text/plain' }));
    try {
      await Promise.all([
        plain,
        // Firefox before 127 has no `ClipboardItem`.
        typeof ClipboardItem === 'undefined'
          ? text.then((copied) => navigator.clipboard.writeText(copied))
          : navigator.clipboard.write([new ClipboardItem({ 'text/plain': plain })]),
      ]);
      notify('success', t('copied'));
    } catch (error) {
      if (error instanceof ApiError) say(error);
      else notify('warning', t('notCopied'));
    }
  };
  const frame = async (): Promise<string> => {
    const subject = scale === undefined ? of : `${of}@${scale}`;
    const { key } = await answerTo(getEmbedKey, { kind, of: subject });
    return frameCode(props, key, language);
  };
  return (
    <MenuButton
      className="uc-button"
      note={t('note')}
      actions={() => [
        { label: t('link'), onClick: () => void copy(Promise.resolve(location.href)) },
        { label: t('frame'), onClick: () => void copy(frame()) },
      ]}
    >
      <IconShare size={16} aria-hidden="true" /> {t('share')}
    </MenuButton>
  );
}
