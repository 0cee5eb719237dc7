import { CreatePeople1763683200000 } from "./migrations/1763683200000-create-people.js";
import { CreateAssets1763683200001 } from "./migrations/1763683200001-create-assets.js";
import { CreateHistory1763683200002 } from "./migrations/1763683200002-create-history.js";
import { CreateAuthorization1763683200003 } from "./migrations/1763683200003-create-authorization.js";
import { CreateTasks1763683200004 } from "./migrations/1763683200004-create-tasks.js";
import { CreateInvites1763683200005 } from "./migrations/1763683200005-create-invites.js";
import { IndexFigures1763683200006 } from "./migrations/1763683200006-index-figures.js";
import { SearchByAssetAndPlace1763683200007 } from "./migrations/1763683200007-search-by-asset-and-place.js";
import { RepeatRefreshes1763683200008 } from "./migrations/1763683200008-repeat-refreshes.js";
import { CreateAccountLinks1763683200009 } from "./migrations/1763683200009-create-account-links.js";
import { IndexAttention1763683200010 } from "./migrations/1763683200010-index-attention.js";

export const allMigrations = [
  CreatePeople1763683200000,
  CreateAssets1763683200001,
  CreateHistory1763683200002,
  CreateAuthorization1763683200003,
  CreateTasks1763683200004,
  CreateInvites1763683200005,
  IndexFigures1763683200006,
  SearchByAssetAndPlace1763683200007,
  RepeatRefreshes1763683200008,
  CreateAccountLinks1763683200009,
  IndexAttention1763683200010,
];
