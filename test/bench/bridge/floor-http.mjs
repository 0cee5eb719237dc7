// The lower limit: the same pipe with `node:http`, which does less work than fetch(). No session,
// token or error handling.
import { Agent, request } from "node:http";
import { createInterface } from "node:readline";

const address = new URL(process.argv[2] ?? "");
const agent = new Agent({ keepAlive: true });
const headers = {
  "content-type": "application/json",
  accept: "application/json, text/event-stream",
};
for await (const line of createInterface({ input: process.stdin })) forward(line);
process.exit();

function forward(line) {
  const sent = request(address, { agent, method: "POST", headers }, (answer) => {
    const parts = [];
    answer.on("data", (part) => parts.push(part));
    answer.on("end", () => {
      if (parts.length > 0) process.stdout.write(`${Buffer.concat(parts)}\n`);
    });
  });
  sent.end(line);
}
