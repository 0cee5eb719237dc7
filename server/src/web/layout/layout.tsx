import type { ComponentChildren, VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { version } from "../../domain/shared/version.js";
import { currentLocale, languageOf } from "../../language/locale.js";
import { t } from "../../language/translate.js";
import { AccountMenu, Bell, BottomBar, HeaderSearch } from "./header-parts.js";
import { useLayout, type Message } from "./layout-context.js";
import { HiddenToken } from "./hidden-token.js";
import { NavLinks, type NavLink } from "./nav-links.js";
import { manifestPath, staticUrls, themeColors } from "../static-files.js";

export interface PageProps {
  /** Without the product name. */
  title: string;
  /** "narrow" for sign-in and consent, "reading" for forms and texts, "wide" for lists. */
  width?: "narrow" | "reading" | "wide";
  /** No navigation, only the page's own content. */
  bare?: boolean;
  /** The navigation address of this page. */
  current?: string;
  children: ComponentChildren;
}

/** Shows reports only to people who decide on them. Others find theirs on the asset's page. */
function navigationWith(openReports: number | undefined): NavLink[] {
  return [
    { href: "/", label: t("Home") },
    { href: "/assets", label: t("Assets") },
    { href: "/tasks", label: t("Tasks") },
    { href: "/plan", label: t("Plan") },
    { href: "/scan", label: t("Scan") },
    ...(openReports === undefined
      ? []
      : [{ href: "/reports", label: t("Reports"), count: openReports }]),
    { href: "/trends", label: t("Trends") },
    { href: "/workspaces", label: t("Workspaces") },
    { href: "/settings", label: t("Settings") },
  ];
}

export function Page(props: PageProps): VNode {
  const { title, width = "reading", children } = props;
  const { message, hasScript, person, organization } = useLayout();
  return (
    <html lang={languageOf(currentLocale())}>
      <head>
        <meta charset="utf-8" />
        <title>{`${title} · Fettle`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta
          name="theme-color"
          content={themeColors.light}
          media="(prefers-color-scheme: light)"
        />
        <meta name="theme-color" content={themeColors.dark} media="(prefers-color-scheme: dark)" />
        <link rel="icon" href={staticUrls.mark} type="image/svg+xml" />
        <link rel="apple-touch-icon" href={staticUrls.icon180} />
        <link rel="manifest" href={manifestPath} />
        <link rel="stylesheet" href={staticUrls.pico} />
        <link rel="stylesheet" href={staticUrls.app} />
        {hasScript && (
          <>
            <script
              src={staticUrls.pages}
              defer
              data-choose-all={t("Select all")}
              data-copy={t("Copy")}
              data-copied={t("Copied")}
              data-remove={t("Remove")}
              data-less={t("5 minutes less")}
              data-more={t("5 minutes more")}
            />
            <script src={staticUrls.keyboard} defer />
            {person !== null && organization !== undefined && (
              <script src={staticUrls.offline} defer data-person={person.id} />
            )}
          </>
        )}
      </head>
      <body>
        <a class="skip" href="#content">
          {t("Skip to content")}
        </a>
        <Header {...props} />
        <div class="page">
          <main id="content" class={width} tabIndex={-1}>
            {message !== undefined && <Status message={message} />}
            {children}
          </main>
        </div>
        <Footer {...props} />
      </body>
    </html>
  );
}

export function renderPage(page: VNode): string {
  return "<!doctype html>" + renderToString(page);
}

function Status({ message: { text, to, kind, undo } }: { message: Message }): VNode {
  const [result, ...warnings] = text.split("\n");
  return (
    <div
      class={kind === undefined ? "message" : `message ${kind}`}
      role={kind === "refusal" ? "alert" : "status"}
    >
      {result}
      {warnings.length > 0 && (
        <ul>
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      {to !== undefined && !to.isNext && (
        <>
          {" "}
          <a href={to.href}>{to.label}</a>
        </>
      )}
      {undo !== undefined && <UndoNow id={undo} />}
      {to?.isNext && (
        <a class="button" href={to.href}>
          {to.label}
        </a>
      )}
    </div>
  );
}

/** Undoes the action just done, and returns to this page. */
function UndoNow({ id }: { id: string }): VNode {
  const { organization } = useLayout();
  return (
    <form method="post" action={`/changes/${id}/undo`}>
      <HiddenToken />
      <input type="hidden" name="_organization" value={organization?.id} />
      <input type="hidden" name="from" value="message" />
      <button type="submit" class="quiet">
        {t("Undo")}
      </button>
    </form>
  );
}

function Header(props: Pick<PageProps, "bare" | "current">): VNode {
  const { bare = false, current = "" } = props;
  const { person, organization, openReports, unread } = useLayout();
  if (bare || person === null) {
    return (
      <header class="site bare">
        <Brand />
      </header>
    );
  }
  const links = navigationWith(openReports);
  return (
    <>
      <header class="site">
        <Brand />
        <Organization />
        <HeaderSearch />
        {organization !== undefined && <Bell unread={unread} current={current} />}
        <AccountMenu person={person} />
        <nav aria-label={t("Main")} class="main">
          <NavLinks links={links} current={current} />
        </nav>
      </header>
      <BottomBar links={links} current={current} />
    </>
  );
}

/** Strangers must not learn which version has which weaknesses. */
function Footer({ bare = false }: Pick<PageProps, "bare">): VNode | null {
  const { person } = useLayout();
  return bare || person === null ? null : <footer class="site soft">Fettle {version}</footer>;
}

/** The page's organization. People in several can switch. */
function Organization(): VNode | null {
  const { organization, organizations } = useLayout();
  if (organization === undefined) return null;
  return (
    <p class="organization">
      <span dir="auto">{organization.name}</span>
      {organizations.length > 1 && (
        <a
          href="/organizations"
          aria-label={t("{name}: switch organization", { name: organization.name })}
        >
          {t("Change")}
        </a>
      )}
    </p>
  );
}

function Brand(): VNode {
  return (
    <a class="brand" href="/" aria-label="Fettle">
      <Mark />
      <span>Fettle</span>
    </a>
  );
}

/** The product's logo: a wrench that crosses a check mark. Decorative next to the name. */
function Mark(): VNode {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <g
        fill="none"
        stroke="currentColor"
        stroke-width="2.6"
        stroke-linecap="round"
        stroke-linejoin="round"
      >
        <path d="M4 17.5 11 25 28 7" />
        <path d="M27 27 14.6 14.6M15.2 10.9a5.6 5.6 0 0 0-7-7l3.2 3.3-.9 3.3-3.3.9-3.3-3.2a5.6 5.6 0 0 0 7 7" />
      </g>
    </svg>
  );
}
