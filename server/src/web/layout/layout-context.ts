import type { Session } from "fastify";
import { createContext } from "preact";
import { useContext } from "preact/hooks";

/** The result of the last action with a link, or the reason that nothing happened. */
export type Message = NonNullable<Session["message"]>;

/** The person and organization of a page. Every page and form reads them here. */
export interface Layout {
  person: { id: string; name: string; email: string } | null;
  organization: { id: string; name: string } | undefined;
  organizations: readonly { id: string; name: string }[];
  isAdmin: boolean;
  /** The number of reports that wait for the person. Undefined if they decide on none. */
  openReports: number | undefined;
  /** The number of the person's unread notifications, at most 100. */
  unread: number;
  /** Only on the home page and in the settings, for owners and admins. */
  failingWebhooks: number;
  /** True if the page loads the script of lists and forms. */
  hasScript: boolean;
  /** The CSRF token of forms. One per page, created on first use. */
  readonly csrfToken: string;
  /** The stamp of forms that identifies the page's person. Empty if no one is signed in. */
  readonly personStamp: string;
  /** The message about the last action. Shown once. */
  readonly message: Message | undefined;
}

/** The default without a provider: an anonymous page, such as an error page. */
export const LayoutContext = createContext<Layout>({
  person: null,
  organization: undefined,
  organizations: [],
  isAdmin: false,
  openReports: undefined,
  unread: 0,
  failingWebhooks: 0,
  hasScript: false,
  csrfToken: "",
  personStamp: "",
  message: undefined,
});

export function useLayout(): Layout {
  return useContext(LayoutContext);
}
