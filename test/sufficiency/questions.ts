import { readTable } from "../../server/src/demo/data/tables.js";

export interface Question {
  question: string;
  calls: { tool: string; args: Record<string, unknown> }[];
  /** Paths in the last response that contain the answer: names and indexes joined by dots. */
  answers: string[];
}

/*
 * Questions of managers, planners, technicians, auditors and owners about the sample organization,
 * with the calls that answer them. {-7} is the day a week ago, {0} is today. Calls are separated by
 * " + ".
 */
const overview = `
How many assets do we have, by state? | get_organization_stats {} | assets.total, assets.by_state.in_use
Which sites have most assets? | get_organization_stats {} | assets.by_workspace.0.workspace_name
How many compressors do we have? | get_organization_stats {} | assets.by_category.14
What are our assets worth? | get_organization_stats {} | assets.purchase_value.EUR
How many critical assets are there? | get_organization_stats {} | assets.by_criticality.critical
What needs my attention today? | get_organization_stats {"include":["attention"]} | attention.0.reason, attention.0.name
How much did maintenance cost in the last year, by kind of work? | get_organization_stats {} | period.cost.EUR.corrective
What did each workspace cost this year and the year before? | get_organization_stats {"group_by":"workspace"} | groups.0.cost.EUR, groups.0.previous.cost.EUR
Which site does planned work on time, and which does not? | get_organization_stats {"group_by":"workspace","from":"{-90}","to":"{0}"} | groups.0.on_time_percent
Who has how much open work? | get_organization_stats {"group_by":"assignee"} | groups.0.open_tasks, groups.0.estimated_hours
Who is behind most? | get_organization_stats {"group_by":"assignee"} | groups.0.overdue_tasks
Which categories fail most? | get_organization_stats {"group_by":"category"} | groups.0.failures
How does work develop from month to month? | get_organization_stats {"group_by":"month"} | groups.0.completed_tasks, groups.11.completed_tasks
How much corrective against preventive work do we do? | get_organization_stats {"group_by":"task_type"} | groups.0.name, groups.1.name
What did the last quarter cost against the one before? | get_organization_stats {"group_by":"task_type","from":"{-90}","to":"{0}"} | groups.0.cost.EUR, groups.0.previous.cost.EUR
Which five assets cost most? | get_organization_stats {} | period.top_cost_assets.4.name
Which assets fail again and again? | get_organization_stats {} | period.top_failure_assets.0.failures
How reliable are we? | get_organization_stats {} | period.mtbf_days, period.operating_days, period.failures
How available were our assets in the last 30 days? | get_organization_stats {"period_days":30} | period.availability_percent
How much of the planned work was in time? | get_organization_stats {} | period.pm_compliance_percent, period.pm_tasks_due
How is the Data Centre doing? | get_organization_stats {"workspace_id":"Data Centre"} | assets.total, tasks.by_state.scheduled
How many warranties end soon? | get_organization_stats {} | warranties.ending_in_90_days
What is the purchase value of each category? | get_organization_stats {"group_by":"category"} | groups.1.purchase_value.EUR
How many people work with us, and how many were here this month? | get_organization_stats {} | people.members, people.active_30_days
How much work is due this week? | get_organization_stats {} | tasks.due_in_7_days
How old is our oldest overdue task? | get_organization_stats {} | tasks.oldest_overdue_days
How much open work has nobody? | get_organization_stats {} | tasks.unassigned_open
`;

const assets = `
Which assets are out of service? | list_assets {"state":"out_of_service"} | total_count
What is being repaired or broken now? | list_assets {"state":["out_of_service","in_maintenance"]} | total_count
Which critical or high assets have overdue work? | list_assets {"criticality":["critical","high"],"overdue":true} | assets.0.overdue_tasks
Which assets have no planned work? | list_assets {"without_open_tasks":true,"limit":50,"include_ids":false} | assets.0.name, total_count
Which laptops do we have, and who has them? | list_assets {"category":"Laptops","limit":50} | assets.0.assigned_to
Which warranties end in the next 90 days? | list_assets {"warranty_expires_from":"{0}","warranty_expires_to":"{90}","sort":"warranty_expires_on"} | assets.0.warranty_expires_on
What did we retire, when and why? | list_assets {"state":"deleted","sort":"-updated_at"} | assets.0.deleted_at, assets.0.deletion_reason
Which assets has nobody seen this year? | list_assets {"not_seen_since":"{-365}"} | total_count
Which vans have we in the East yard? | list_assets {"workspace_id":"Vehicle Yard East","category":"Vans"} | assets.0.inventory_number
What has Katja to look after? | list_assets {"assigned_to_user_id":"Katja Horvat"} | total_count
Which assets changed this week? | list_assets {"updated_since":"{-7}","sort":"-updated_at"} | total_count
Where is the pump of heating circuit 1, and how old is it? | list_assets {"query":"heating circuit 1"} + get_asset {"asset_id":"434-000001"} | asset.workspace_name, asset.age_months
Why does that pump fail so often? | get_asset {"asset_id":"434-000001"} + list_maintenance_tasks {"asset_id":"434-000001","type":"corrective"} | tasks.0.title, tasks.2.title
How long was that pump down, and what did it cost? | get_asset {"asset_id":"434-000001"} | maintenance.downtime_minutes_365d, maintenance.cost_365d.EUR, maintenance.failures_365d
Is the defibrillator at the reception ready? | list_assets {"query":"defibrillator reception"} + get_asset {"asset_id":"434-000005"} | asset.state
Who is responsible for the backup generator? | get_asset {"asset_id":"434-000002"} | asset.name, open_tasks.0.title
Is anything entered twice? | list_assets {"query":"AED5-77120","state":["available","in_use","deleted"]} | assets.1.inventory_number
Which part belongs to the lift? | list_assets {"query":"door drive"} | assets.0.name
When does the warranty of the van end? | get_asset {"asset_id":"434-000004"} | asset.warranty_expires_on
What is in the Archive Building? | list_assets {"workspace_id":"Archive Building"} | assets.3.name
Print labels for the extinguishers of the archive. | list_assets {"workspace_id":"Archive Building","category":"Fire extinguishers"} + generate_asset_qr_codes {"asset_ids":["434-000007","434-000008","434-000009","434-000010"],"format":"pdf_sheet"} | sheet.url
`;

const work = `
What is overdue? | list_maintenance_tasks {"state":"overdue","limit":50,"include_ids":false} | tasks.0.title, overdue_count
What is due this week, and who does it? | list_maintenance_tasks {"state":"open","due_from":"{0}","due_to":"{6}"} | total_count
What has Bob to do? | list_maintenance_tasks {"state":"open","assigned_to_user_id":"Bob Ferreira"} | total_count
What is urgent and has nobody? | list_maintenance_tasks {"state":"open","priority":["urgent","high"],"assigned_to_user_id":"none"} | total_count
Which inspections were done last month? | list_maintenance_tasks {"type":"inspection","completed_from":"{-31}","completed_to":"{0}"} | total_count
Which repairs run at the moment? | list_maintenance_tasks {"state":["in_progress","on_hold"],"type":"corrective"} | total_count
Which calibrations and tests are due in the next 90 days? | list_maintenance_tasks {"state":"open","type":["calibration","compliance_test"],"due_to":"{90}"} | total_count
How much time does the work of the next two weeks take? | list_maintenance_tasks {"state":"open","due_to":"{14}","limit":100,"fields":["task_number","title","due_date","estimated_minutes"]} | tasks.0.estimated_minutes
What was completed yesterday and today? | list_maintenance_tasks {"completed_from":"{-1}","sort":"-completed_at"} | total_count
What did the last repairs cost? | list_maintenance_tasks {"type":"corrective","state":"completed","sort":"-completed_at","include_ids":false} | tasks.0.completed_at
What has to be done for the load test? | list_maintenance_tasks {"asset_id":"434-000002","state":"open"} | tasks.0.title
When is the next service of the lifts? | list_maintenance_tasks {"query":"lift service","state":"open"} | tasks.0.due_date
Which work is planned at the Swimming Hall? | list_maintenance_tasks {"workspace_id":"Swimming Hall","state":"open"} | tasks.0.title
Which filters were changed late? | list_maintenance_tasks {"query":"change filters","state":"overdue"} | total_count
What was skipped? | list_maintenance_tasks {"state":"skipped"} | total_count
What does the latest finished task say? | list_maintenance_tasks {"state":"completed","sort":"-completed_at","limit":1} | tasks.0.task_number
`;

const history = `
What did assistants change this week? | search_asset_history {"source":"mcp","from":"{-7}"} | total_count
Who moved the van, and where to? | search_asset_history {"asset_id":"434-000004","event_types":["asset_moved"]} | events.0.actor, events.0.changes.0.to
What happened to the laptop that was lost? | search_asset_history {"asset_id":"434-000003"} | events.0.type, total_count
Who changed the state of assets yesterday? | search_asset_history {"event_types":["asset_state_changed"],"from":"{-1}"} | total_count
What did Ana change in the last month? | search_asset_history {"actor_user_id":"Ana Keller","from":"{-31}"} | total_count
What was retired this year, and by whom? | search_asset_history {"event_types":["asset_deleted"],"from":"{-365}"} | events.0.actor
Which serial numbers were changed? | search_asset_history {"field":"serial_number"} | total_count
What happened in the Boiler House last week? | search_asset_history {"workspace_id":"Boiler House","from":"{-7}"} | total_count
What did people note about leaks? | search_asset_history {"query":"leaks"} | total_count
Who had the van before? | search_asset_history {"asset_id":"434-000004","event_types":["asset_assigned"]} | events.0.changes.1.to
What was the first entry ever? | search_asset_history {"order":"oldest","limit":1} | events.0.occurred_at
`;

const people = `
Who am I, and what may I do here? | get_current_user {} | user.name, organization_role, granted_scopes.0
Who are the admins? | list_users {"role":"admin"} | users.0.name
Who may see the Main Facility? | list_users {"workspace_id":"Main Facility"} | users.0.name, users.5.name
Who was not here for three months? | list_users {"inactive_since":"{-90}","sort":"last_active_at"} | users.4.name
Who belongs to no workspace? | list_users {"workspace_id":"none"} | total_count
Which invitations are open? | list_invites {} | invites.2.email
Which invitations ran out? | list_invites {"status":"expired"} | invites.0.email
Which workspaces are there, and how much is overdue in each? | list_workspaces {"limit":50} | workspaces.16.name
Where is the Clinic? | list_workspaces {"query":"clinic"} | workspaces.0.address
Can Vera take over the work of Hugo? | list_users {"query":"vera"} + list_users {"query":"hugo"} + list_maintenance_tasks {"assigned_to_user_id":"Hugo Martins","state":"open"} | total_count
`;

/** Returns all questions with dates in place of offsets. */
export function readQuestions(dayFromToday: (days: number) => string): Question[] {
  const rows = [overview, assets, work, history, people].flatMap((part) =>
    readTable("question calls answers", part),
  );
  return rows.map(({ question, calls, answers }) => ({
    question,
    calls: calls
      .replaceAll(/\{(-?\d+)\}/g, (_match, days: string) => dayFromToday(Number(days)))
      .split(" + ")
      .map((call) => {
        const [tool = "", ...args] = call.split(" ");
        return { tool, args: JSON.parse(args.join(" ")) as Record<string, unknown> };
      }),
    answers: answers.split(", "),
  }));
}
