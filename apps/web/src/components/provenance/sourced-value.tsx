/** A number that says where it comes from when it is clicked: source, scale and release, method, and how to get it again. */
import { Popover } from '@mantine/core';
import type { SectionSource } from '@unitcell/contract';
import { type ReactNode, use, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { METHODS, type MethodId } from './methods.ts';
import { ScaleContext } from './scale-context.ts';
import classes from './provenance.module.css';
import { SourceFacts } from './source-facts.tsx';
import { provenanceTexts } from './texts.ts';

interface SourcedValueProps {
  /** What the number is, in words. */
  readonly name: string;
  readonly method: MethodId;
  /** Without one the number is only a number, unless it was made here. */
  readonly source?: SectionSource | undefined;
  /** Of a list or a tool: what it is made of stands in the place of the source, and the scale is that of the part of the page. */
  readonly isMadeHere?: boolean;
  /** Energies: the scale they are on, and the rebuild their hull is of. */
  readonly scale?: string;
  readonly release?: number | null;
  /** The 36th component of a tensor is no tab stop of its own. */
  readonly isTabStop?: boolean;
  /** As shown. */
  readonly children: ReactNode;
}

export function SourcedValue({ isTabStop = true, ...props }: SourcedValueProps) {
  const { t } = useTexts(provenanceTexts);
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const titleId = useId();
  const opener = useRef<HTMLButtonElement>(null);
  if (!props.source && !props.isMadeHere) return props.children;
  const button = (
    <button
      ref={opener}
      type="button"
      className={classes.value}
      title={t('whence', { of: props.name })}
      tabIndex={isTabStop ? 0 : -1}
      aria-expanded={isOpen}
      onClick={() => {
        setOpened(true);
        setOpen(!isOpen);
      }}
    >
      {props.children}
    </button>
  );
  // Pages have hundreds of numbers: what only an opened one needs is made when it is opened.
  if (!wasOpened) return button;
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      // The button of before the first opening is another element, to which nothing can be returned.
      onClose={() => opener.current?.focus()}
      position="bottom-start"
      width={340}
      shadow="md"
      trapFocus
    >
      <Popover.Target>{button}</Popover.Target>
      <Popover.Dropdown aria-labelledby={titleId} className={classes.popover}>
        <Whence {...props} titleId={titleId} />
      </Popover.Dropdown>
    </Popover>
  );
}

const ON_A_SCALE: ReadonlySet<MethodId> = new Set(['formation', 'hull', 'window', 'reaction']);

interface WhenceProps extends Omit<SourcedValueProps, 'children' | 'isTabStop'> {
  readonly titleId: string;
}

function Whence({ name, method, source, isMadeHere = false, titleId, ...stated }: WhenceProps) {
  const { t, language } = useTexts(provenanceTexts);
  const { how, recompute, inputs } = METHODS[method];
  const shown = use(ScaleContext);
  const of = isMadeHere && ON_A_SCALE.has(method) ? shown : null;
  const { scale = of?.scale ?? '', release = of?.release ?? null } = stated;
  return (
    <>
      <p id={titleId} className={classes.popoverTitle}>
        {name}
      </p>
      {source ? <SourceFacts source={source} /> : <p>{inputs[language]}</p>}
      {scale !== '' && (
        <p>
          {t('scale')}: {scale}
          {release !== null && ` · ${t('release')} ${release}`}
        </p>
      )}
      <p className={classes.popoverPart}>{t('how')}</p>
      <p>
        {how[language]} <Link to={`/methods#${method}`}>{t('method')}</Link>
      </p>
      <p className={classes.popoverPart}>{t('recompute')}</p>
      <p>{recompute[language]}</p>
    </>
  );
}
