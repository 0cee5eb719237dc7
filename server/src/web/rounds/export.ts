import type { FastifyPluginAsync, FastifyRequest } from "fastify";
import type { Caller } from "../../domain/access/caller.js";
import { readFindings, type Finding } from "../../domain/rounds/find-findings.js";
import { getRound, type RoundOutcome } from "../../domain/rounds/rounds.js";
import { toCell } from "../../domain/exchange/cell-texts.js";
import type { SheetRow } from "../../domain/exchange/headings.js";
import { addExports } from "../lists/export-route.js";

/** In English, because programs read it. */
const outcomeLabels: Record<RoundOutcome, string> = {
  seen: "Seen",
  elsewhere: "Belongs elsewhere",
  retired: "Retired",
  unknown: "Unknown code",
  missing: "Not seen",
};

const columns = {
  outcome: ({ outcome }: Finding) => outcomeLabels[outcome],
  inventory_number: ({ asset }: Finding) => asset?.inventory_number,
  name: ({ asset }: Finding) => asset?.name,
  code: ({ code }: Finding) => code,
  workspace_id: ({ asset }: Finding) => asset?.workspace_name,
  location: ({ asset }: Finding) => asset?.location,
  found_by: (finding: Finding) => finding.found_by,
  found_at: (finding: Finding) => finding.found_at,
};

/** `/rounds/:id/findings.csv` and `.xlsx`: all findings of a round. */
export const roundExports: FastifyPluginAsync = async (app) => {
  addExports(app, {
    path: "/rounds/:id/findings",
    name: "round",
    columns: Object.keys(columns),
    find: exportFindings,
  });
};

async function* exportFindings(
  request: FastifyRequest,
  caller: Caller,
): AsyncGenerator<SheetRow[]> {
  const { id } = request.params as { id: string };
  const db = request.db;
  const round = await getRound(db, caller, id);
  for await (const findings of readFindings(db, caller, round)) {
    yield findings.map((finding) =>
      Object.entries(columns).map(([name, read]) => toCell(name, read(finding))),
    );
  }
}
