import { access } from "./access.js";
import { account } from "./account.js";
import { activity } from "./activity.js";
import { assetForms } from "./asset-forms.js";
import { assetPages } from "./asset-pages.js";
import { assets } from "./assets.js";
import { common } from "./common.js";
import { home } from "./home.js";
import { mail } from "./mail.js";
import { meters } from "./meters.js";
import { places } from "./places.js";
import { refusals } from "./refusals.js";
import { settings } from "./settings.js";
import { tasks } from "./tasks.js";

/** Every sentence in German by its English; a text that is not here cannot be written. */
export const german = {
  ...access,
  ...account,
  ...activity,
  ...assetForms,
  ...assetPages,
  ...assets,
  ...common,
  ...home,
  ...mail,
  ...meters,
  ...places,
  ...refusals,
  ...settings,
  ...tasks,
};
