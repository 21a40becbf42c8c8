/** The chart as a figure for a paper: one or two columns wide, as PDF, SVG or PNG. */
import { IconChevronDown } from '@tabler/icons-react';
import { MenuButton } from '../../components/menu-button.tsx';
import toolbar from '../../components/toolbar-buttons.module.css';
import { componentTexts } from '../../components/texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import {
  FIGURE_CM,
  FIGURE_FORMATS,
  FIGURE_SIZES,
  type FigureFormat,
  type FigureSize,
} from './figure-sizes.ts';

interface FigureMenuProps {
  readonly isDisabled: boolean;
  readonly onSave: (format: FigureFormat, size: FigureSize) => void;
}

export function FigureMenu({ isDisabled, onSave }: FigureMenuProps) {
  const { t } = useTexts(componentTexts);
  const actions = () =>
    FIGURE_SIZES.flatMap((size) =>
      FIGURE_FORMATS.map((format) => ({
        label: `${t(size === 'single' ? 'figureSingle' : 'figureDouble', { cm: FIGURE_CM[size].width })}, ${format.toUpperCase()}`,
        onClick: () => onSave(format, size),
      })),
    );
  return (
    <MenuButton
      className={toolbar.button}
      title={t('figureForPaper')}
      isDisabled={isDisabled}
      actions={actions}
      note={t('figureNote')}
    >
      {t('figure')} <IconChevronDown size={14} aria-hidden="true" />
    </MenuButton>
  );
}
