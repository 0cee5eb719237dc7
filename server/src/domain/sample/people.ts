import type { OrganizationRole, WorkspaceRole } from "../access/caller.js";

export interface SamplePerson {
  key: string;
  name: string;
  role: OrganizationRole;
  /** Role in each workspace, by its name. */
  workspaces?: Record<string, WorkspaceRole>;
  /** Days before the day of reference; two years when left out. */
  joined?: number;
  /** Days before the day of reference; a few when left out, null for somebody who never came. */
  lastActive?: number | null;
}

/** How long the story goes back, in days. */
export const sampleDays = 730;

/** The first one owns the organization. */
export const samplePeople: readonly [SamplePerson, ...SamplePerson[]] = [
  { key: "dara", name: "Dara Novak", role: "owner" },
  { key: "ana", name: "Ana Keller", role: "admin" },
  { key: "marek", name: "Marek Vesely", role: "admin" },
  { key: "ingrid", name: "Ingrid Solheim", role: "admin", joined: 610 },
  member("bob", "Bob Ferreira", {
    "Main Facility": "admin",
    "Boiler House": "member",
    Workshop: "member",
  }),
  member("chidi", "Chidi Okafor", { "Vehicle Yard East": "admin", "Vehicle Yard South": "member" }),
  member("eva", "Eva Lindqvist", {
    "Data Centre": "admin",
    "Office Tower, floors 1-4": "member",
    "Office Tower, floors 5-8": "member",
  }),
  member(
    "frank",
    "Frank Weber",
    { "Main Facility": "viewer", "Staff Canteen": "viewer" },
    { lastActive: 141 },
  ),
  member("gita", "Gita Rao", { "Riverside Clinic": "admin", "Laboratory Building": "member" }),
  member("hugo", "Hugo Martins", {
    "Swimming Hall": "admin",
    Waterworks: "member",
    "Boiler House": "member",
  }),
  member("ilse", "Ilse Brandt", { "Laboratory Building": "admin" }, { lastActive: 96 }),
  member("jonas", "Jonas Vogel", {
    "Vehicle Yard West": "admin",
    "Vehicle Yard East": "member",
    "Vehicle Yard South": "member",
  }),
  member("katja", "Katja Horvat", {
    "Vehicle Yard East": "member",
    "Vehicle Yard West": "member",
    "Vehicle Yard South": "member",
    "Harbour Yard": "member",
  }),
  member("liam", "Liam Byrne", {
    "Vehicle Yard South": "admin",
    "Vehicle Yard East": "member",
    "Harbour Yard": "admin",
  }),
  member("mina", "Mina Sato", {
    "Main Facility": "member",
    "Archive Building": "admin",
    "Town Library": "member",
  }),
  member("nils", "Nils Andersen", { "Warehouse North": "admin", "Print Works": "member" }),
  member("olga", "Olga Petrova", {
    "Linden School": "admin",
    "Training Centre": "admin",
    "Fire Station 2": "member",
  }),
  member("pavel", "Pavel Dvorak", {
    "Office Tower, floors 1-4": "admin",
    "Office Tower, floors 5-8": "admin",
    "Parking Deck": "member",
    Gatehouse: "member",
  }),
  member(
    "quentin",
    "Quentin Moreau",
    { "Print Works": "admin", "Sorting Hall": "member", "Market Hall": "member" },
    { lastActive: 118 },
  ),
  member("rosa", "Rosa Conti", {
    "Market Hall": "admin",
    "Town Hall East Wing": "member",
    "Town Library": "member",
  }),
  member("sven", "Sven Olsen", {
    "Main Facility": "member",
    Workshop: "admin",
    "Staff Canteen": "member",
  }),
  member("tara", "Tara Singh", { "Data Centre": "member", Gatehouse: "viewer" }, { joined: 45 }),
  member("umar", "Umar Khan", {
    "Fire Station 2": "admin",
    "Porter's Lodge": "member",
    "Town Hall East Wing": "member",
  }),
  member("vera", "Vera Nowak", { Waterworks: "admin", "Swimming Hall": "member" }),
  member(
    "wim",
    "Wim de Boer",
    { "Old Depot": "admin", "Vehicle Yard West": "member", "Sorting Hall": "admin" },
    { lastActive: 203 },
  ),
  member("yusuf", "Yusuf Demir", { "Main Facility": "viewer" }, { joined: 12, lastActive: null }),
];

function member(
  key: string,
  name: string,
  workspaces: Record<string, WorkspaceRole>,
  times: Pick<SamplePerson, "joined" | "lastActive"> = {},
): SamplePerson {
  return { key, name, role: "member", workspaces, ...times };
}
