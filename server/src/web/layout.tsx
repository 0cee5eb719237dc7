import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { HiddenToken, Mark } from "./parts.js";
import { staticUrls } from "./static-files.js";

export interface PageProps {
  /** Without the product's name. */
  title: string;
  /** The signed-in person, for the navigation. */
  person?: { name: string; email: string } | null | undefined;
  /** From `reply.generateCsrf()`; needed for the sign-out button, so whenever `person` is given. */
  csrfToken?: string | undefined;
  /** "narrow" for sign-in and consent, "reading" for forms and texts, "wide" for lists. */
  width?: "narrow" | "reading" | "wide";
  /** No navigation: nothing on the page but its own matter. */
  bare?: boolean;
  /** The address in the navigation that this page belongs to. */
  current?: string;
  /** What just happened, shown on top and read out politely. */
  message?: ComponentChildren;
  children: ComponentChildren;
}

const navigation = [
  { href: "/", label: "Home" },
  { href: "/settings/apps", label: "Connected Apps" },
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
          {message !== undefined && (
            <div class="message" role="status">
              {message}
            </div>
          )}
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

function Header({ person, csrfToken, bare = false, current }: PageProps): VNode {
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
      <nav aria-label="Main">
        <ul>
          {navigation.map(({ href, label }) => (
            <li key={href}>
              <a href={href} aria-current={href === current ? "page" : undefined}>
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

function Brand(): VNode {
  return (
    <a class="brand" href="/">
      <Mark />
      Fettle
    </a>
  );
}
