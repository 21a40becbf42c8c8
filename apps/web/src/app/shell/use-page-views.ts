/** Reports each page the visitor comes to, once the browser has finished loading the first one. */
import { useEffect } from 'react';
import { useLocation } from 'react-router';

/** Statistics wait until the page has everything it needs for itself. */
const afterLoad = new Promise<void>((resolve) => {
  if (document.readyState === 'complete') resolve();
  else window.addEventListener('load', () => resolve(), { once: true });
});

export function usePageViews(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const title = document.title;
    void afterLoad
      .then(() => import('../../lib/page-views.ts'))
      .then(({ reportPageView }) => reportPageView({ path: pathname, title }))
      // The chunk of a replaced release: not worth a word.
      .catch(() => undefined);
  }, [pathname]);
}
