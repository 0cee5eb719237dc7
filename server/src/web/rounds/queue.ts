import type { FastifyPluginAsync } from "fastify";
import { z } from "zod";
import { commit } from "../../domain/history/transactions.js";
import { recordScan } from "../../domain/rounds/record-scan.js";
import { AppError } from "../../errors.js";
import { readFields } from "../forms/form-fields.js";
import { callerOf } from "../layout/reply.js";
import { describeRefusalForPeople } from "../text/refusals-for-people.js";
import { describeScan } from "./describe-round.js";

/** The maximum number of scans per request. See `rounds.js`. */
const maxScans = 20;

const scansSchema = z
  .array(
    z.object({
      id: z.string().regex(/^[0-9a-z]{12,32}$/),
      code: z.string(),
      seconds_ago: z.number().int().min(0),
    }),
  )
  .max(maxScans);

/** Errors about the session, the role, or the visibility of the workspace. */
const ends = new Set<AppError["code"]>(["forbidden", "not_found"]);

interface Answered {
  id: string;
  text: string;
}

/**
 * `POST /rounds/:id/queue`: scans that waited in a browser, sent by its script. Each is stored
 * separately, and once however often it is sent. The response lists the scans that the browser may
 * delete, and those that can never be stored.
 */
export const queueRoute: FastifyPluginAsync = async (app) => {
  app.post<{ Params: { id: string } }>("/rounds/:id/queue", async (request, reply) => {
    const caller = callerOf(request);
    const { person, scans } = readFields(request.body, ["person", "scans"]);
    if (person !== caller.userId) throw new AppError("forbidden", "scans_of_other_person");
    const stored: Answered[] = [];
    const refused: Answered[] = [];
    for (const { id, code, seconds_ago } of readScans(scans)) {
      const scan = { id, code, secondsAgo: seconds_ago };
      try {
        const recorded = await commit({ db: request.db, caller }, (tx) =>
          recordScan(tx, caller, request.params.id, scan),
        );
        stored.push({ id, text: describeScan(recorded, code) });
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        // These errors say that nothing was stored, so the remaining scans get them in the next
        // request.
        if (ends.has(error.code) && stored.length > 0) break;
        if (error.code !== "validation_failed") throw error;
        refused.push({ id, text: describeRefusalForPeople(error) });
      }
    }
    return reply.send({ stored, refused });
  });
};

function readScans(text: string): z.infer<typeof scansSchema> {
  try {
    return scansSchema.parse(JSON.parse(text));
  } catch (error) {
    const params = { field: "scans" };
    throw new AppError("validation_failed", "missing", params, { cause: error });
  }
}
