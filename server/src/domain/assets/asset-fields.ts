import { assetFields } from "../../db/entities/assets.js";
import type { Given, Stored } from "../../db/fields.js";
import { AppError } from "../../errors.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { cleanFields } from "../shared/clean-fields.js";

/** Fields that people enter about an asset and that reference nothing else, by column name. */
export type PlainFields = Stored<typeof assetFields>;

export type GivenFields = Given<typeof assetFields>;

export function cleanAssetFields(caller: Caller, given: GivenFields): Partial<PlainFields> {
  const fields = cleanFields(assetFields, given);
  const today = todayOf(caller);
  if (fields.purchase_date != null && fields.purchase_date > today) {
    const details = { field: "purchase_date", day: fields.purchase_date, today };
    throw new AppError("validation_failed", "after_today", details);
  }
  return fields;
}

/** Checks rules between fields, on the values to be stored. */
export function checkTogether(
  fields: Pick<PlainFields, "purchase_date" | "warranty_expires_on">,
): void {
  const { purchase_date: bought, warranty_expires_on: ends } = fields;
  if (bought !== null && ends !== null && ends < bought) {
    const other = { otherField: "purchase_date", otherDay: bought };
    const details = { field: "warranty_expires_on", day: ends, ...other };
    throw new AppError("validation_failed", "before_other_day", details);
  }
}
