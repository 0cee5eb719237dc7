import type { VNode } from "preact";
import { isOrganizationAdmin, type Caller } from "../../../domain/access/caller.js";
import { mayAddAssets } from "../../../domain/assets/asset-permissions.js";
import { labelCodeOf } from "../../../domain/assets/asset-sightings.js";
import type { WorkspaceChoice } from "../../../domain/organizations/workspace-choices.js";
import { toAddress } from "../../lists/pager.js";
import { t } from "../../../language/translate.js";

/** The ways in which the caller may add an asset for an unknown code. */
export interface NewWays {
  /** Only workspace admins set inventory numbers. */
  number: boolean;
  serial: boolean;
}

const maxNumber = 64;
const maxSerial = 120;

/** `workspaces` must contain all that the caller sees. */
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

export function AddScanned({
  code,
  ways,
  workspace = "",
}: {
  code: string;
  ways: NewWays | undefined;
  /** The workspace of the scan. */
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
