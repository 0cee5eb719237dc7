import type { Pool, PoolClient } from "pg";
import { QueryFailedError, type DataSource } from "typeorm";

export interface Answer {
  records: unknown[];
  affected?: number | null;
}

export function isEmbedded({ source: { options } }: { source: DataSource }): boolean {
  return options.type === "postgres" && options.url === undefined;
}

/** Returns the pool of an open data source, which TypeORM hides. The embedded database has none. */
export function poolOf({ source }: { source: DataSource }): Pool | undefined {
  if (isEmbedded({ source })) return undefined;
  return (source.driver as unknown as { master?: Pool }).master;
}

/** Sends one statement. Throws TypeORM's errors. */
export async function sendOn(client: PoolClient, sql: string, values: unknown[]): Promise<Answer> {
  try {
    const { rows, rowCount } = await client.query<object>(sql, values);
    return { records: rows, affected: rowCount };
  } catch (error) {
    throw new QueryFailedError(sql, values, error as Error);
  }
}
