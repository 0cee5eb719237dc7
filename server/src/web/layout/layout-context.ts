import type { Session } from "fastify";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** What just happened and where to see it, or why it did not. */
export type Message = NonNullable<Session["message"]>;

/** Who looks at a page and in which organization; every page and form takes it from here. */
export interface Layout {
  /** The signed-in person, for the navigation. */
  person: { name: string; email: string } | null;
  /** The organization that the page is about. */
  organization: { id: string; name: string } | undefined;
  /** All that the person could switch to. */
  organizations: readonly { id: string; name: string }[];
  /** Whether the person is an owner or admin of the organization. */
  isAdmin: boolean;
  /** How many reports wait for the person; undefined for who decides on none. */
  openReports: number | undefined;
  /** Whether the page runs the script of lists and forms. */
  hasScript: boolean;
  /** The hidden token of forms; one for the whole page, made when a form asks for it. */
  readonly csrfToken: string;
  /** The hidden stamp of forms that says whose page it is; empty where no one is signed in. */
  readonly personStamp: string;
  /** What just happened; it is shown once. */
  readonly message: Message | undefined;
}

/** Without a provider: a page for nobody in particular, such as that of an error. */
export const LayoutContext = createContext<Layout>({
  person: null,
  organization: undefined,
  organizations: [],
  isAdmin: false,
  openReports: undefined,
  hasScript: false,
  csrfToken: "",
  personStamp: "",
  message: undefined,
});

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
