import { withDatabase } from "./database.js";
import type { Io } from "./io.js";

export async function runMigrate(io: Io): Promise<void> {
  await withDatabase(io, async () => {
    io.write("The database is up to date.");
  });
}
