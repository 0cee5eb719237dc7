import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach } from "vitest";

export interface ReceivedMail {
  from: string;
  to: string[];
  /** By lower-case name, unfolded. */
  headers: Record<string, string>;
  text: string;
  html: string;
  /** As it was transferred. */
  source: string;
}

export interface MailServer {
  url: string;
  received: ReceivedMail[];
  /**
   * SMTP codes for the next recipients, one each. Recipients are accepted once the list is empty.
   */
  refusals: number[];
}

/** A real SMTP server on a free loopback port for the test file. Emptied before each test. */
export function useMailServer(): () => MailServer {
  let current: MailServer | undefined;
  let server: SMTPServer | undefined;
  beforeAll(async () => {
    const mails: MailServer = { url: "", received: [], refusals: [] };
    server = new SMTPServer({
      authOptional: true,
      disabledCommands: ["STARTTLS"],
      onRcptTo(address, _session, done) {
        const code = mails.refusals.shift();
        if (code === undefined) done();
        else done(Object.assign(new Error(`no ${address.address}`), { responseCode: code }));
      },
      onData(stream, { envelope }, done) {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const from = envelope.mailFrom === false ? "" : envelope.mailFrom.address;
          const to = envelope.rcptTo.map(({ address }) => address);
          const source = Buffer.concat(chunks).toString();
          mails.received.push({ from, to, source, ...parseMail(source) });
          done();
        });
      },
    });
    const listening = server;
    await new Promise<void>((ready) => {
      listening.listen(0, "127.0.0.1", ready);
    });
    mails.url = `smtp://127.0.0.1:${(listening.server.address() as AddressInfo).port}`;
    current = mails;
  });
  beforeEach(() => {
    current?.received.splice(0);
    current?.refusals.splice(0);
  });
  afterAll(async () => {
    await new Promise<void>((closed) => {
      if (server === undefined) closed();
      else server.close(closed);
    });
  });
  return () => {
    if (current === undefined) throw new Error("The mail server is there only while tests run.");
    return current;
  };
}

function parseMail(source: string): Pick<ReceivedMail, "headers" | "text" | "html"> {
  const { headers, body } = split(source);
  const boundary = /boundary="?([^";]+)/.exec(headers["content-type"] ?? "")?.[1] ?? "\0";
  const parts = new Map(
    body
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const { headers: of, body: content } = split(part.replace(/^\r\n/, ""));
        const type = of["content-type"]?.split(";")[0] ?? "";
        return [type, decode(of["content-transfer-encoding"] ?? "7bit", content)];
      }),
  );
  return { headers, text: parts.get("text/plain") ?? "", html: parts.get("text/html") ?? "" };
}

function split(source: string): { headers: Record<string, string>; body: string } {
  const end = source.indexOf("\r\n\r\n");
  const lines = source
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, " ")
    .split("\r\n");
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = decodeWords(line.slice(colon + 1).trim());
  }
  return { headers, body: source.slice(end + 4) };
}

/** RFC 2047 */
function decodeWords(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === "b"
        ? decode("base64", text)
        : decode("quoted-printable", text.replaceAll("_", " ")),
    );
}

function decode(encoding: string, body: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString();
  if (encoding !== "quoted-printable") return body;
  const bytes = body
    .replace(/=\r\n/g, "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
