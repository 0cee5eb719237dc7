import { Fragment, type ComponentChildren, type VNode } from "preact";
import { renderToString } from "preact-render-to-string";
import { currentLocale, languageOf } from "../language/locale.js";
import { t } from "../language/translate.js";
import { dark, light } from "./colors.js";
import {
  toPlainName,
  type Block,
  type Detail,
  type Email,
  type Figure,
  type Item,
  type Link,
  type MailContent,
  type Words,
} from "./email.js";
import { renderText } from "./plain-text.js";

/** Both parts of an email in the one layout, and the headers that let clients unsubscribe (RFC 8058). */
export function renderEmail(email: Email): MailContent {
  const { subject, subscription } = email;
  return {
    subject,
    text: renderText(email),
    html: ["<!doctype html>", renderToString(<Layout {...email} />)].join(""),
    ...(subscription && {
      headers: {
        "List-Unsubscribe": `<${subscription.unsubscribe}>`,
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
      },
    }),
  };
}

type Css = Readonly<Record<string, string>>;

/** Styles that depend on the color scheme. */
const toRoles = (colors: typeof light) => ({
  page: { "background-color": colors.paper, color: colors.ink },
  panel: { "background-color": colors.panel, "border-color": colors.line, color: colors.ink },
  ink: { color: colors.ink },
  soft: { color: colors.inkSoft },
  rule: { "border-color": colors.line },
  bar: { "border-color": colors.accent },
  link: { color: colors.accent },
  button: { "background-color": colors.accent, color: colors.onAccent },
  bad: { color: colors.bad },
});

type Role = keyof ReturnType<typeof toRoles>;

const lightRoles: Readonly<Record<Role, Css>> = toRoles(light);

/** The light colors are inline, for clients that drop style sheets. The class is for the dark ones. */
function look(role: Role, style: Css = {}): { class: string; style: Css } {
  return { class: role, style: { ...style, ...lightRoles[role] } };
}

const darkRules = Object.entries<Css>(toRoles(dark)).map(([role, style]) => {
  const declarations = Object.entries(style).map(([name, value]) => `${name}:${value} !important`);
  return `.${role}{${declarations.join(";")}}`;
});

const styleSheet = [
  ":root{color-scheme:light dark;supported-color-schemes:light dark}",
  `@media (prefers-color-scheme:dark){${darkRules.join("")}}`,
].join("");

const font = {
  "font-family": "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,Helvetica,Arial,sans-serif",
};
const body = { ...font, "font-size": "16px", "line-height": "24px" };
const small = { ...font, "font-size": "14px", "line-height": "20px" };
const fine = { ...font, "font-size": "13px", "line-height": "20px" };
/** Long links and names must not widen the column of a phone. */
const breaking = { "overflow-wrap": "anywhere", "word-break": "break-word" };

function Table({ children, ...rest }: { children: ComponentChildren; style?: Css }): VNode {
  return (
    <table role="presentation" width="100%" cellpadding="0" cellspacing="0" {...rest}>
      <tbody>{children}</tbody>
    </table>
  );
}

function Layout({ subject, preheader, organization, news, blocks, ...footer }: Email): VNode {
  const name = organization === undefined ? undefined : toPlainName(organization);
  return (
    <html lang={languageOf(currentLocale())}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
        <title>{subject}</title>
        <style>{styleSheet}</style>
      </head>
      <body {...look("page", { margin: "0", padding: "0", "text-size-adjust": "100%" })}>
        <Preheader words={preheader} />
        <Table>
          <tr>
            <td align="center" {...look("page", { padding: "32px 12px" })}>
              <Table style={{ "max-width": "560px", "text-align": "left" }}>
                <tr>
                  <td style={{ padding: "0 4px 16px" }}>
                    <Header name={name} />
                  </td>
                </tr>
                <tr>
                  <td
                    {...look("panel", {
                      padding: "28px 24px 12px",
                      border: "1px solid",
                      "border-radius": "8px",
                    })}
                  >
                    <Headline news={news} />
                    {blocks.map((block, index) => (
                      <Fragment key={index}>{writeBlock(block)}</Fragment>
                    ))}
                  </td>
                </tr>
                <tr>
                  <td style={{ padding: "20px 4px 0" }}>
                    <Footer name={name} {...footer} />
                  </td>
                </tr>
              </Table>
            </td>
          </tr>
        </Table>
      </body>
    </html>
  );
}

/** Names stay bolder than our words, so that they can't pose as them. */
function Headline({ news }: { news: Words }): VNode {
  const style = { ...font, ...breaking, margin: "0 0 16px", "font-size": "20px" };
  const weight = typeof news === "string" ? "600" : "400";
  return (
    <h1 {...look("ink", { ...style, "line-height": "28px", "font-weight": weight })}>
      {toHtml(news)}
    </h1>
  );
}

/** Invisible characters keep the words of the body out of the preview. */
const padding = "\u034f\u200c\u00a0".repeat(50);

function Preheader({ words }: { words: string }): VNode {
  const hidden = {
    display: "none",
    overflow: "hidden",
    "max-height": "0",
    "font-size": "1px",
    opacity: "0",
    "mso-hide": "all",
  };
  return (
    <div style={hidden}>
      {words}
      {padding}
    </div>
  );
}

function Header({ name }: { name: string | undefined }): VNode {
  return (
    <p style={{ ...body, ...breaking, margin: "0" }}>
      <strong {...look("link", { "font-weight": "700" })}>Fettle</strong>
      {name !== undefined && (
        <span {...look("soft")}>
          {"\u2002·\u2002"}
          <span dir="auto">{name}</span>
        </span>
      )}
    </p>
  );
}

function Footer({
  name,
  why,
  subscription,
}: Pick<Email, "why" | "subscription"> & { name: string | undefined }): VNode {
  const style = { ...fine, ...breaking, margin: "0 0 8px" };
  return (
    <>
      <p {...look("soft", style)}>{toHtml(why)}</p>
      {subscription !== undefined && (
        <p {...look("soft", style)}>
          <SoftLink href={subscription.unsubscribe}>{t("Unsubscribe")}</SoftLink>
          {"\u2002·\u2002"}
          <SoftLink href={subscription.preferences}>{t("Email preferences")}</SoftLink>
        </p>
      )}
      <p {...look("soft", style)}>
        {name !== undefined && <span dir="auto">{name}</span>}
        {name !== undefined && " · "}
        Fettle
      </p>
    </>
  );
}

function SoftLink({ href, children }: { href: string; children: ComponentChildren }): VNode {
  return (
    <a href={href} {...look("soft", { "text-decoration": "underline" })}>
      {children}
    </a>
  );
}

function writeBlock(block: Block): VNode {
  switch (block.kind) {
    case "paragraph":
      return (
        <p {...look("ink", { ...body, ...breaking, margin: "0 0 16px" })}>{toHtml(block.words)}</p>
      );
    case "quote":
      return <Quote words={block.words} />;
    case "button":
      return <Button {...block} />;
    case "link":
      return (
        <p style={{ ...body, ...breaking, margin: "0 0 16px" }}>
          <PlainLink {...block} />
        </p>
      );
    case "figures":
      return <Figures figures={block.figures} />;
    case "list":
      return <List {...block} />;
  }
}

function Quote({ words, margin = "0 0 16px" }: { words: string; margin?: string }): VNode {
  const style = { ...body, ...breaking, margin, padding: "0 0 0 12px" };
  return (
    <blockquote dir="auto" {...look("bar", { ...style, "border-left": "3px solid" })}>
      {words.split("\n").map((line, index) => (
        <Fragment key={index}>
          {index > 0 && <br />}
          {line}
        </Fragment>
      ))}
    </blockquote>
  );
}

function Button({ label, href, showAddress = false }: Link & { showAddress?: boolean }): VNode {
  const style = {
    ...body,
    display: "inline-block",
    padding: "10px 20px",
    "border-radius": "6px",
    "font-weight": "600",
    "text-decoration": "none",
  };
  return (
    <>
      <p style={{ ...body, margin: "8px 0 20px" }}>
        <a href={href} {...look("button", style)}>
          {label}
        </a>
      </p>
      {showAddress && (
        <p {...look("soft", { ...fine, ...breaking, margin: "0 0 16px" })}>
          {t("Or open this link:")}
          <br />
          <SoftLink href={href}>{href}</SoftLink>
        </p>
      )}
    </>
  );
}

function PlainLink({ label, href }: Link): VNode {
  return (
    <a href={href} {...look("link", { "text-decoration": "underline" })}>
      {label}
    </a>
  );
}

/** Two beside each other, also on a phone. */
function Figures({ figures }: { figures: readonly Figure[] }): VNode {
  const pairs = figures.flatMap((figure, index) =>
    index % 2 === 0 ? [[figure, figures[index + 1]]] : [],
  );
  return (
    <Table style={{ margin: "0 0 12px" }}>
      {pairs.map((pair, row) => (
        <tr key={row}>
          {pair.map((figure, column) => (
            <td key={column} width="50%" valign="top" style={{ padding: "0 12px 12px 0" }}>
              {figure !== undefined && <OneFigure {...figure} />}
            </td>
          ))}
        </tr>
      ))}
    </Table>
  );
}

function OneFigure({ label, value, isBad = false }: Figure): VNode {
  const large = { ...font, margin: "0", "font-size": "24px", "line-height": "32px" };
  return (
    <>
      <p {...look(isBad ? "bad" : "ink", { ...large, "font-weight": "600" })}>{value}</p>
      <p {...look("soft", { ...small, margin: "0" })}>{label}</p>
    </>
  );
}

function List({ heading, items, more }: Extract<Block, { kind: "list" }>): VNode {
  return (
    <>
      {heading !== undefined && (
        <h2 {...look("ink", { ...body, margin: "20px 0 8px", "font-weight": "600" })}>{heading}</h2>
      )}
      <Table style={{ margin: "0 0 16px" }}>
        {items.map((item, index) => (
          <tr key={index}>
            <td {...look("rule", { padding: "12px 0", "border-top": "1px solid" })}>
              <OneItem {...item} />
            </td>
          </tr>
        ))}
        {more !== undefined && (
          <tr>
            <td {...look("rule", { padding: "12px 0", "border-top": "1px solid" })}>
              <p {...look("soft", { ...small, margin: "0" })}>{more}</p>
            </td>
          </tr>
        )}
      </Table>
    </>
  );
}

function OneItem({ number, title, href, details, quote }: Item): VNode {
  return (
    <>
      <p style={{ ...body, ...breaking, margin: "0" }}>
        {number !== undefined && <span {...look("soft")}>{`${number} `}</span>}
        <a
          href={href}
          dir="auto"
          {...look("ink", { "font-weight": "600", "text-decoration": "none" })}
        >
          {title}
        </a>
      </p>
      {details.length > 0 && (
        <p {...look("soft", { ...small, ...breaking, margin: "2px 0 0" })}>
          {details.map((detail, index) => (
            <Fragment key={index}>
              {index > 0 && " · "}
              <OneDetail {...detail} />
            </Fragment>
          ))}
        </p>
      )}
      {quote !== undefined && <Quote words={quote} margin="8px 0 4px" />}
    </>
  );
}

function OneDetail({ words, isBad = false }: Detail): VNode {
  return isBad ? (
    <span dir="auto" {...look("bad")}>
      {words}
    </span>
  ) : (
    <span dir="auto">{words}</span>
  );
}

function toHtml(words: Words): ComponentChildren {
  return typeof words === "string" ? words : words.html;
}
