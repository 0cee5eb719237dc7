import type { FastifyRequest } from "fastify";
import { toAddressKey } from "../../domain/values/address-key.js";

/** Of forms that leave a line in the activity log each time; many people may use them from one address. */
export const fewOfPerson = {
  max: 120,
  timeWindow: 3_600_000,
  keyGenerator: ({ person, ip }: FastifyRequest): string => person?.id ?? toAddressKey(ip),
};
