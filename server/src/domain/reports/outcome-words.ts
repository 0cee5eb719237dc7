import { translated } from "../../language/translate.js";
import type { ReportStatus } from "../../db/entities/reports.js";

/** What became of a report, to who sent it. */
export const outcomeWords: Record<ReportStatus, string> = translated({
  open: "It waits for somebody to decide on it.",
  accepted: "It was accepted, and work on it is planned.",
  merged: "It was known already, and work on it is planned.",
  answered: "It was answered.",
  refused: "It was closed without work on it.",
});
