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
  const { client_name: ownName, redirect_uri: redirectUri } = open;
  const name = ownName ?? t("An app without a name");
  const describedBy = findDescriber(open.client_id);
  const warning = describeDoubt({ open, name, describedBy });
  return (
    <>
      <h1>{tRich("{name} wants to connect", { name: <bdi class="app-name">{name}</bdi> })}</h1>
      <Notice kind={warning === "" ? "info" : "warning"}>
        <p class="app-claim">
          {describedBy === undefined ? (
            <strong>{t("Unverified")}</strong>
          ) : (
            <Describer host={describedBy} />
          )}
          , {describeReturn(toRedirectTarget(redirectUri))}
        </p>
        {describedBy === undefined && <p>{t("Apps choose their own names.")}</p>}
        {warning !== "" && <p>{warning}</p>}
      </Notice>
    </>
  );
}

interface Doubt extends Asking {
  name: string;
  describedBy: string | undefined;
}

/** On the person's computer, any program can listen and use any name. Empty without a doubt. */
function describeDoubt({ open, name, describedBy }: Doubt): string {
  const { client_built_in: isOurs, redirect_uri: redirectUri } = open;
  const isLoopback = toRedirectTarget(redirectUri).kind === "loopback";
  const resembled = isOurs ? undefined : findResembledName(name, redirectUri, describedBy);
  const sentences: string[] = [];
  if (resembled !== undefined) {
    sentences.push(t("The name resembles {resembled}.", { resembled }));
  }
  if (isLoopback) {
    if (describedBy !== undefined) {
      sentences.push(t("Any program on that host can claim to be {host}.", { host: describedBy }));
    }
    sentences.push(t("Continue only if you just started this yourself."));
  } else if (resembled !== undefined) {
    sentences.push(
      describedBy === undefined
        ? t("Only the return address shows which app it is.")
        : t("Only the verified address shows which app it is."),
    );
  }
  return sentences.join(" ");
}

/** The only certain fact about an app. */
function Describer({ host }: { host: string }): VNode {
  return (
    <>
      {tRich("Described by {host} (verified)", { host: <strong class="describer">{host}</strong> })}
    </>
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
