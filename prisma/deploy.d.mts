export interface Migration {
  name: string;
  sql: string;
  checksum: string;
}
export function readMigrations(directory?: string): Migration[];
export function deployMigrations(url: string, options?: { directory?: string }): Promise<string[]>;
