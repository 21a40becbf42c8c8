export interface Client {
  query(
    sql: string,
    values?: readonly unknown[],
  ): Promise<{ rows: Record<string, unknown>[]; rowCount: number | null }>;
}
export function withDatabase(url: string, database: string): string;
export function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T>;
export function ensureDatabase(adminUrl: string, name: string): Promise<void>;
