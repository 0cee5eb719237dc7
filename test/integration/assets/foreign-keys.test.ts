import { describe, expect, inject, test } from "vitest";
import { requireKnownKeys } from "../../../server/src/commands/secret-keys.js";
import { keepAudit } from "../../../server/src/domain/audit/audit-retention.js";
import { createAuditSigner } from "../../../server/src/domain/audit/audit-signer.js";
import { useAudit } from "../../support/audit.js";

const [former, fresh, lost] = ["f".repeat(40), "n".repeat(40), "l".repeat(40)];
const warning = "these are other keys than this database was used with";

describe("secret keys at startup", () => {
  const audit = useAudit();

  /** Adds a chain and signs it with these keys, as a server does within the hour. */
  async function sign(...keys: string[]): Promise<void> {
    await audit.aChain();
    await keepAudit(audit.current().db, { audit: 0 }, createAuditSigner(keys));
  }

  /** Log lines of a start with these keys. Rejects if the start is refused. */
  async function start(secretKeys: string[], allowNewSecretKeys = false): Promise<string[]> {
    const said: string[] = [];
    const config = { ...audit.config, secretKeys, allowNewSecretKeys };
    await requireKnownKeys(audit.current().db, config, (line) => said.push(line));
    return said;
  }

  test("accepts any keys while nothing is signed", async () => {
    expect(await start([lost])).toEqual([]);
  });

  test("rejects keys without an existing signature, unless an operator overrides it", async () => {
    await sign(former);

    await expect(start([fresh])).rejects.toThrow(`SECRET_KEYS does not have: ${warning}`);
    await expect(start([fresh])).rejects.toThrow("ALLOW_NEW_SECRET_KEYS=true");
    expect((await start([fresh], true)).join()).toContain(warning);
  });

  test("accepts the keys at every step of a rotation", async () => {
    expect(await start([former, fresh])).toEqual([]);
    expect(await start([fresh, former])).toEqual([]);
    await sign(fresh, former);
    expect(await start([fresh])).toEqual([]);
  });

  test("warns when a key was dropped too early", async () => {
    await sign(lost, fresh);
    await sign(former);

    expect((await start([lost])).join()).toContain(warning);
  });

  // The embedded database is already open in this process.
  test.runIf(inject("databaseUrl") !== null)(
    "checks the keys before the server listens",
    async () => {
      const { code, lines, errors } = await audit.command(["serve"], {
        SECRET_KEYS: fresh,
        PORT: "0",
      });

      expect([code, lines]).toEqual([1, []]);
      expect(errors.join()).toContain(warning);
    },
  );
});
