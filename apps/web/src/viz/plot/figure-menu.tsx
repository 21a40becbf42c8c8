/** The chart as a figure for a paper: one or two columns wide, as PDF, SVG or PNG. */
import { Menu } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
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
  return (
    <Menu
      position="bottom-end"
      shadow="sm"
      withinPortal={false}
      // An element without a role has no place in a menu.
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <button type="button" className={toolbar.button} title={t('figureForPaper')} disabled={isDisabled}>
          {t('figure')} <IconChevronDown size={14} aria-hidden="true" />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        {FIGURE_SIZES.flatMap((size) =>
          FIGURE_FORMATS.map((format) => (
            <Menu.Item key={`${size}-${format}`} onClick={() => onSave(format, size)}>
              {t(size === 'single' ? 'figureSingle' : 'figureDouble', { cm: FIGURE_CM[size].width })},{' '}
              {format.toUpperCase()}
            </Menu.Item>
          )),
        )}
        <Menu.Label>{t('figureNote')}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}
