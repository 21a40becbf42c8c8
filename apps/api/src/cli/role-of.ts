/** Roles as an operator types them. */
import { ACCOUNT_ROLES, type AccountRole } from '@unitcell/contract';

export const isRole = (typed: string): typed is AccountRole => ACCOUNT_ROLES.some((role) => role === typed);
