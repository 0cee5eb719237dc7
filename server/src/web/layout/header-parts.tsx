import type { VNode } from "preact";
import type { PlainText } from "../../language/texts.js";
import { t } from "../../language/translate.js";
import { HiddenToken } from "./hidden-token.js";
import { NavLinks, type NavLink } from "./nav-links.js";
import { dots, Popover } from "./popover.js";

export function HeaderSearch(): VNode {
  return (
    <>
      <form
        class="finding"
        method="get"
        action="/search"
        role="search"
        aria-label={t("Everywhere")}
      >
        <input
          type="search"
          name="q"
          maxLength={200}
          autocomplete="off"
          aria-label={t("Find anything")}
          placeholder={t("Search")}
        />
        <button type="submit" class="quiet">
          <Icon path={icons.find} />
          <span class="visually-hidden">{t("Find")}</span>
        </button>
      </form>
      <a class="finding-link" href="/search">
        <Icon path={icons.find} />
        <span class="visually-hidden">{t("Find")}</span>
      </a>
    </>
  );
}

export function Bell({ unread, current }: { unread: number; current: string }): VNode {
  const count = unread > maxUnread ? `${maxUnread}+` : String(unread);
  return (
    <a
      class="bell"
      href="/notifications"
      data-unread={unread}
      aria-current={current === "/notifications" ? "page" : undefined}
    >
      <Icon path={icons.bell} />
      <span class="visually-hidden">{t("Notifications")}</span>
      {unread > 0 && (
        <span class="count">
          {count}
          <span class="visually-hidden"> {t("unread")}</span>
        </span>
      )}
    </a>
  );
}

const maxUnread = 99;

export function AccountMenu({ person }: { person: { name: string; email: string } }): VNode {
  return (
    <Popover class="account" label={<span class="who">{person.name}</span>} title={person.email}>
      <p class="soft">{person.email}</p>
      <p>
        <a href="/settings">{t("Settings")}</a>
      </p>
      <form method="post" action="/signout">
        <HiddenToken />
        <button class="quiet" type="submit">
          {t("Sign out")}
        </button>
      </form>
    </Popover>
  );
}

/** A technician's main places within reach of the thumb, the others under "More". Phones only. */
export function BottomBar({
  links,
  current,
}: {
  links: readonly NavLink[];
  current: string;
}): VNode {
  const others = links.filter(({ href }) => !bar.some((place) => place.href === href));
  const waiting = others.reduce((total, { count = 0 }) => total + count, 0);
  return (
    <nav aria-label={t("Places")} class="bottom">
      <ul>
        {bar.map(({ href, label, icon }) => (
          <li key={href}>
            <a href={href} aria-current={href === current ? "page" : undefined}>
              <Icon path={icon} />
              {t(label)}
            </a>
          </li>
        ))}
        <li>
          <Popover
            buttonClass="place"
            label={
              <>
                <Icon path={icons.more} />
                {t("More")}
                {waiting > 0 && <span class="count">{waiting}</span>}
              </>
            }
          >
            <NavLinks links={others} current={current} />
          </Popover>
        </li>
      </ul>
    </nav>
  );
}

/** Lines in a square of 24 × 24. */
const icons = {
  home: "M4 11 12 4l8 7v9h-5v-6H9v6H4z",
  tasks: "M4 6l1.5 1.5L8 5M11 6h9M4 12l1.5 1.5L8 11M11 12h9M4 18l1.5 1.5L8 17M11 18h9",
  scan: "M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5M7 12h10",
  assets: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  more: dots,
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4M12 5V3",
  find: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4.5 4.5",
};

const bar: { href: string; label: PlainText; icon: string }[] = [
  { href: "/", label: "Home", icon: icons.home },
  { href: "/tasks", label: "Tasks", icon: icons.tasks },
  { href: "/scan", label: "Scan", icon: icons.scan },
  { href: "/assets", label: "Assets", icon: icons.assets },
];

function Icon({ path }: { path: string }): VNode {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
