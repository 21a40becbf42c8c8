/** A link to another site, or the bare words where the operator gave no address. */
import type { ReactNode } from 'react';

interface MaybeLinkProps {
  readonly href: string;
  readonly children: ReactNode;
}

export const MaybeLink = ({ href, children }: MaybeLinkProps) =>
  href === '' ? (
    children
  ) : (
    <a href={href} target="_blank" rel="noopener">
      {children}
    </a>
  );
