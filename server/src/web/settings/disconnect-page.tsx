import type { ComponentChildren, VNode } from "preact";
import type { ConnectionRow } from "../../domain/oauth/connections.js";
import { t, tRich } from "../../language/translate.js";
import { FormActions, PostForm } from "../forms/controls.js";
import { appsAddress, Claim } from "./app-rows.js";
import { SettingsPage } from "./settings-layout.js";

export function DisconnectPage({
  connection,
  isOwn,
}: {
  connection: ConnectionRow;
  isOwn: boolean;
}): VNode {
  const { client_name: app, organization_name: organization, user_name: person } = connection;
  return (
    <SettingsPage
      title={
        isOwn ? t("Disconnect {app}", { app }) : t("Disconnect {person}'s {app}", { app, person })
      }
      heading={
        isOwn ? t("Disconnect {app}?", { app }) : t("Disconnect {person}'s {app}?", { app, person })
      }
      current={`${appsAddress}/disconnect`}
      crumbs={[{ href: appsAddress, label: t("Connected Apps") }]}
    >
      <Claim connection={connection} />
      {!isOwn && (
        <p>
          {tRich(
            "It acts for <strong>{person}</strong>. They'll be notified and can reconnect it.",
            {
              strong: (words: ComponentChildren) => <strong dir="auto">{words}</strong>,
              person,
            },
          )}
        </p>
      )}
      <p>
        {tRich("It loses access to {organization} right away. Its past changes are kept.", {
          organization: <bdi>{organization}</bdi>,
        })}
        {isOwn && ` ${t("You can reconnect it at any time.")}`}
      </p>
      <PostForm isPersonal={isOwn}>
        <FormActions
          submit={t("Disconnect")}
          danger
          cancel={appsAddress}
          cancelWords={t("Keep it connected")}
        />
      </PostForm>
    </SettingsPage>
  );
}
