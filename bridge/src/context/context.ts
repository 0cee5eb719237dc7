import type { Log } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { HttpClient } from "../http/http-client.js";
import type { Profile } from "../profile/profile.js";

/** What every part of one run shares. */
export interface Context {
  settings: Settings;
  log: Log;
  profile: Profile;
  http: HttpClient;
}
