/** The landing page (spec §2.3): headline, counters, four live figures, team, supporters. */
import type { AboutData } from '@unitcell/contract/about';
import { type ReactNode, useCallback, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { PanelBoundary } from '../../../components/failure.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { lazyPart } from '../../../lib/lazy-part.tsx';
import { useIdleRender } from '../../../lib/use-idle-render.ts';
import { useNear } from '../../../lib/use-near.ts';
import { openLogin } from '../../../lib/session.ts';
import { readStored, writeStored } from '../../../lib/storage.ts';
import { useAboutData } from '../../../lib/use-about-data.ts';
import { aboutTexts } from '../texts.ts';
import classes from './home.module.css';
import { MaybeLink, People } from './people.tsx';
import tourClasses from './tour.module.css';

// The figures compute their content, so they load after the page; their space is reserved.
const Perovskite = lazyPart(async () => (await import('./figures.tsx')).Perovskite);
const TitaniumOxides = lazyPart(async () => (await import('./figures.tsx')).TitaniumOxides);
const SiliconPattern = lazyPart(async () => (await import('./figures.tsx')).SiliconPattern);
const GrapheneBands = lazyPart(async () => (await import('./figures.tsx')).GrapheneBands);
const ElementPicker = lazyPart(async () => (await import('./figures.tsx')).ElementPicker);
const Tour = lazyPart(async () => (await import('./tour.tsx')).Tour);

/** Local storage flag: the tour was finished or closed, so the page no longer offers it. */
const TOUR_KEY = 'tourSeen';

export function Page() {
  const { t } = useTexts(aboutTexts);
  const about = useAboutData();
  return (
    <>
      <section className={`uc-page ${classes.hero}`}>
        <div>
          <h1 className={classes.headline}>{t('headline')}</h1>
          <p className={classes.lede}>{t('lede')}</p>
          <div className={`uc-row ${classes.actions}`}>
            <button
              type="button"
              className={classes.start}
              data-tour="search"
              onClick={() => openLogin('/matdata')}
            >
              {t('start')}
            </button>
            <Link to="/about">{t('learn')}</Link>
            <TourOffer />
          </div>
          <Counters data={about.data} />
        </div>
        <figure className={classes.crystal}>
          <Live className={classes.stage}>
            <Perovskite />
          </Live>
          <figcaption>SrTiO₃ · {t('figCrystal')}</figcaption>
        </figure>
      </section>
      <section className={`uc-page ${classes.tools}`} aria-labelledby="tools">
        <h2 id="tools" className={classes.heading}>
          {t('tools')}
        </h2>
        <div className={classes.grid}>
          <Feature title={t('toolSearchTitle')} text={t('toolSearchText')} caption={t('figSearch')}>
            <ElementPicker />
          </Feature>
          <Feature title={t('toolHullTitle')} text={t('toolHullText')} caption={t('figHull')}>
            <TitaniumOxides />
          </Feature>
          <Feature title={t('toolXrdTitle')} text={t('toolXrdText')} caption={t('figXrd')}>
            <SiliconPattern />
          </Feature>
          <Feature title={t('toolBandTitle')} text={t('toolBandText')} caption={t('figBand')}>
            <GrapheneBands />
          </Feature>
        </div>
      </section>
      <PanelBoundary>{about.data && <Community data={about.data} />}</PanelBoundary>
    </>
  );
}

/** Offers the tour. After the tour the button stays on the page, so that focus can return to it. */
function TourOffer() {
  const { t } = useTexts(aboutTexts);
  const [isOffered] = useState(() => readStored(TOUR_KEY) === null);
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const end = useCallback(() => {
    writeStored(TOUR_KEY, 'yes');
    setOpen(false);
    button.current?.focus();
  }, []);
  if (!isOffered) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className={`uc-link-button ${tourClasses.offer}`}
        onClick={() => setOpen(true)}
      >
        {t('tour')}
      </button>
      {isOpen && (
        <PanelBoundary waiting={null}>
          <Tour onEnd={end} />
        </PanelBoundary>
      )}
    </>
  );
}

interface LiveProps {
  readonly className: string | undefined;
  readonly children: ReactNode;
}

/** An empty box, in which the figure is drawn once it is scrolled near the window. */
function Live({ className, children }: LiveProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNear(place);
  const isDrawn = useIdleRender();
  return (
    <div ref={place} className={className}>
      <PanelBoundary waiting={null}>{isNear && isDrawn && children}</PanelBoundary>
    </div>
  );
}

function Counters({ data }: { readonly data: AboutData | undefined }) {
  const { t } = useTexts(aboutTexts);
  return (
    <dl className={classes.counters} aria-label={t('counters')}>
      {(['compounds', 'band_structures', 'phase_diagrams'] as const).map((key) => (
        <div key={key}>
          <dt>{t(key)}</dt>
          <dd>{formatCount(data?.[key])}</dd>
        </div>
      ))}
    </dl>
  );
}

interface FeatureProps {
  readonly title: string;
  readonly text: string;
  readonly caption?: string;
  readonly children: ReactNode;
}

const Feature = ({ title, text, caption, children }: FeatureProps) => (
  <article className={classes.feature}>
    <figure className={classes.plate}>
      <Live className={classes.drawing}>{children}</Live>
      {caption && <figcaption>{caption}</figcaption>}
    </figure>
    <h3 className={classes.featureTitle}>{title}</h3>
    <p className={`uc-note ${classes.featureText}`}>{text}</p>
  </article>
);

/** A supporter's logo, or the name if the image is missing. */
function Logo({ name, address }: { readonly name: string; readonly address: string }) {
  const [isBroken, setBroken] = useState(address === '');
  if (isBroken) return name;
  return <img src={address} alt={name} height={40} loading="lazy" onError={() => setBroken(true)} />;
}

function Community({ data }: { readonly data: AboutData }) {
  const { t } = useTexts(aboutTexts);
  return (
    <>
      {data.team.length > 0 && (
        <section className={`uc-page ${classes.tools}`} aria-labelledby="team">
          <h2 id="team" className={classes.heading}>
            {t('team')}
          </h2>
          <People people={data.team} />
        </section>
      )}
      {data.supporters.length > 0 && (
        <section className={`uc-page ${classes.tools}`} aria-labelledby="supporters">
          <h2 id="supporters" className={classes.heading}>
            {t('supporters')}
          </h2>
          <ul className={`uc-list uc-wrap ${classes.supporters}`}>
            {data.supporters.map(({ name, link, logo }) => (
              <li key={name}>
                <MaybeLink href={link}>
                  <Logo name={name} address={logo} />
                </MaybeLink>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
