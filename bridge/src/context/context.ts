import type { Log } from "../common/log.js";
import type { Settings } from "../common/settings.js";
import type { HttpClient } from "../http/http-client.js";
import type { Profile } from "../profile/profile.js";

export interface Context {
  settings: Settings;
  log: Log;
  profile: Profile;
  http: HttpClient;
}
