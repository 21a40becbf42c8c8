/** Colour of a phase: a full turn of hue at one lightness, so that no phase looks more important than another. */
export function phaseColour(phaseRad: number): string {
  const degrees = ((((phaseRad * 180) / Math.PI + 250) % 360) + 360) % 360;
  return `oklch(0.66 0.15 ${Math.round(degrees)})`;
}

/** Kinds of site in turn; more kinds than colours repeat with an open circle. */
export const SITE_COLOURS = [
  'var(--uc-prussian)',
  'var(--uc-cinnabar)',
  'var(--uc-malachite)',
  'var(--uc-orpiment)',
  'var(--uc-amethyst)',
  'var(--uc-cat-halogen)',
  'var(--uc-cat-lanthanide)',
  'var(--uc-cat-metalloid)',
] as const;

export const siteColour = (orbit: number): string =>
  SITE_COLOURS[orbit % SITE_COLOURS.length] ?? 'var(--uc-ink)';
export const isOpenSite = (orbit: number): boolean => orbit >= SITE_COLOURS.length;
