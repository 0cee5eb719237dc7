import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import { moveHere } from "../../domain/rounds/move-here.js";
import { recordScan } from "../../domain/rounds/record-scan.js";
import {
  endRound,
  getRound,
  mayDoRound,
  reopenRound,
  type RoundRow,
} from "../../domain/rounds/rounds.js";
import { createToken, idKindOf } from "../../domain/shared/ids.js";
import { hiddenField, readAll, required, textField } from "../forms/form-fields.js";
import { refuseAt, seeOther } from "../forms/form-reply.js";
import { formRoute } from "../forms/form-route.js";
import type { FormRequest, OpenedForm } from "../forms/form-spec.js";
import { keepOfflineFor } from "../layout/offline-cookie.js";
import { describeScan } from "./describe-round.js";
import { EndRoundPage } from "./end-round-page.js";
import { RoundPage } from "./round-page.js";
import { readRoundView } from "./round-view.js";
import { t } from "../../language/translate.js";

const toAddress = (id: string) => `/rounds/${id}`;

const round = {
  script: "scan",
  open: ({ db, caller, id, reply }: FormRequest) => {
    keepOfflineFor(reply, caller);
    return getRound(db, caller, id);
  },
  page: async ({ db, caller, subject }: OpenedForm<RoundRow>) => (
    <RoundPage view={await readRoundView(db, caller, subject)} />
  ),
} as const;

/** `/rounds/:id`: the seen and the missing assets. Scanned codes are posted here, one by one. */
const scanForm = formRoute({
  ...round,
  path: "/rounds/:id",
  fields: {
    code: required(textField("Inventory, label or serial number"), "Scan or type a code."),
    scan_id: hiddenField,
  },
  change: async (tx, { caller, id, given: { code, scan_id = "" } }) => {
    const scan = { id: /^[0-9a-z]{12}$/.test(scan_id) ? scan_id : createToken(), code };
    return describeScan(await recordScan(tx, caller, id, scan), code);
  },
  done: (text, { id }) => seeOther(toAddress(id), text),
});

/** `/rounds/:id/end`: asks first, because the assets not seen become missing. */
const endForm = formRoute({
  path: "/rounds/:id/end",
  open: async ({ db, caller, id, request }: FormRequest) => {
    const found = await getRound(db, caller, id);
    const isAsked = found.ended_at === null && (await mayDoRound(db, caller, found));
    return request.method === "GET" && !isAsked ? seeOther(toAddress(id)) : found;
  },
  change: (tx, { caller, id }) => endRound(tx, caller, id),
  done: (_, { id }) => seeOther(toAddress(id), t("Round ended.")),
  page: async ({ db, caller, subject }) => (
    <EndRoundPage view={await readRoundView(db, caller, subject)} />
  ),
});

const reopenForm = formRoute({
  ...round,
  isPage: false,
  path: "/rounds/:id/reopen",
  change: (tx, { caller, id }) => reopenRound(tx, caller, id),
  done: (isReopened, { id }) =>
    isReopened
      ? seeOther(toAddress(id), t("Round reopened."))
      : refuseAt(toAddress(id), t("This round ended over a day ago. Start a new one.")),
});

const moveForm = formRoute({
  ...round,
  isPage: false,
  path: "/rounds/:id/move",
  check: ({ request }) =>
    readIds(request).length === 0
      ? [{ message: t("Select the assets that belong here first.") }]
      : [],
  change: (tx, { caller, id, request }) => moveHere(tx, caller, id, readIds(request)),
  done: (moved, { id }) =>
    seeOther(
      toAddress(id),
      t("{count, plural, one {# asset moved here.} other {# assets moved here.}}", {
        count: moved.length,
      }),
    ),
});

function readIds({ body }: FastifyRequest): string[] {
  return readAll(body, "ids").filter((one) => idKindOf(one) === "asset");
}

export const roundForms: FastifyPluginAsync = async (app) => {
  for (const form of [scanForm, endForm, reopenForm, moveForm]) await app.register(form);
};
