import { toSkeleton } from "../shared/look-alikes.js";
import { toRedirectTarget } from "./redirect-uris.js";
import { wellKnownClients } from "./well-known-clients.js";

const ownName = "Fettle";
const ownSkeleton = toSkeleton(ownName);

const known = wellKnownClients.map(({ names, returnsTo }) => ({
  name: names[0],
  skeletons: new Set(names.map(toSkeleton)),
  returnsTo: new Set(returnsTo),
}));

/**
 * Returns the well-known name that an app's name resembles, unless the app redirects to a known
 * host or is described there.
 */
export function findResembledName(
  clientName: string,
  redirectUri: string,
  describedBy = "",
): string | undefined {
  const skeleton = toSkeleton(clientName);
  if (skeleton.includes(ownSkeleton)) return ownName;
  const { name: target } = toRedirectTarget(redirectUri);
  return known.find(
    ({ skeletons, returnsTo }) =>
      skeletons.has(skeleton) && !returnsTo.has(target) && !returnsTo.has(describedBy),
  )?.name;
}
