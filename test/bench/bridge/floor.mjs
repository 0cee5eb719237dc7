// The bare pipe: the minimum cost of any bridge that uses fetch(). No session, token or error
// handling.
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
