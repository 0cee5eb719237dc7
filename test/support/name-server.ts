import { createSocket } from "node:dgram";

/** A name server on loopback (RFC 1035) with records by "name type". Type 1 is A, 28 is AAAA. */
export async function startNameServer(
  records: ReadonlyMap<string, readonly Buffer[]>,
): Promise<{ address: string; close: () => Promise<void> }> {
  const socket = createSocket("udp4");
  socket.on("message", (query, { port, address }) => {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    const found = records.get(`${name} ${type}`) ?? [];
    const head = Buffer.from(query.subarray(0, 12));
    // An authoritative response without error: one question, no further sections.
    head.writeUInt16BE(0x8580, 2);
    for (const [at, count] of [1, found.length, 0, 0].entries()) {
      head.writeUInt16BE(count, 4 + at * 2);
    }
    const answers = found.map((data) => {
      // Pointer to the question's name, the type, class IN, a TTL of one minute.
      const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, data.length]);
      return Buffer.concat([record, data]);
    });
    socket.send(Buffer.concat([head, query.subarray(12, end + 4), ...answers]), port, address);
  });
  await new Promise<void>((bound) => socket.bind(0, "127.0.0.1", bound));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    close: () => new Promise((closed) => socket.close(closed)),
  };
}

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = [];
  let at = from;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join(".").toLowerCase(), end: at + 1 };
}
