import type { FastifyPluginAsync } from "fastify";
import type { Tx } from "../../db/database.js";
import { readFile } from "../../domain/exchange/import-files.js";
import { importFields } from "../../domain/exchange/import-kinds.js";
import { readSettings, type ImportSettings } from "../../domain/exchange/import-settings.js";
import { changeSettings, getImport } from "../../domain/exchange/imports.js";
import { choicesOf } from "../../domain/exchange/read-choices.js";
import { findChosen, type Place } from "../../domain/exchange/read-values.js";
import { findWrongCells } from "../../domain/exchange/wrong-rows.js";
import { commit } from "../../domain/history/transactions.js";
import { startApplying } from "../../domain/exchange/apply-import.js";
import { styles } from "../../domain/exchange/cell-styles.js";
import { delimiters, encodings } from "../../domain/exchange/read-csv.js";
import { meaningsOf } from "../../domain/exchange/read-money.js";
import type { TableFormat } from "../../domain/exchange/read-table.js";
import type { Caller } from "../../domain/access/caller.js";
import { AppError } from "../../errors.js";
import { importAddress } from "../history/changes/addresses.js";
import { toFormErrors } from "../forms/form-errors.js";
import { readText } from "../forms/form-fields.js";
import { refuseAt, seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest } from "../forms/form-spec.js";
import { valueName } from "./fix-step.js";
import { importWords } from "./import-words.js";
import { newPlace, placeValues } from "./place-choice.js";
import { runImport, runPlan } from "./run-import.js";

const addressOf = (id: string) => `${importAddress}/${id}`;
const back = (error: unknown, { id }: FormRequest) =>
  refuseAt(addressOf(id), toFormErrors(error)[0]?.message);

async function apply(form: FormRequest) {
  await runImport(form, form.id);
  return seeOther(addressOf(form.id));
}

async function plan(form: FormRequest) {
  await runPlan(form, form.id);
  const step = ["map", "fix"].find((one) => one === readText(form.request.body, "step"));
  return seeOther(addressOf(form.id) + (step === undefined ? "" : `#${step}`));
}

const applyForm = formRoute({
  path: `${importAddress}/:id/apply`,
  change: (tx, { caller, id }) => startApplying(tx, caller, id),
  toErrors: back,
  done: (_, form) => apply(form),
});

/** Continues an interrupted import. Storing resumes where it ended. Planning restarts. */
const continueForm = formRoute({
  path: `${importAddress}/:id/continue`,
  change: async (tx, { caller, id }) => {
    const { state, settings } = await getImport(tx, caller, id);
    if (state === "reading") await changeSettings(tx, caller, id, settings as ImportSettings);
    return state;
  },
  toErrors: back,
  done: (state, form) => (state === "reading" ? plan(form) : apply(form)),
});

/** Reads the file again with other settings and makes a new plan. */
const columnsForm = formRoute({
  path: `${importAddress}/:id/columns`,
  // Reading the file waits in a queue, so no connection is held.
  inTransaction: false,
  change: async (db, form) => {
    const { request, caller, id } = form;
    const { settings } = await getImport(db, caller, id);
    const changed = await readAgain(db, form, settings as ImportSettings);
    await commit({ db: request.db, caller }, async (tx) => {
      await getImport(tx, caller, id);
      await changeSettings(tx, caller, id, changed);
    });
  },
  toErrors: back,
  done: (_, form) => plan(form),
});

async function readAgain(
  db: Tx,
  { app, request: { body }, caller, id }: FormRequest,
  before: ImportSettings,
): Promise<ImportSettings> {
  const format = readFormat(body, before.format);
  const isOther = JSON.stringify(format) !== JSON.stringify(before.format);
  if (isOther) {
    // In memory only during its turn, because many requests may arrive at once.
    return app.services.readInTurn(caller.organizationId, async () =>
      readSettings(before.of, await readFile(db, caller, id), importWords(), format),
    );
  }
  const corrections = await readCorrections(db, caller, { id, body, before });
  const columns = before.headings.map((_, at) => {
    const field = readText(body, `column_${at}`);
    return Object.hasOwn(importFields[before.of], field) ? field : null;
  });
  const isFirst = (field: string | null, at: number) => columns.indexOf(field) === at;
  return {
    ...before,
    doubtful: [],
    corrections,
    chosenValues: readChosenValues(body, before),
    place: readPlace(body, before),
    columns: columns.map((field, at) => (isFirst(field, at) ? field : null)),
    usualCurrencies: columns.map((_, at) => {
      const given = readText(body, `currency_${at}`);
      return [before.onlyCurrencies?.[at], caller.currency].find((one) => one === given) ?? null;
    }),
    signCurrencies: columns.map((_, at) => {
      const meanings = meaningsOf(before.sharedSigns?.[at] ?? "");
      return meanings.find((one) => one === readText(body, `sign_${at}`)) ?? null;
    }),
    styles: columns.map(
      (_, at) => styles.find((one) => one === readText(body, `style_${at}`)) ?? null,
    ),
  };
}

function readPlace(body: unknown, { headings }: ImportSettings): Place | null {
  const given = readText(body, "place");
  if (given === newPlace) {
    const name = readText(body, "place_name").trim();
    return name === "" ? null : { name };
  }
  if (given.startsWith(placeValues.named)) return { name: given.slice(placeValues.named.length) };
  const at = headings.findIndex((_, column) => given === `${placeValues.column}${column}`);
  return at === -1 ? null : { column: at };
}

/** Keeps the earlier choices of other columns. */
function readChosenValues(body: unknown, { of, unknown = [], chosenValues = [] }: ImportSettings) {
  const chosen = unknown.flatMap((one) => {
    const { field, word } = one;
    const value = choicesOf(of, field).find((each) => each === readText(body, valueName(one)));
    return value === undefined ? [] : [{ field, word, value }];
  });
  return [...chosenValues.filter((one) => findChosen(unknown, one) === undefined), ...chosen];
}

/** Returns the corrected cells, including those from before. */
async function readCorrections(
  db: Tx,
  caller: Caller,
  { id, body, before }: { id: string; body: unknown; before: ImportSettings },
): Promise<NonNullable<ImportSettings["corrections"]>> {
  const given = Object.keys(body as object).flatMap((name) => {
    const [, line, at] = /^cell_(\d{1,7})_(\d{1,3})$/.exec(name) ?? [];
    return line === undefined ? [] : [{ name, line, at: Number(at) }];
  });
  const shown = await findWrongCells(
    db,
    caller,
    id,
    given.map(({ line }) => Number(line)),
  );
  const corrections = { ...before.corrections };
  for (const { name, line, at } of given) {
    const text = readText(body, name).replaceAll(/\p{Cc}/gu, " ");
    const cells = shown.get(Number(line));
    if (cells === undefined || at >= before.headings.length || text === (cells[at] ?? "")) continue;
    corrections[line] = { ...corrections[line], [at]: text };
  }
  return corrections;
}

function readFormat(body: unknown, before: ImportSettings["format"]): TableFormat {
  if (before.format === "values") throw new AppError("conflict", "import_not_planned");
  if (before.format !== "csv") return before;
  const encoding = encodings.find((one) => one === readText(body, "encoding"));
  const delimiter = delimiters.find((one) => one === readText(body, "delimiter"));
  return {
    format: "csv",
    encoding: encoding ?? before.encoding,
    delimiter: delimiter ?? before.delimiter,
  };
}

export const importActs: FastifyPluginAsync = async (app) => {
  await app.register(applyForm);
  await app.register(continueForm);
  await app.register(columnsForm);
};
