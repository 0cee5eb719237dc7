import { readTable } from "./tables.js";

/** Open work that a person shared with a contractor, who marked it as done the evening before. */
export const contractorJobs = readTable(
  "on title by contractor email note",
  `
Lift E, goods | Replace guide shoes | pavel | Liftwerk | service@liftwerk.example | All eight guide shoes replaced, rails cleaned and greased. Test run with 800 kg is quiet. ~ Alle acht Führungsschuhe getauscht, Schienen gereinigt und gefettet. Probefahrt mit 800 kg ist leise.
`,
);
