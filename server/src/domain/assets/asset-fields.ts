import { assetFields } from "../../db/entities/asset.js";
import type { Given, Stored } from "../../db/fields.js";
import type { Caller } from "../access/caller.js";
import { todayOf } from "../access/clock.js";
import { cleanFields, wrongField } from "../fields/clean-fields.js";

/** What people enter about an asset and that refers to nothing else, by column name. */
export type PlainFields = Stored<typeof assetFields>;

export type GivenFields = Given<typeof assetFields>;

/** Cleans the given fields; what does not fit is refused with a sentence that names the field. */
export function cleanAssetFields(caller: Caller, given: GivenFields): Partial<PlainFields> {
  const fields = cleanFields(assetFields, given);
  const today = todayOf(caller);
  if (fields.purchase_date != null && fields.purchase_date > today) {
    throw wrongField("purchase_date", `${fields.purchase_date} lies after today, ${today}`);
  }
  return fields;
}

/** Rules between fields, on the values as they will be stored. */
export function checkTogether(
  fields: Pick<PlainFields, "purchase_date" | "warranty_expires_on">,
): void {
  const { purchase_date: bought, warranty_expires_on: ends } = fields;
  if (bought !== null && ends !== null && ends < bought) {
    throw wrongField("warranty_expires_on", `${ends} lies before purchase_date ${bought}`);
  }
}
