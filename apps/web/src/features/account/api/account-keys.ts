/** Keys of what is asked about the account; those with a token after them differ by who is signed in. */
export const accountKeys = {
  all: ['account'],
  user: ['account', 'user'],
  sessions: ['account', 'sessions'],
  apiKeys: ['account', 'keys'],
  secondFactor: ['account', 'second-factor'],
  secondFactorKey: ['account', 'second-factor-key'],
  providers: ['account', 'providers'],
} as const;
