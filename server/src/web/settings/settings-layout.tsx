import type { ComponentChildren, VNode } from "preact";
import { t } from "../../language/translate.js";
import { useLayout } from "../layout/layout-context.js";
import { Page } from "../layout/layout.js";
import { PageHead, type PageHeadProps } from "../layout/page-head.js";
import { NavLinks, toCurrent, type NavLink } from "../layout/nav-links.js";
import { Popover } from "../layout/popover.js";
import { withColon } from "../text/format.js";

export interface SettingsPageProps extends PageHeadProps {
  /** Without the product name. */
  title: string;
  /** The heading on the page, if it differs from the title. */
  heading?: string;
  /** The address of the section, or one below it. */
  current: string;
  /** "reading" for forms and texts, "wide" for lists. */
  width?: "reading" | "wide";
  children: ComponentChildren;
}

interface Section extends NavLink {
  adminsOnly?: boolean;
}

/** For people in an organization. */
const personalInOrganization = (): NavLink[] => [
  { href: "/settings/notifications", label: t("Notifications") },
  { href: "/settings/keyboard", label: t("Keyboard shortcuts") },
];

const personal = (): Section[] => [
  { href: "/settings", label: t("Your account"), below: "/settings/password" },
  { href: "/settings/security", label: t("Sign-in and security") },
  { href: "/settings/sessions", label: t("Sessions") },
  { href: "/settings/apps", label: t("Connected Apps") },
  { href: "/settings/activity", label: t("Activity||the log") },
];

const ofOrganization = (failingWebhooks: number): Section[] => [
  { href: "/settings/members", label: t("Members") },
  { href: "/settings/organization", label: t("Organization") },
  { href: "/settings/procedures", label: t("Procedures") },
  { href: "/settings/mail", label: t("Mail"), adminsOnly: true },
  {
    href: "/settings/webhooks",
    label: t("Webhooks"),
    adminsOnly: true,
    problem:
      failingWebhooks === 0 ? undefined : t("{count} failing", { count: String(failingWebhooks) }),
  },
];

/**
 * The layout of all settings pages: the sections that the person may see, next to the page. On a
 * phone, a button opens them.
 */
export function SettingsPage(props: SettingsPageProps): VNode {
  const { title, heading = title, current, width = "reading", children, ...head } = props;
  const { organization, isAdmin, failingWebhooks } = useLayout();
  const sections = ofOrganization(failingWebhooks).filter(
    ({ adminsOnly = false }) => isAdmin || !adminsOnly,
  );
  const own = [...personal(), ...(organization === undefined ? [] : personalInOrganization())];
  const shown = [...own, ...sections].find((link) => toCurrent(link, current) !== undefined);
  return (
    <Page title={title} width="wide" current={current}>
      <div class="settings">
        <nav class="settings-sections" aria-label={t("Settings")}>
          <Popover
            class="settings-menu"
            label={`${withColon(t("Settings"))} ${shown?.label ?? t("You||heading of own settings")}`}
          >
            <p>{t("You||heading of own settings")}</p>
            <NavLinks links={own} current={current} />
            {organization !== undefined && (
              <>
                <p dir="auto">{organization.name}</p>
                <NavLinks links={sections} current={current} />
              </>
            )}
          </Popover>
        </nav>
        <div class={`settings-page ${width}`}>
          <PageHead title={heading} {...head} />
          {children}
        </div>
      </div>
    </Page>
  );
}
