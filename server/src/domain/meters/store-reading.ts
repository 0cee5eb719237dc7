import type { Tx } from "../../db/database.js";
import { type Meter, MeterReading } from "../../db/entities/meters.js";
import type { Caller } from "../access/caller.js";
import { createId } from "../shared/ids.js";
import type { FoundMeter } from "./meters.js";

/** A validated reading: the value fits, and the time is not in the future. */
export interface ReadNow {
  value: number;
  isReplaced?: boolean | undefined;
  at: Date;
}

export interface OfMeter {
  asset: { id: string; workspace_id: string | null };
  meter: FoundMeter;
}

export async function insertReading(
  tx: Tx,
  caller: Caller,
  { id: meter_id }: Pick<Meter, "id">,
  reading: Pick<MeterReading, "value" | "total" | "read_at" | "replaced">,
): Promise<void> {
  const { organizationId: organization_id, userId: recorded_by, source } = caller;
  const id = createId("reading");
  await tx.insert(MeterReading, { ...reading, id, meter_id, organization_id, recorded_by, source });
}
