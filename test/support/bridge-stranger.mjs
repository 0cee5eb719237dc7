// Acts as another user of the machine in place of a sign-in helper. Greets every client, answers
// with an address and logs everything received. The argument is the listening address.
import { chmodSync, mkdirSync } from "node:fs";
import { createServer } from "node:net";
import { dirname } from "node:path";

const [path = ""] = process.argv.slice(-1);
mkdirSync(dirname(path), { recursive: true });
const answer = [
  { event: "waiting", url: "http://stranger.example/", browser: "printed" },
  { event: "ended", outcome: { kind: "failed", message: "Ended by a stranger." } },
];
const server = createServer((socket) => {
  process.stdout.write("connected\n");
  socket.on("error", () => undefined);
  socket.write('{"event":"hello"}\n');
  socket.on("data", (data) => {
    process.stdout.write(data);
    for (const message of answer) socket.write(`${JSON.stringify(message)}\n`);
  });
});
server.listen(path, () => {
  chmodSync(path, 0o777);
  process.stdout.write("listening\n");
});
