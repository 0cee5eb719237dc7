import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { mayAddAssets } from "../../../domain/assets/asset-permissions.js";
import { labelCodeOf } from "../../../domain/assets/asset-sightings.js";
import type { WorkspaceChoice } from "../../../domain/organizations/workspace-choices.js";
import { toAddress } from "../../lists/pager.js";
import { t } from "../../../language/translate.js";

/** As what somebody may add an asset for a code that is of none. */
export interface NewWays {
  /** Numbers are given by admins of a workspace. */
  number: boolean;
  serial: boolean;
}

const maxNumber = 64;
const maxSerial = 120;

/** `workspaces` are all that the caller sees. */
export function findNewWays(
  caller: Caller,
  workspaces: readonly WorkspaceChoice[],
  code: string,
): NewWays {
  const isAddress = code.includes("/") && labelCodeOf(code) !== undefined;
  const mayAdd = !isAddress && mayAddAssets(caller, workspaces);
  const mayNumber = isOrganizationAdmin(caller) || workspaces.some(({ role }) => role === "admin");
  return {
    number: mayAdd && mayNumber && code.length <= maxNumber,
    serial: mayAdd && code.length <= maxSerial,
  };
}

/** The way on from a code that is of no asset. */
export function AddScanned({
  code,
  ways,
  workspace = "",
}: {
  code: string;
  ways: NewWays | undefined;
  /** Where it was scanned. */
  workspace?: string;
}): VNode | null {
  if (ways === undefined || !(ways.number || ways.serial)) return null;
  const to = (field: "number" | "serial") =>
    toAddress(
      "/assets/new",
      new URLSearchParams({ [field]: code, ...(workspace !== "" && { workspace }) }),
    );
  return (
    <p class="no-print">
      {ways.number && <a href={to("number")}>{t("Create an asset with this number")}</a>}
      {ways.number && ways.serial && " · "}
      {ways.serial && <a href={to("serial")}>{t("Create an asset with this serial number")}</a>}
    </p>
  );
}
