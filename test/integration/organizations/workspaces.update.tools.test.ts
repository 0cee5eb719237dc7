import { beforeAll, describe, expect, test } from "vitest";
import { useApp } from "../../support/app.js";
import { connect, type Connected, type Json } from "../../support/mcp.js";

interface Answer {
  workspace: { id: string; name: string; version: number; url: string };
  changed: Json[];
}

describe("update_workspace", () => {
  const testApp = useApp();
  let owner: Connected;
  let lab: string;

  const update = (person: Connected, args: Json) => person.ok<Answer>("update_workspace", args);
  const joins = (workspaceRole: "admin" | "member", workspace: string) =>
    connect(testApp(), {
      organization: owner.member.organization,
      role: "member",
      workspace,
      workspaceRole,
    });

  beforeAll(async () => {
    owner = await connect(testApp());
    await owner.ok("create_workspace", { name: "Yard" });
  });

  const aLab = async (name: string) => {
    const { workspace } = await owner.ok<Answer>("create_workspace", { name });
    lab = workspace.id;
  };

  test("changes the given fields and returns their former values", async () => {
    await aLab("Lab");

    const answer = await update(owner, {
      workspace_id: "lab",
      name: " QA Lab ",
      description: "Two rooms.\nOne door.",
      address: "Main Street 1",
    });

    expect(answer).toEqual({
      workspace: {
        id: lab,
        name: "QA Lab",
        version: 2,
        url: `${testApp().config.baseUrl}/workspaces/${lab}`,
      },
      changed: [
        { field: "name", from: "Lab", to: "QA Lab" },
        { field: "description", to: "Two rooms.\nOne door." },
        { field: "address", to: "Main Street 1" },
      ],
    });
    const listed = await owner.ok<{ workspaces: Json[] }>("list_workspaces", { query: "QA Lab" });
    expect(listed.workspaces).toMatchObject([{ id: lab, description: "Two rooms.\nOne door." }]);
    const activity = await testApp().db.query<Json>(
      "SELECT user_id, details FROM activity_log WHERE type = 'workspace_updated' AND details ->> 'workspace_id' = $1",
      [lab],
    );
    expect(activity).toEqual([
      {
        user_id: owner.member.userId,
        details: {
          workspace_id: lab,
          name: "QA Lab",
          changed: ["name", "description", "address"],
          former_name: "Lab",
          client_name: "fettle-bridge",
        },
      },
    ]);
  });

  test("clear_fields empties fields, and a repeat changes nothing", async () => {
    await aLab("Lab 2");
    await update(owner, { workspace_id: lab, description: "Old", address: "Here" });
    const call = { workspace_id: lab, address: "Here", clear_fields: ["description"] };

    const first = await update(owner, call);
    const again = await update(owner, call);

    expect(first.changed).toEqual([{ field: "description", from: "Old" }]);
    expect(again).toMatchObject({ workspace: { version: 3 }, changed: [] });
    const row = await testApp().db.maybe<Json>(
      "SELECT description, address FROM workspaces WHERE id = $1",
      [lab],
    );
    expect(row).toEqual({ description: null, address: "Here" });
  });

  test("allows changing a name's case, but not taking another workspace's name", async () => {
    await aLab("Lab 3");

    const answer = await update(owner, { workspace_id: lab, name: "LAB 3" });
    const refusal = await owner.refused("update_workspace", { workspace_id: lab, name: "yARD" });

    expect(answer.changed).toEqual([{ field: "name", from: "Lab 3", to: "LAB 3" }]);
    expect(refusal).toMatchObject({
      code: "duplicate",
      message: expect.stringMatching(
        /^Validation failed: Workspace name has already been taken \(by "Yard", wsp_/,
      ) as string,
    });
  });

  test.each<[string, Json]>([
    ["nothing to change", {}],
    ["a version alone", { expected_version: 1 }],
    ["a field both set and emptied", { description: "x", clear_fields: ["description"] }],
    ["a name that means something else", { name: "none" }],
    ["the name as a field to empty", { clear_fields: ["name"] }],
    ["an address of two thousand signs", { address: "x".repeat(2000) }],
  ])("rejects %s", async (_what, args) => {
    const refusal = await owner.refused("update_workspace", { workspace_id: "Yard", ...args });

    expect(refusal.code).toBe("validation_failed");
  });

  test("identifies the workspace with a taken name only to people who see it", async () => {
    await aLab("Plant");
    const admin = await joins("admin", "Plant");

    const hidden = await admin.refused("update_workspace", { workspace_id: lab, name: "YARD" });
    const seen = await owner.refused("update_workspace", { workspace_id: lab, name: "YARD" });

    expect(hidden).toMatchObject({
      code: "duplicate",
      message:
        "Validation failed: Workspace name has already been taken (by a workspace you can't see). Choose another name.",
    });
    expect(seen.message).toMatch(
      /taken \(by "Yard", wsp_\w+\)\. Choose .*, or use that workspace\.$/,
    );
  });

  test("rejects an outdated version, and one of many concurrent changes wins", async () => {
    await aLab("Lab 4");
    const results = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        owner.call("update_workspace", {
          workspace_id: lab,
          description: `Text ${index}`,
          expected_version: 1,
        }),
      ),
    );

    const refusal = await owner.refused("update_workspace", {
      workspace_id: lab,
      address: "There",
      expected_version: 1,
    });

    expect(results.filter(({ isError }) => isError !== true)).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: "conflict",
      message: expect.stringMatching(
        /^Conflict: the workspace changed since version 1 \(now 2, by "[^"]+", \d+ \w+ ago: \w+\)/,
      ) as string,
    });
  });

  test("one of two workspaces that simultaneously take a name gets it", async () => {
    await aLab("Lab 5");
    await aLab("Lab 6");

    const results = await Promise.all(
      ["Lab 5", "Lab 6"].map((workspace_id) =>
        owner.call("update_workspace", { workspace_id, name: "Attic" }),
      ),
    );

    const codes = results.map(
      ({ structuredContent }) => (structuredContent["error"] as Json | undefined)?.["code"],
    );
    expect(codes.toSorted()).toEqual(["duplicate", undefined]);
  });

  test("is limited to admins of the organization and of this workspace", async () => {
    await aLab("Lab 7");
    const ana = await joins("admin", "Lab 7");
    const mia = await joins("member", "Lab 7");
    const yuri = await joins("admin", "Yard");

    await update(ana, { workspace_id: lab, address: "Ana's" });
    const asMember = await mia.refused("update_workspace", { workspace_id: lab, address: "Mine" });
    const asStranger = await yuri.refused("update_workspace", { workspace_id: lab, address: "x" });

    expect(asMember.message).toMatch(
      /^Not authorized: your role in "Lab 7" is member; admin is needed to edit workspaces\./,
    );
    expect(asStranger.message).toMatch(/^Workspace not found/);
  });
});
