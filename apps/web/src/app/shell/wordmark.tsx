/** The mark (a unit cell with a body centre) and the name. */
import classes from './shell.module.css';

export const Wordmark = () => (
  <span className={classes.wordmark}>
    <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
      <g fill="none" stroke="currentColor" strokeWidth="1.7" strokeLinejoin="round">
        <path d="M16 2.5 28 9.3v13.4L16 29.5 4 22.7V9.3z" />
        <path d="M16 16v13.5M16 16l12-6.7M16 16 4 9.3" opacity="0.55" />
      </g>
      <circle cx="16" cy="16" r="3.6" fill="var(--uc-orpiment)" />
    </svg>
    Unitcell
  </span>
);
