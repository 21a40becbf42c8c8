/** People with portrait, name, English name and title. A missing portrait is replaced by the initial. */
import type { Person } from '@unitcell/contract/about';
import { type ReactNode, useState } from 'react';
import classes from './about.module.css';

interface MaybeLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

/** A link to another site, or plain text if the operator set no address. */
export const MaybeLink = ({ href, children }: MaybeLinkProps) =>
  href === '' ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  );

function Portrait({ person }: { readonly person: Person }) {
  const [isBroken, setBroken] = useState(person.avatar === '');
  if (isBroken)
    return (
      <span className={classes.portrait} aria-hidden="true">
        {Array.from(person.name)[0]}
      </span>
    );
  return (
    <img
      className={classes.portrait}
      src={person.avatar}
      alt=""
      width={64}
      height={64}
      loading="lazy"
      onError={() => setBroken(true)}
    />
  );
}

export const People = ({ people }: { readonly people: readonly Person[] }) => (
  <ul className={`uc-list ${classes.people}`}>
    {people.map((person) => (
      <li key={person.name + person.ename} className={`uc-line ${classes.person}`}>
        <Portrait person={person} />
        <span>
          <strong className={classes.personName}>{person.name}</strong>
          {person.ename !== '' && person.ename !== person.name && (
            <span className={classes.personEname}>{person.ename}</span>
          )}
          <span className={`uc-hint ${classes.personTitle}`}>{person.title}</span>
        </span>
      </li>
    ))}
  </ul>
);
