export interface TestServer {
  url: string;
  description: string;
  stop(): Promise<unknown>;
}
export interface DatabaseCopy {
  url: string;
  drop(): Promise<void>;
}
export function startTestPostgres(env?: NodeJS.ProcessEnv): Promise<TestServer>;
export function ensureTemplate(serverUrl: string): Promise<string>;
export function createDatabaseCopy(serverUrl: string, template: string): Promise<DatabaseCopy>;
