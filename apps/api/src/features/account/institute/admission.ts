/** Who of an institute is let in, and as what, by the groups its directory lists. */
import type { LdapConfig } from '../../../config/institute.ts';

/** The institute knows the person, but its operator lets only others in. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const COMMON = 1;
const INTERNAL = 2;

/** The plain name of a group that is named by its place in a directory: `cn=staff,ou=groups,…` is staff. */
const plainName = (group: string): string => /^cn=((?:[^,\\]|\\.)+)/i.exec(group)?.[1] ?? group;

/**
 * The type of user that groups make of a person; null: they do not say.
 * @throws NotAllowed
 */
export function userTypeOf(
  groups: readonly string[],
  { allowedGroups, internalGroups }: Pick<LdapConfig, 'allowedGroups' | 'internalGroups'>,
): number | null {
  const names = new Set(groups.flatMap((group) => [group.toLowerCase(), plainName(group).toLowerCase()]));
  const isIn = (wanted: readonly string[]) => wanted.some((group) => names.has(group.toLowerCase()));
  if (allowedGroups.length > 0 && !isIn(allowedGroups))
    throw new NotAllowed('is in none of the allowed groups');
  if (internalGroups.length === 0) return null;
  return isIn(internalGroups) ? INTERNAL : COMMON;
}
