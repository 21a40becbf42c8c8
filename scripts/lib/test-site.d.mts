export interface TestSite {
  url: string;
  databaseUrl: string;
  /** What api and worker printed for the terminal. */
  printed: string[];
  /** The last SMS code printed for a mobile number. */
  smsCode(mobile: string): string | undefined;
  stop(): Promise<void>;
}
export function startTestSite(options?: { seed?: boolean; env?: NodeJS.ProcessEnv }): Promise<TestSite>;
