import { beforeAll, describe, expect, test } from "vitest";
import { daysBetween } from "../../server/src/domain/shared/dates.js";
import { createSample } from "../../server/src/demo/seed.js";
import { useServer } from "../support/app.js";
import { connect, type Connected, type Json } from "../support/mcp.js";

interface Asset {
  id: string;
  inventory_number: string;
  name: string;
  warranty_expires_on?: string;
}
interface Assets {
  assets: Asset[];
  total_count: number;
}
interface Task {
  title: string;
  state: string;
  asset_name?: string;
  due_date?: string;
  days_overdue?: number;
}

/*
 * Questions that people ask their assistant, each answered with the calls that a model makes. No
 * call is a retry.
 */
describe("an assistant at Northgate Facilities", () => {
  const server = useServer();
  let assistant: Connected;
  let today = "";

  beforeAll(async () => {
    const { db, config } = server();
    const sample = await createSample(db, {
      organization: "Northgate Facilities",
      size: "demo",
      asOf: undefined,
      password: "correct horse battery",
      baseUrl: config.baseUrl,
    });
    const { organizationId, owner } = sample;
    assistant = await connect(server(), {
      member: {
        ...owner,
        organizationId,
        organization: "Northgate Facilities",
        name: "Owner",
        password: "correct horse battery",
      },
    });
  });

  test("starts by finding out the person and the date", async () => {
    const me = await assistant.ok<{ today: string; organization: Json; workspace_count: number }>(
      "get_current_user",
    );

    ({ today } = me);
    expect(me.organization).toMatchObject({
      name: "Northgate Facilities",
      time_zone: "Europe/Berlin",
      currency: "EUR",
    });
    expect(me.workspace_count).toBe(17);
  });

  test("“What is overdue?”", async () => {
    const found = await assistant.ok<{ tasks: Task[]; total_count: number; overdue_count: number }>(
      "list_maintenance_tasks",
      { state: "overdue", limit: 100 },
    );

    expect(found.total_count).toBe(found.overdue_count);
    expect(found.tasks).toHaveLength(found.total_count);
    const loadTest = found.tasks.find(
      ({ title, asset_name: on }) =>
        title === "Quarterly load test" && on === "Generator G1, data centre",
    );
    expect(loadTest?.state).toBe("overdue");
    // Work is due on working days, so the weekend counts on some days.
    expect(loadTest?.days_overdue).toBe(daysBetween(loadTest?.due_date ?? "", today));
    expect(loadTest?.days_overdue).toBeGreaterThanOrEqual(3);
    const { tasks } = await assistant.ok<{ tasks: { by_state: Json } }>("get_organization_stats");
    expect(tasks.by_state["overdue"]).toBe(found.total_count);
  });

  test("“What happened to the circulation pump of heating circuit 1 since June?”", async () => {
    const { assets } = await assistant.ok<Assets>("list_assets", {
      query: "circulation pump heating circuit 1",
    });
    const june = `${Number(today.slice(0, 4)) - 1}-06-01`;

    const found = await assistant.ok<{ events: { type: string; occurred_at: string }[] }>(
      "search_asset_history",
      { asset_id: assets[0]?.inventory_number, from: june, limit: 100 },
    );

    expect(assets[0]?.inventory_number).toBe("434-000001");
    expect(found.events.filter(({ type }) => type === "task_completed").length).toBeGreaterThan(3);
    expect(found.events.every(({ occurred_at }) => occurred_at >= june)).toBe(true);
    const read = await assistant.ok<{ maintenance: Json }>("get_asset", {
      asset_id: "434-000001",
    });
    expect(read.maintenance["mtbf_days"]).toBeGreaterThan(50);
    expect(read.maintenance["mtbf_days"]).toBeLessThan(90);
  });

  test("“Retire the lost laptop of the planning office.” “It was found again.”", async () => {
    const { assets } = await assistant.ok<Assets>("list_assets", {
      query: "Tessaro planning office",
    });
    const [laptop] = assets;

    const retired = await assistant.ok<{ restore_hint: string }>("update_asset_state", {
      asset_id: laptop?.id,
      state: "deleted",
      reason: "lost",
      note: "Not seen since the office moved.",
    });
    const gone = await assistant.ok<Assets>("list_assets", { query: "Tessaro planning office" });
    const restored = await assistant.ok<{ asset: Json }>("update_asset_state", {
      asset_id: laptop?.id,
      state: "in_use",
    });

    expect(laptop?.name).toBe("Tessaro Note 15, planning office");
    expect(retired.restore_hint).toContain("available, in_use or stored");
    expect(gone.total_count).toBe(0);
    expect(restored.asset["state"]).toBe("in_use");
  });

  test("“Plan quarterly load tests for all generators.”", async () => {
    const { assets, total_count } = await assistant.ok<Assets>("list_assets", {
      category: "generators",
      limit: 100,
    });
    const warnings: string[] = [];
    for (const { id } of assets) {
      const made = await assistant.ok<{ next_due_date: string; warnings?: string[] }>(
        "create_maintenance_task",
        {
          asset_id: id,
          title: "Quarterly load test",
          type: "compliance_test",
          due_date: dayFrom(today, 14),
          recurrence: { every: 3, unit: "month" },
          requires_downtime: true,
          checklist: ["Run 30 minutes under load", "Write down voltage and temperature"],
          request_key: `load-test-${id}`,
        },
      );
      expect(made.next_due_date > dayFrom(today, 90)).toBe(true);
      warnings.push(...(made.warnings ?? []));
    }

    expect(assets).toHaveLength(total_count);
    expect(total_count).toBeGreaterThan(3);
    expect(warnings).toContainEqual(expect.stringContaining("is open with the same title"));
    const planned = await assistant.ok<{ tasks: (Task & { repeats: string })[] }>(
      "list_maintenance_tasks",
      { query: "quarterly load test", due_from: dayFrom(today, 14), due_to: dayFrom(today, 14) },
    );
    expect(planned.tasks.map(({ repeats }) => repeats)).toEqual(assets.map(() => "every 3 months"));
  });

  test("“Which warranties end next month?”", async () => {
    const [first, next] = [monthsFrom(today, 1), monthsFrom(today, 2)];

    const found = await assistant.ok<Assets>("list_assets", {
      warranty_expires_from: first,
      warranty_expires_before: next,
      sort: "warranty_expires_on",
      limit: 100,
    });

    const days = found.assets.map(({ warranty_expires_on }) => warranty_expires_on ?? "");
    expect(days).toHaveLength(found.total_count);
    expect(days).toEqual(days.toSorted());
    expect(days.length).toBeGreaterThan(0);
    expect(days.every((day) => day >= first && day < next)).toBe(true);
  });

  test("“Print labels for the new vans.”", async () => {
    const vans = await assistant.ok<Assets>("list_assets", {
      category: "vans",
      sort: "-created_at",
      limit: 3,
    });

    const labels = await assistant.ok<{ sheet: { url: string; labels: number } }>(
      "generate_asset_qr_codes",
      {
        asset_ids: vans.assets.map(({ id }) => id),
        format: "pdf_sheet",
        label_template: "avery_l7163",
        label_fields: ["name", "inventory_number", "workspace"],
      },
    );

    expect(labels.sheet.labels).toBe(3);
    const answer = await fetch(labels.sheet.url);
    expect(answer.headers.get("content-type")).toBe("application/pdf");
    expect(Buffer.from(await answer.arrayBuffer()).toString("latin1", 0, 5)).toBe("%PDF-");
  });
});

function dayFrom(today: string, days: number): string {
  return new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The first day of a month, as an offset from this month. */
function monthsFrom(today: string, months: number): string {
  const [year = 0, month = 0] = today.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}
