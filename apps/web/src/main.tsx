import './styles/mantine.css';
import './styles/tokens.css';
import './styles/global.css';
import './i18n/i18n.ts';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import { App } from './app/app.tsx';

// Compiled validators need eval, which the content security policy refuses; without this each page load logs a breach.
config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no element with id "root"');
createRoot(root).render(<App />);
