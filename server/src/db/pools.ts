import type { Pool } from "pg";
import type { DataSource } from "typeorm";

/** The connections of a data source while it is open; TypeORM keeps them to itself. */
export function poolOf({ driver }: DataSource): Pool | undefined {
  return (driver as unknown as { master?: Pool }).master;
}
