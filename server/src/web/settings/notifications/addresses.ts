export const notificationsAddress = "/settings/notifications";
export const calendarAddress = `${notificationsAddress}/calendar`;
export const notificationsCrumbs = [{ href: notificationsAddress, label: "Notifications" }];
