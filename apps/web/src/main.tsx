import './styles/fonts.css';
import './styles/mantine.css';
import './styles/tokens.css';
import './styles/global.css';
import './styles/shared.css';
import './i18n/i18n.ts';
import { createRoot } from 'react-dom/client';
import { App } from './app/app.tsx';
import { beginAtTop } from './lib/scroll-memory.ts';
import { installTrustedTypes } from './lib/trusted-types.ts';

installTrustedTypes();
beginAtTop();

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with id "root"');
createRoot(root).render(<App />);
