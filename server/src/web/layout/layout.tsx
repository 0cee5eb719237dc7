import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { useLayout, type Message } from "./layout-context.js";
import { HiddenToken, Mark } from "./parts.js";
import { staticUrls } from "../static-files.js";

export interface PageProps {
  /** Without the product's name. */
  title: string;
  /** "narrow" for sign-in and consent, "reading" for forms and texts, "wide" for lists. */
  width?: "narrow" | "reading" | "wide";
  /** No navigation: nothing on the page but its own matter. */
  bare?: boolean;
  /** The address in the navigation that this page belongs to. */
  current?: string;
  children: ComponentChildren;
}

const navigation = [
  { href: "/", label: "Home" },
  { href: "/assets", label: "Assets" },
  { href: "/tasks", label: "Tasks" },
  { href: "/workspaces", label: "Workspaces" },
  { href: "/settings", label: "Settings" },
];

/** The layout of every page. */
export function Page(props: PageProps): VNode {
  const { title, width = "reading", children } = props;
  const { message } = useLayout();
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
          {message !== undefined && <Status message={message} />}
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

function Status({ message }: { message: Message }): VNode {
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

function Header(props: Pick<PageProps, "bare" | "current">): VNode {
  const { bare = false, current = "" } = props;
  const { person } = useLayout();
  if (bare || person === null) {
    return (
      <header class="site bare">
        <Brand />
      </header>
    );
  }
  return (
    <header class="site">
      <Brand />
      <Organization />
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
        <HiddenToken />
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
function Organization(): VNode | null {
  const { organization, organizations } = useLayout();
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
