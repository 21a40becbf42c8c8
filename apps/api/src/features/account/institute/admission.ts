/** Admission by directory groups: who may sign in, and with which user type. */
import type { LdapConfig } from '../../../config/institute.ts';

/** The institute knows the person, but the operator's allowed groups do not include them. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const COMMON = 1;
const INTERNAL = 2;

/** The plain name of a group given by its distinguished name: `cn=staff,ou=groups,…` gives staff. */
const plainName = (group: string): string => /^cn=((?:[^,\\]|\\.)+)/i.exec(group)?.[1] ?? group;

/** The user type derived from groups; null when no group determines it. */
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
