import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { config } from 'zod';
import './styles/index.css';
import { App } from './app/App.tsx';
import { startWindow } from './app/start.ts';

// The window's CSP has no `unsafe-eval`, so zod must not probe for `new Function`.
config({ jitless: true });

startWindow();
const root = document.getElementById('root');
if (root !== null) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
