// The bare pipe: what every bridge that uses fetch() costs at least. No session, no token, no errors.
import { createInterface } from "node:readline";

const address = process.argv[2] ?? "";
for await (const line of createInterface({ input: process.stdin })) void forward(line);

async function forward(line) {
  const answer = await fetch(address, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: line,
  });
  const text = await answer.text();
  if (text !== "") process.stdout.write(`${text}\n`);
}
