import type { Database, Tx } from "../../db/database.js";
import { Confirmation, type Connection } from "../../db/entities/oauth.js";
import { AppError } from "../../errors.js";
import type { Caller } from "./caller.js";
import { deleteInBatches } from "../history/batches.js";
import { liveConnectionSql } from "../../db/live-connection.js";
import { hashJson } from "../shared/canonical-json.js";
import { createId } from "../shared/ids.js";
import { toLine } from "../shared/quote.js";
import { toNfkc } from "../shared/text.js";
import type { Asked } from "./questions.js";

export interface Question {
  question: Asked;
  /** The text that the person types to confirm. */
  answer: string;
}

/**
 * An app's call that waits for its person. Only that person's confirmation of exactly this call
 * counts.
 */
export interface AskedCall extends Question {
  connectionId: string;
  tool: string;
  arguments: Record<string, unknown>;
  /**
   * The call's current subject. Set if the arguments use a name that could later refer to something
   * else.
   */
  subject?: string | undefined;
}

/** Creates a question or reuses an open one. Returns the question's id. */
export async function askPerson(
  db: Database,
  { organizationId, userId }: Caller,
  call: AskedCall,
): Promise<string> {
  const isOpen = "confirmations.expires_at > app_now()";
  const asked = await db.one<{ id: string }>(
    `INSERT INTO confirmations
       (organization_id, id, connection_id, user_id, call_hash, question, answer, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, app_now() + interval '5 minutes')
     ON CONFLICT (organization_id, connection_id, call_hash) DO UPDATE SET
       id = CASE WHEN ${isOpen} THEN confirmations.id ELSE excluded.id END,
       expires_at = CASE WHEN ${isOpen} AND confirmations.confirmed_at IS NOT NULL
         THEN confirmations.expires_at ELSE excluded.expires_at END,
       confirmed_at = CASE WHEN ${isOpen} THEN confirmations.confirmed_at END,
       response = NULL
     RETURNING id`,
    [
      organizationId,
      createId("confirmation"),
      call.connectionId,
      userId,
      hashOf(call),
      JSON.stringify(call.question),
      call.answer,
    ],
  );
  return asked.id;
}

/**
 * Consumes the confirmation of this call, by question id or as confirmed on our page. Returns false
 * if there is none from the last five minutes, or it was already used.
 */
export async function takeConfirmation(
  db: Database,
  { organizationId, userId }: Caller,
  call: AskedCall,
  id: string | null,
): Promise<boolean> {
  const taken = await db.run(
    `DELETE FROM confirmations
     WHERE organization_id = $1 AND connection_id = $2 AND user_id = $3 AND call_hash = $4
       AND expires_at > app_now() AND (id = $5 OR $5::text IS NULL AND confirmed_at IS NOT NULL)`,
    [organizationId, call.connectionId, userId, hashOf(call), id],
  );
  return taken > 0;
}

export interface OpenQuestion extends Question, Pick<Connection, "client_id" | "redirect_uri"> {
  client_name: string;
  is_confirmed: boolean;
}

export async function getQuestion(
  db: Tx,
  { organizationId, userId }: Caller,
  id: string,
): Promise<OpenQuestion> {
  const found = await db.maybe<OpenQuestion>(
    `SELECT q.question, q.answer, coalesce(k.name, k.id) AS client_name, c.client_id,
       c.redirect_uri, q.confirmed_at IS NOT NULL AS is_confirmed
     FROM confirmations q
     JOIN oauth_connections c ON c.organization_id = q.organization_id AND c.id = q.connection_id
       AND ${liveConnectionSql("c")}
     JOIN oauth_clients k ON k.id = c.client_id
     WHERE q.organization_id = $1 AND q.id = $2 AND q.user_id = $3
       AND q.expires_at > app_now()`,
    [organizationId, id, userId],
  );
  if (found === undefined) throw new AppError("not_found", "question_gone");
  return found;
}

/** Confirms the question for the next five minutes. */
export async function confirmQuestion(
  tx: Tx,
  caller: Caller,
  id: string,
  typed: string,
): Promise<OpenQuestion> {
  const question = await getQuestion(tx, caller, id);
  requireAnswer(question, typed);
  await tx.query(
    `UPDATE confirmations SET confirmed_at = app_now(),
       expires_at = app_now() + interval '5 minutes'
     WHERE organization_id = $1 AND id = $2`,
    [caller.organizationId, id],
  );
  return question;
}

export function requireAnswer({ answer }: Pick<Question, "answer">, typed: string): void {
  if (asTyped(typed) === asTyped(answer)) return;
  throw new AppError("confirmation_mismatch", "wrong_answer", { field: "typed", answer });
}

export async function cleanUpConfirmations(db: Database): Promise<void> {
  await deleteInBatches(db, Confirmation.options.name, "expires_at <= app_now()");
}

/** Names are far shorter in any spelling. Normalizing long texts is slow. */
const maxTyped = 2000;

/** Drops invisible characters, unusual spaces and surrounding quotes. */
function asTyped(text: string): string {
  if (text.length > maxTyped) return text;
  const line = toLine(toNfkc(text)).replaceAll(/\s+/gu, " ").trim();
  return line.replace(/^'(.*)'$/, "$1");
}

function hashOf({ tool, arguments: given, question, subject = "" }: AskedCall): Buffer {
  return hashJson([tool, given, question, subject]);
}
