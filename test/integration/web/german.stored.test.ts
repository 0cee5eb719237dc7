import { beforeEach, describe, expect, test } from "vitest";
import { claimMail, recordFailure } from "../../../server/src/domain/messaging/mail-deliveries.js";
import { useApp } from "../../support/app.js";
import { aMember } from "../../support/builders.js";
import { press, type TestBrowser } from "../../support/browser.js";
import { connect, type Connected } from "../../support/mcp.js";
import { signIn } from "../../support/oauth.js";
import { planTable, pressImport } from "../../support/uploads.js";

interface Made {
  asset: { id: string };
}

describe("records stored while a person works in German", () => {
  const current = useApp({
    smtpUrl: "smtp://127.0.0.1:1",
    mailFrom: "Fettle <fettle@example.org>",
  });
  let owner: Connected;
  let german: TestBrowser;
  let english: TestBrowser;

  beforeEach(async () => {
    const { app, db } = current();
    owner = await connect(current());
    const { organization } = owner.member;
    const other = await aMember(db, { organization, role: "owner" });
    await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [owner.member.userId]);
    german = await signIn(app, owner.member);
    english = await signIn(app, other);
  });

  test("translates the titles of bulk changes, calls and their undo", async () => {
    const ids = [];
    for (const name of ["Fan", "Pump"]) {
      ids.push((await owner.ok<Made>("create_asset", { name })).asset.id);
    }
    await owner.ok("update_asset_state", { asset_id: ids[1], state: "deleted" });
    const chosen = await german.get(`/assets/change?ids=${ids[0]}&ids=${ids[1]}`);
    await german.submitForm(chosen, { ids, add_tags: "Keller" }, { action: "/assets/change" });
    await owner.ok("update_asset", { asset_ids: [ids[0]], tags: ["roof"] });
    const [bulk, call] = await findSets();
    const undone = await press(
      german,
      await german.get(`/changes/${bulk?.id}`),
      "Rückgängig machen",
    );
    const undo = String(undone.headers.location);

    expect([bulk?.title, call?.title]).toEqual(["2 assets", "1 record"]);
    await expectWords(`/changes/${bulk?.id}`, "Änderung an 2 Anlagen", "Change to 2 assets");
    await expectWords(
      `/changes/${bulk?.id}`,
      "Diese Anlage ist ausgemustert.",
      "This asset is retired.",
    );
    await expectWords(`/changes/${call?.id}`, "1 Datensatz", "1 record");
    await expectWords(undo, "2 Anlagen", "Undo: 2 assets");
  });

  test("translates errors of import rows before and after the import", async () => {
    const { app } = current();
    const made = { name: "Saw", inventory_number: "A-7" };
    const { asset } = await owner.ok<Made>("create_asset", made);
    const content = "Number,Name,Workspace,Cost\n,Fan,,many\n,Pump,Keller,5\nA-7,Big saw,,6\n";
    const plan = await planTable(app, german, { content, kind: "assets", name: "list.csv" });
    const [set] = await findSets();
    const address = `/import/${set?.id}`;

    await expectWords(address, "„Keller“ nicht gefunden.", "&quot;Keller&quot; not found.");
    await owner.ok("update_asset", { asset_id: asset.id, name: "Small saw" });
    await pressImport(german, plan);
    await expectWords(address, "Sehen Sie sich die aktuellen Werte an", "View the current values");
  });

  test("describes a change prepared by an app in the reader's language", async () => {
    const assets = [
      { name: "Fan", workspace_id: "Keller" },
      { name: "Pump", state: "available" },
    ];
    const prepared = await owner.ok<{ plan_url: string; warnings: string[] }>("create_asset", {
      ...{ prepare_only: true, assets },
    });
    const { pathname } = new URL(prepared.plan_url);

    expect(prepared.warnings[0]).toContain("assets[0]: ");
    await expectWords(pathname, "Import von 2 Anlagen", "Import of 2 assets");
    await expectWords(pathname, "Status: Verfügbar", "State: Available");
    await expectWords(pathname, "„Keller“ nicht gefunden.", "&quot;Keller&quot; not found.");
  });

  test("translates email and webhook results", async () => {
    const { db } = current();
    await owner.ok("create_invite", { email: "failed@example.com" });
    const mail = await claimMail(db);
    if (mail === undefined) throw new Error("No mail is queued.");
    await recordFailure(db, mail, "The mail server rejected it (EENVELOPE, 550).");
    const form = await german.get("/settings/webhooks/new");
    const url = "https://hooks.example.com/fettle";
    const made = await german.submitForm(form, { url, "task.created": "yes" });
    const [address = ""] = /\/settings\/webhooks\/whk_\w+/.exec(made.body) ?? [];
    for (const action of ["test", "stop"]) {
      const page = await german.get(address);
      await german.submitForm(page, {}, { action: `${address}/${action}` });
    }

    await expectWords("/settings/mail", "Der Mailserver hat sie abgelehnt", "rejected it (EENV");
    await expectWords(
      "/settings/members/invitations",
      "Der Mailserver hat sie abgelehnt",
      "rejected it (EENV",
    );
    await expectWords(address, "Webhook pausiert.", "Webhook paused.");
  });

  test("translates an app's request for confirmation", async () => {
    const { organizationId } = owner.member;
    await current().db.query(
      "UPDATE organizations SET deletion_needs_person = true WHERE id = $1",
      [organizationId],
    );
    await owner.ok("create_workspace", { name: "Dock" });
    const { details } = await owner.refused("delete_workspace", { workspace_id: "Dock" });
    const { pathname } = new URL(String(details?.["confirmation_url"]));

    expect((await german.get(pathname)).body).toContain("Arbeitsbereich „Dock“ löschen?");
    await current().db.query("UPDATE users SET locale = DEFAULT");
    expect((await german.get(pathname)).body).toContain("Delete the workspace &quot;Dock&quot;?");
  });

  test("translates the missing permission and the required role", async () => {
    const { app, db } = current();
    const { organization } = owner.member;
    const given = { organization, role: "member", workspace: "Hall" } as const;
    const viewer = await aMember(db, { ...given, workspaceRole: "viewer" });
    await db.query("UPDATE users SET locale = 'de-DE' WHERE id = $1", [viewer.userId]);
    const made = { name: "Fan", workspace_id: "Hall" };
    const { asset } = await owner.ok<Made>("create_asset", made);

    const refused = await (await signIn(app, viewer)).get(`/assets/${asset.id}/delete`);

    expect(refused.body).toContain(
      "Sie können „Hall“ ansehen, aber es fehlt Ihnen das Recht, Anlagen endgültig zu löschen.",
    );
  });

  const findSets = (): Promise<{ id: string; title: string }[]> =>
    current().db.query(
      "SELECT id, title FROM change_sets WHERE organization_id = $1 ORDER BY created_at",
      [owner.member.organizationId],
    );

  async function expectWords(address: string, inGerman: string, inEnglish: string): Promise<void> {
    expect((await german.get(address)).body).toContain(inGerman);
    expect((await english.get(address)).body).toContain(inEnglish);
  }
});
