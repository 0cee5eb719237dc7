import { translated } from "../../language/translate.js";
import type { ReportStatus } from "../../db/entities/reports.js";

export const outcomeWords: Record<ReportStatus, string> = translated({
  open: "Waiting for review.",
  accepted: "Your report was accepted, and work is planned.",
  merged: "The problem was already known, and work is planned.",
  answered: "Your report was answered.",
  refused: "Your report was closed. No work is planned.",
});
