import type { VNode } from "preact";
import type { OpenRequest } from "../domain/oauth/authorizations.js";
import { findDescriber } from "../domain/oauth/client-documents.js";
import { findResembledName } from "../domain/oauth/resembled-names.js";
import { toRedirectTarget, type RedirectTarget } from "../domain/oauth/redirect-uris.js";
import { t, tRich } from "../language/translate.js";
import { Notice } from "../web/layout/notices.js";

type Asking = { open: OpenRequest };

/** The app that asks: its name for itself, and the facts that are certain. */
export function AskingApp({ open }: Asking): VNode {
  const { client_name: ownName, client_built_in: isOurs, redirect_uri: redirectUri } = open;
  const name = ownName ?? t("An app without a name");
  const describedBy = findDescriber(open.client_id);
  return (
    <>
      <h1>{tRich("{name} wants to connect", { name: <bdi class="app-name">{name}</bdi> })}</h1>
      <p class="app-claim">
        {describedBy === undefined ? (
          <strong>{t("unverified")}</strong>
        ) : (
          <Describer host={describedBy} />
        )}
        , {describeReturn(toRedirectTarget(redirectUri))}
      </p>
      {!isOurs && <ResembledName name={name} redirectUri={redirectUri} describedBy={describedBy} />}
    </>
  );
}

/** For an app on the person's computer, where any program can listen and use any name. */
export function LoopbackNotice({ open }: Asking): VNode | null {
  if (toRedirectTarget(open.redirect_uri).kind !== "loopback") return null;
  const describedBy = findDescriber(open.client_id);
  return (
    <Notice kind="warning">
      <p>
        {t("Access goes to an app on this computer.")}{" "}
        {describedBy !== undefined &&
          `${t("Any program on that host can claim to be {host}.", { host: describedBy })} `}
        {t("Continue only if you just started this yourself.")}
      </p>
    </Notice>
  );
}

/** The only certain fact about an app. */
function Describer({ host }: { host: string }): VNode {
  return (
    <>
      {tRich("Described by {host} (verified)", { host: <strong class="describer">{host}</strong> })}
    </>
  );
}

function ResembledName({
  name,
  redirectUri,
  describedBy,
}: {
  name: string;
  redirectUri: string;
  describedBy: string | undefined;
}): VNode | null {
  const resembled = findResembledName(name, redirectUri, describedBy);
  if (resembled === undefined) return null;
  return (
    <Notice kind="warning">
      <p>
        {describedBy === undefined
          ? t(
              "The name resembles {resembled}, but apps choose their own names. Only the return address shows which app it is.",
              { resembled },
            )
          : t(
              "The name resembles {resembled}, but apps choose their own names. Only the verified address shows which app it is.",
              { resembled },
            )}
      </p>
    </Notice>
  );
}

function describeReturn({ kind, name }: RedirectTarget): VNode {
  switch (kind) {
    case "website":
      return <>{tRich("returns to {name}", { name: <strong>{name}</strong> })}</>;
    case "loopback":
      return (
        <>
          {tRich("returns to an app on this computer ({name})", { name: <strong>{name}</strong> })}
        </>
      );
    case "app":
      return (
        <>
          {tRich("returns to the app that opens {name} addresses on this device", {
            name: <strong>{name}</strong>,
          })}
        </>
      );
  }
}
