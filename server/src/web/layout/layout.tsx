import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { HiddenToken, Mark } from "./parts.js";
import { staticUrls } from "../static-files.js";

/** What just happened, and where to see it. */
export type Message = string | { text: string; to?: { href: string; label: string } };

export interface PageProps {
  /** Without the product's name. */
  title: string;
  /** The signed-in person, for the navigation. */
  person?: { name: string; email: string } | null | undefined;
  /** From `reply.generateCsrf()`; needed for the sign-out button, so whenever `person` is given. */
  csrfToken?: string | undefined;
  /** The organization that the page is about. */
  organization?: { id: string; name: string } | undefined;
  /** All that the person could switch to. */
  organizations?: readonly { id: string; name: string }[] | undefined;
  /** Whether the person is an owner or admin of the organization. */
  isAdmin?: boolean | undefined;
  /** "narrow" for sign-in and consent, "reading" for forms and texts, "wide" for lists. */
  width?: "narrow" | "reading" | "wide";
  /** No navigation: nothing on the page but its own matter. */
  bare?: boolean;
  /** The address in the navigation that this page belongs to. */
  current?: string;
  /** What just happened, shown on top and read out politely. */
  message?: Message | undefined;
  children: ComponentChildren;
}

const navigation = [
  { href: "/", label: "Home" },
  { href: "/assets", label: "Assets" },
  { href: "/tasks", label: "Tasks" },
  { href: "/workspaces", label: "Workspaces" },
  { href: "/settings", label: "Settings" },
];

/** The frame of every page. */
export function Page(props: PageProps): VNode {
  const { title, width = "reading", message, children } = props;
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Fettle`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href={staticUrls.mark} type="image/svg+xml" />
        <link rel="stylesheet" href={staticUrls.pico} />
        <link rel="stylesheet" href={staticUrls.app} />
      </head>
      <body>
        <a class="skip" href="#content">
          Skip to content
        </a>
        <Header {...props} />
        <main id="content" class={width} tabIndex={-1}>
          {message !== undefined && <Told message={message} />}
          {children}
        </main>
      </body>
    </html>
  );
}

/** The whole document, ready to be sent as text/html. */
export function renderPage(page: VNode): string {
  return "<!doctype html>" + renderToString(page);
}

function Told({ message }: { message: Message }): VNode {
  const { text, to } = typeof message === "string" ? { text: message } : message;
  return (
    <div class="message" role="status">
      {text}
      {to !== undefined && (
        <>
          {" "}
          <a href={to.href}>{to.label}</a>
        </>
      )}
    </div>
  );
}

function Header(props: PageProps): VNode {
  const { person, csrfToken, bare = false, current = "" } = props;
  if (bare || person === null || person === undefined) {
    return (
      <header class="site bare">
        <Brand />
      </header>
    );
  }
  return (
    <header class="site">
      <Brand />
      <Organization {...props} />
      <nav aria-label="Main">
        <ul>
          {navigation.map(({ href, label }) => (
            <li key={href}>
              <a href={href} aria-current={toCurrent(href, current)}>
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <form class="account" method="post" action="/signout">
        <HiddenToken token={csrfToken ?? ""} />
        <span class="who" title={person.email}>
          {person.name}
        </span>
        <button class="quiet" type="submit">
          Sign out
        </button>
      </form>
    </header>
  );
}

/** "true" marks the part that a page below it belongs to. */
function toCurrent(href: string, current: string): "page" | "true" | undefined {
  if (href === current) return "page";
  return href !== "/" && current.startsWith(`${href}/`) ? "true" : undefined;
}

/** Which organization the page is about; whoever is in several can change it. */
function Organization({ organization, organizations = [] }: PageProps): VNode | null {
  if (organization === undefined) return null;
  return (
    <p class="organization">
      <span>{organization.name}</span>
      {organizations.length > 1 && (
        <a href="/organizations" aria-label={`${organization.name}: change the organization`}>
          Change
        </a>
      )}
    </p>
  );
}

function Brand(): VNode {
  return (
    <a class="brand" href="/">
      <Mark />
      Fettle
    </a>
  );
}
