/** What the owner of an account recognises a session by. */

const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/MicroMessenger\//, 'WeChat'],
  [/Edg(?:e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\/|Chromium\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/HarmonyOS/, 'HarmonyOS'],
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Linux`; what says neither is shown as it is, shortened. */
export function deviceName(userAgent: string): string {
  const browser = BROWSERS.find(([pattern]) => pattern.test(userAgent))?.[1];
  const system = SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1];
  if (browser && system) return `${browser} on ${system}`;
  return (
    browser ??
    system ??
    userAgent
      .replace(/[^\x20-\x7e]/g, '')
      .slice(0, 40)
      .trim()
  );
}

/** `192.0.2.*`, `2001:db8:1:2:*`: enough to recognise a network by. */
export function maskAddress(address: string): string {
  if (address.includes('.')) return address.replace(/\.\d+$/, '.*');
  return address.includes(':') ? `${address.split(':').slice(0, 4).join(':')}:*` : address;
}
