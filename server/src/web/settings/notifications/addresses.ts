import { t } from "../../../language/translate.js";

export const notificationsAddress = "/settings/notifications";
export const calendarAddress = `${notificationsAddress}/calendar`;
export const notificationsCrumbs = () => [
  { href: notificationsAddress, label: t("Notifications") },
];
