import type { Pool } from "pg";
import type { Database } from "./database.js";

/** The connections of a data source while it is open; TypeORM keeps them to itself. */
export function poolOf({ source: { driver } }: Database): Pool | undefined {
  return (driver as unknown as { master?: Pool }).master;
}
