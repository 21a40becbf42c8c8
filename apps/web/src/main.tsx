import './styles/fonts.css';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/global.css';
import './styles/shared.css';
import './i18n/i18n.ts';
import { createRoot } from 'react-dom/client';
import {
  createTheme,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  MantineProvider,
} from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from 'react-router-dom';
import { pasteNumber } from './lib/paste-number.ts';
import { beginAtTop } from './lib/scroll-memory.ts';
import { installTrustedTypes } from './lib/trusted-types.ts';
import { queryClient } from './lib/api-client.ts';
import { router } from './app/router.tsx';

/**
 * Shades of Prussian blue, from light to dark. CSS uses `--mantine-color-prussian-*` of tokens.css, which depend on the
 * colour scheme.
 */
const prussian: MantineColorsTuple = [
  '#eef4f8',
  '#dbe7ef',
  '#b9d0e0',
  '#94b7cf',
  '#6f9dbd',
  '#4a82a8',
  '#2d6790',
  '#174b73',
  '#0e3452',
  '#082238',
];

/** The theme in the form that the component library needs. Colours and sizes are defined in tokens.css. */
const theme = createTheme({
  colors: { prussian },
  primaryColor: 'prussian',
  primaryShade: { light: 7, dark: 3 },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  focusRing: 'auto',
  // The library uses white text on the primary colour in both schemes, but our primary colour is light on dark pages.
  variantColorResolver: (input) => {
    const colors = defaultVariantColorsResolver(input);
    const isPrimary = input.variant === 'filled' && (input.color ?? 'prussian') === 'prussian';
    return isPrimary ? { ...colors, color: 'var(--mantine-primary-color-contrast)' } : colors;
  },
  // Scroll locking would add a style element at run time, which the content security policy refuses; global.css
  // locks scrolling instead. The components are given by name only: importing them would add their code to the
  // first page, which uses none.
  components: {
    // No fade-in: on a slow machine the form would appear late.
    Modal: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    ModalRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    Drawer: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    DrawerRoot: { defaultProps: { lockScroll: false, transitionProps: { duration: 0 } } },
    Popover: { defaultProps: { transitionProps: { duration: 0 } } },
    Menu: { defaultProps: { transitionProps: { duration: 0 } } },
    // The two stepper buttons share the height of a field and are too small to press. The arrow keys still
    // step.
    NumberInput: { defaultProps: { hideControls: true, onPasteCapture: pasteNumber } },
  },
});

/**
 * Providers around the router. The theme's CSS variables come from tokens.css, not from a style element made at run
 * time, so that the content security policy can stay strict and nothing flashes before scripts run.
 */
function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={queryClient}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

installTrustedTypes();
beginAtTop();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with id "root"');
createRoot(root).render(<App />);
