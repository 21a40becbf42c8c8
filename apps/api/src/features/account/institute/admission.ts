/** Admission by directory groups: who may sign in, and with which user type. */
import type { LdapConfig } from '../../../config/institute.ts';

/** Error: the institute knows the person, but the person is in none of the operator's allowed groups. */
export class NotAllowed extends Error {
  override readonly name = 'NotAllowed';
}

const COMMON = 1;
const INTERNAL = 2;

/** The plain name of a group from its distinguished name: `staff` from `cn=staff,ou=groups,…`. */
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
