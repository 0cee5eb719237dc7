import { addDays } from "../domain/shared/dates.js";
import { toContractorName } from "../domain/shared/contractor-name.js";
import { createId } from "../domain/shared/ids.js";
import { createSecret, hashSecret } from "../domain/shared/secrets.js";
import { addWorkdays, momentOn } from "./calendar.js";
import { contractorJobs } from "./data/contractors.js";
import { act, addFile, idOf, type Story } from "./story.js";
import { findOpenTask } from "./today.js";

const validDays = 7;

/** Plans work that a contractor did by a link. It waits for approval on the reference day. */
export function planContractors(story: Story): void {
  const { asOf, say } = story;
  for (const { on, title, by, contractor, email, note } of contractorJobs) {
    const shared = momentOn(addWorkdays(asOf, -2), 845);
    const done = momentOn(addWorkdays(asOf, -1), 1295);
    const link = act(story, { at: shared, by, via: "web" }, (ledger) => {
      const task = findOpenTask(story, on, title);
      ledger.noteChange(task, { field: "contractor_link", to: contractor });
      return ledger.add("task_links", {
        ...{ id: createId("taskLink"), task_id: task.id, contractor, email },
        token_hash: `\\x${hashSecret(createSecret()).toString("hex")}`,
        ...{ created_by: idOf(story, by), created_at: new Date(shared) },
        expires_at: new Date(momentOn(addDays(addWorkdays(asOf, -2), validDays), 845)),
        ...{ opened_at: new Date(done), done_at: new Date(done), done_note: note },
      });
    });
    act(story, { at: done, by, via: "web" }, (ledger) => {
      const { id } = link();
      const client = { id, name: toContractorName(contractor) };
      ledger.author = { ...ledger.author, source: "public_scan", client, taskLinkId: id };
      const task = findOpenTask(story, on, title);
      const photo = { name: say("after.jpg"), category: "Lifts", look: "after" } as const;
      ledger.note({ task }, undefined, photo.name);
      const owner = { task_id: task.id, task_link_id: id };
      addFile(story, { owner, ...photo, by: "", at: done });
      ledger.comment({ task }, note);
      ledger.noteChange(task, { field: "contractor_done", to: contractor });
    });
  }
}
