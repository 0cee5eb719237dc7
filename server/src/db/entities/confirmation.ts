import { bytes, instant, json, text } from "../columns.js";
import { table, type Row } from "../table.js";

/** A call of an app that waits for its person's yes. */
export const Confirmation = table(
  "confirmations",
  {
    organization_id: text().primary(),
    id: text().primary(),
    connection_id: text().references("oauth_connections", "CASCADE"),
    user_id: text().references("organization_members.user_id", "CASCADE"),
    /** Of the tool and its arguments. */
    call_hash: bytes(),
    question: json<object>(),
    /** What the person types to say yes. */
    answer: text(),
    expires_at: instant(),
    /** Set on our page; a client that asks in a form of its own brings the answer with the call. */
    confirmed_at: instant().nullable(),
    /** Of a client that was asked on the stream of its call, until the node that asked has seen it. */
    response: json<object>().nullable(),
  },
  {
    uniques: [["organization_id", "connection_id", "call_hash"]],
    indexes: { user_id: ["organization_id", "user_id"], expires_at: ["expires_at"] },
  },
);
export type Confirmation = Row<typeof Confirmation>;
