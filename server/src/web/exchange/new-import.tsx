import { createReadStream } from "node:fs";
import type { VNode } from "preact";
import { requireOrganizationAdmin } from "../../domain/access/roles.js";
import { importKinds, type ImportKind } from "../../domain/exchange/import-kinds.js";
import { pieceSize } from "../../domain/exchange/import-files.js";
import { readSettings } from "../../domain/exchange/import-settings.js";
import { startImport } from "../../domain/exchange/imports.js";
import { createOnce } from "../../domain/history/idempotency.js";
import { commit } from "../../domain/history/transactions.js";
import { maxFileBytes, maxRows } from "../../domain/exchange/read-table.js";
import { AppError } from "../../errors.js";
import { t, translated } from "../../language/translate.js";
import { importAddress } from "../history/changes/addresses.js";
import { FileInput, FormActions, PostForm, Select, toOptions } from "../forms/controls.js";
import { choiceField, required, textField } from "../forms/form-fields.js";
import { seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import { readFormKey } from "../forms/key-and-version.js";
import { Page } from "../layout/layout.js";
import { PageHead } from "../layout/page-head.js";
import { formatNumber } from "../text/format.js";
import { importWords } from "./import-words.js";
import { runPlan } from "./run-import.js";

export const kindLabels: Record<ImportKind, string> = translated({
  assets: "Assets",
  tasks: "Tasks",
  people: "People",
  workspaces: "Workspaces",
});

const megabytes = Math.round(maxFileBytes / 1_048_576);

/** `/import`: turns a file into a plan. The person reviews the plan before anything is stored. */
export const newImportForm = formRoute({
  path: importAddress,
  upload: { maxFiles: 1, maxMegabytes: maxFileBytes / 1_048_576 },
  limit: "import",
  open: ({ db, caller }) => requireOrganizationAdmin(db, caller, "import"),
  fields: {
    kind: required(choiceField("File contents", importKinds), "Choose what the file contains."),
    file: textField("File"),
  },
  begin: ({ query }) => ({ kind: importKinds.find((one) => one === query("kind")) ?? "assets" }),
  once: "import",
  inTransaction: false,
  change: async (_tx, { app, request, caller, given: { kind } }) => {
    const [upload] = request.uploads;
    if (upload === undefined)
      throw new AppError("validation_failed", "file_missing", { field: "file" });
    if (upload.isTooLarge) {
      throw new AppError("validation_failed", "file_too_large", { field: "file", megabytes });
    }
    // In memory only during its turn, because many requests may arrive at once.
    const settings = await app.services.readInTurn(caller.organizationId, async () =>
      readSettings(kind, await upload.read(), importWords()),
    );
    const file = () => createReadStream(upload.path, { highWaterMark: pieceSize });
    const title = upload.name.replaceAll(/[\p{Cc}\p{Cf}]/gu, "").slice(-200) || "File";
    const intended = {
      tool: "web:import",
      requestKey: readFormKey(request.body),
      arguments: { kind, title, bytes: upload.bytes },
    };
    const { id, deduplicated } = await commit({ db: request.db, caller }, (tx) =>
      createOnce(tx, caller, intended, async () => ({
        id: await startImport(tx, caller, { file, title, settings }),
      })),
    );
    if (deduplicated !== true) await runPlan({ app, caller }, id);
    return id;
  },
  done: (id) => seeOther(`${importAddress}/${id}`),
  page: () => <NewImportPage />,
});

function NewImportPage(): VNode {
  return (
    <Page title={t("Import")} current={importAddress}>
      <PageHead title={t("Import")} />
      <p>
        {t(
          "Import assets, tasks, people or workspaces from a spreadsheet. You preview every change first, and can undo the import.",
        )}
      </p>
      <PostForm hasFiles>
        <Select name="kind" options={toOptions(kindLabels)} />
        <FileInput
          name="file"
          required
          accept=".csv,.tsv,.txt,.xlsx"
          help={t(
            "CSV or Excel (.xlsx) with a header row, up to {megabytes} MB and {rows} rows. Exports from Snipe-IT, Shelf, Homebox and Atlas CMMS also work.",
            { megabytes, rows: formatNumber(maxRows) },
          )}
        />
        <FormActions submit={t("Preview import")} />
      </PostForm>
      <h2>{t("How rows are matched")}</h2>
      <p class="soft">
        {t(
          "Assets are matched by inventory number, or by serial number if a row has none. Tasks are matched by task number, workspaces by name. Empty cells change nothing. People are invited by email.",
        )}
      </p>
    </Page>
  );
}
