import { describe, expect, test } from "vitest";
import { findNearest, findNearestName } from "../../server/src/mcp/nearest.js";
import { registeredTools } from "../../server/src/mcp/registry.js";

describe("nearest listed word", () => {
  const reasons = ["disposed", "sold", "scrapped", "lost", "stolen", "returned", "other"];
  const states = ["available", "in_use", "in_maintenance", "out_of_service", "stored", "deleted"];

  test.each([
    ["lsot", reasons, undefined],
    ["lots", reasons, undefined],
    ["solf", reasons, "sold"],
    ["dispose", reasons, "disposed"],
    ["stollen", reasons, "stolen"],
    ["broken", reasons, undefined],
    ["retired", states, undefined],
    ["maintenance", states, "in_maintenance"],
    ["DELETE", states, "deleted"],
    ["in", states, undefined],
    ["done", ["scheduled", "in_progress", "on_hold", "completed", "cancelled"], undefined],
    ["canceled", ["completed", "cancelled"], "cancelled"],
    ["asset_scrapped", ["asset_created", "asset_moved"], undefined],
    ["x".repeat(10_000), ["x"], undefined],
  ])("for %s in %j is %s", (wrong, words, expected) => {
    expect(findNearest(wrong, words)).toBe(expected);
  });
});

describe("nearest parameter", () => {
  const parametersOf = (tool: string) =>
    Object.keys(registeredTools.get(tool)?.inputSchema.properties ?? {});

  test.each([
    ["create_asset", "workspace", "workspace_id"],
    ["create_asset", "workspaceId", "workspace_id"],
    ["create_asset", "workspace_name", "workspace_id"],
    ["create_asset", "serial", "serial_number"],
    ["create_asset", "assigned_to", "assigned_to_user_id"],
    ["create_asset", "warranty_until", "warranty_expires_on"],
    ["create_asset", "category_name", "category"],
    ["list_assets", "updated_after", "updated_since"],
    ["list_assets", "q", undefined],
    ["list_assets", "colour", undefined],
    ["list_maintenance_tasks", "due_by", "due_to"],
    ["get_maintenance_task", "id", undefined],
    ["get_maintenance_task", "task_number", "task_id"],
    ["search_asset_history", "customer", undefined],
    ["search_asset_history", "event_type", "event_types"],
    ["update_maintenance_task", "completed_on", "completed_at"],
    ["update_maintenance_task", "status", "state"],
  ])("of %s for %s is %s", (tool, wrong, expected) => {
    expect(findNearestName(wrong, parametersOf(tool))).toBe(expected);
  });
});
