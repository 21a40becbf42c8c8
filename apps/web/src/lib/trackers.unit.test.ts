import type { Analytics } from '@unitcell/contract/site-config';
import { describe, expect, it } from 'vitest';
import { asksForPrivacy } from './page-views.ts';
import { trackerOf } from './trackers.ts';

type Queues = Parameters<typeof trackerOf>[1];

const page = (): Queues => ({ location: { origin: 'https://materials.example.org' }, document });

const HOST = 'https://stats.example.org';
const matomo: Analytics = {
  provider: 'matomo',
  id: '7',
  script: `${HOST}/matomo.js`,
  endpoint: `${HOST}/matomo.php`,
};
const plausible: Analytics = {
  provider: 'plausible',
  id: 'materials.example.org',
  script: `${HOST}/js/script.manual.js`,
  endpoint: `${HOST}/api/event`,
};
const baidu: Analytics = { provider: 'baidu', id: 'abc', script: `${HOST}/hm.js?abc`, endpoint: null };

const VIEW = { path: '/about', title: 'About' };

describe('trackerOf', () => {
  it('sends Matomo the site id, and the path of the page as its address', () => {
    const window = page();
    const { script, report } = trackerOf(matomo, window);
    report(VIEW);
    report({ path: '/team', title: 'Team' });
    expect(script.src).toBe(matomo.script);
    expect(window._paq).toEqual([
      ['disableCookies'],
      ['setDoNotTrack', true],
      ['setTrackerUrl', matomo.endpoint],
      ['setSiteId', '7'],
      ['setReferrerUrl', ''],
      ['setCustomUrl', 'https://materials.example.org/about'],
      ['setDocumentTitle', 'About'],
      ['trackPageView'],
      ['setReferrerUrl', 'https://materials.example.org/about'],
      ['setCustomUrl', 'https://materials.example.org/team'],
      ['setDocumentTitle', 'Team'],
      ['trackPageView'],
    ]);
  });

  it('disables automatic counting of Plausible, and queues views until its script has loaded', () => {
    const window = page();
    const { script, report } = trackerOf(plausible, window);
    report(VIEW);
    const address = 'https://materials.example.org/about';
    expect(window.plausible?.q).toEqual([['pageview', { u: address, url: address }]]);
    expect(window.plausible?.o).toEqual({ autoCapturePageviews: false, endpoint: plausible.endpoint });
    expect([script.dataset.domain, script.dataset.api]).toEqual([plausible.id, plausible.endpoint]);
  });

  it('disables automatic counting of Baidu, and sends only the path', () => {
    const window = page();
    const { script, report } = trackerOf(baidu, window);
    report(VIEW);
    expect(script.src).toBe(baidu.script);
    expect(window._hmt).toEqual([
      ['_setAutoPageview', false],
      ['_trackPageview', '/about'],
    ]);
  });
});

describe('asksForPrivacy', () => {
  it.each([
    [{}, false],
    [{ doNotTrack: null }, false],
    [{ doNotTrack: '0', globalPrivacyControl: false }, false],
    [{ doNotTrack: 'unspecified' }, false],
    [{ doNotTrack: '1' }, true],
    [{ doNotTrack: 'yes' }, true],
    [{ globalPrivacyControl: true }, true],
  ])('%j: %s', (signals, expected) => {
    expect(asksForPrivacy(signals)).toBe(expected);
  });
});
