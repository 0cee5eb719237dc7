import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { sampleStories } from "./data/stories.js";
import { toSay } from "./data/tables.js";
import "./data/work.js";
import { describeAnswer } from "./tour-answers.js";

export interface Tour {
  mcp: string;
  token: string;
  write: (line: string) => void;
}

type Answer = Record<string, unknown>;
type Call = (tool: string, args?: Answer) => Promise<Answer>;

/**
 * Plays a short working day through the official client and prints each call with its response. It
 * can run repeatedly: it restores the assets that it retires. Each run completes the next recurring
 * task outside the sample's stories.
 */
export async function playTour({ mcp, token, write }: Tour): Promise<void> {
  const client = new Client(
    { name: "Fettle tour", version: "1" },
    { versionNegotiation: { mode: "auto" } },
  );
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(mcp), { requestInit }));
  const call: Call = async (tool, args = {}) => {
    write(`> ${tool} ${JSON.stringify(args)}`);
    const { isError, content, structuredContent } = await client.callTool({
      name: tool,
      arguments: args,
    });
    if (isError === true) {
      const text = content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
      throw new Error(`The tour ends early, because ${tool} was refused: ${text}`);
    }
    const answer = (structuredContent ?? {}) as Answer;
    write(describeAnswer(answer) + "\n");
    return answer;
  };
  try {
    const name = await seeWhatNeedsAttention(call, write);
    await lookAtAsset(call, write);
    await completeTask(call, write, name);
    await printLabels(call, write);
    await retireAndRestore(call, write);
  } finally {
    await client.close();
  }
  write("That was the tour. Start without --tour to look around yourself.");
}

/** Returns the person's name. */
async function seeWhatNeedsAttention(call: Call, write: Tour["write"]): Promise<string> {
  write("\n1. What needs attention?\n");
  const { user } = await call("get_current_user");
  await call("get_organization_stats");
  await call("list_maintenance_tasks", { state: "overdue", limit: 5 });
  return (user as { name: string }).name;
}

async function lookAtAsset(call: Call, write: Tour["write"]): Promise<void> {
  write("2. The load test of a generator is overdue: how is it?\n");
  await call("get_asset", { asset_id: sampleStories.generator });
  await call("search_asset_history", { asset_id: sampleStories.generator, limit: 5 });
}

async function completeTask(call: Call, write: Tour["write"], name: string): Promise<void> {
  write("3. Complete a repeating task; the next one follows by itself\n");
  const task = await findRepeatingTask(call);
  const read = await call("get_maintenance_task", { task_id: task });
  const { checklist = [] } = read["task"] as { checklist?: Step[] };
  const checks = checklist.filter(({ kind }) => kind === undefined);
  const toSign = checklist.filter(({ kind }) => kind === "signature");
  const signed = Object.fromEntries(toSign.map(({ number }) => [number, name]));
  const done = await call("update_maintenance_task", {
    task_id: task,
    state: "completed",
    completion_notes: "Done as planned, nothing unusual.",
    actual_minutes: 45,
    labor_cost: 60,
    parts_cost: 24.5,
    ...(checks.length > 0 && { checklist_done: checks.map(({ number }) => number) }),
    ...(toSign.length > 0 && { checklist_answers: signed }),
  });
  if (done["next_task"] === undefined) throw new Error("The completed task made no next one.");
}

interface Step {
  number: number;
  /** Of steps with an answer. */
  kind?: string;
}

/** Returns the most urgent recurring task outside the stories. */
async function findRepeatingTask(call: Call): Promise<string> {
  const titles = ["Quarterly load test", "Yearly inspection"];
  const told = [...titles, ...titles.map(toSay("de"))];
  for (let cursor: unknown; ;) {
    const page = await call("list_maintenance_tasks", {
      state: "open",
      limit: 50,
      ...(cursor !== undefined && { cursor }),
    });
    const tasks = page["tasks"] as { id: string; title: string; repeats?: string }[];
    const found = tasks.find(
      ({ title, repeats }) => repeats !== undefined && !told.includes(title),
    );
    if (found !== undefined) return found.id;
    cursor = page["next_cursor"];
    if (cursor === undefined) throw new Error("No open task repeats.");
  }
}

async function printLabels(call: Call, write: Tour["write"]): Promise<void> {
  write("4. Labels for the extinguishers of the archive\n");
  const { sheet } = await call("generate_asset_qr_codes", {
    asset_ids: [...sampleStories.extinguishers],
    format: "pdf_sheet",
  });
  const response = await fetch((sheet as { url: string }).url);
  const bytes = await response.arrayBuffer();
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || !type.startsWith("application/pdf")) {
    throw new Error(`The label sheet could not be fetched (${response.status}).`);
  }
  write(`The sheet is a PDF of ${Math.ceil(bytes.byteLength / 1024)} KB.\n`);
}

async function retireAndRestore(call: Call, write: Tour["write"]): Promise<void> {
  write("5. Retire a laptop, find it again, and see what its history says\n");
  const asset_id = sampleStories.foundLaptop;
  await call("update_asset_state", {
    asset_id,
    state: "deleted",
    reason: "lost",
    note: "Not on its desk since Monday.",
  });
  await call("update_asset_state", { asset_id, state: "in_use", note: "Was in the meeting room." });
  await call("search_asset_history", { asset_id, limit: 3 });
}
