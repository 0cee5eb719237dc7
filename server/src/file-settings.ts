import { z } from "zod";
import type { ObjectStoreSettings } from "./domain/files/object-store.js";
import { url, wholeNumber } from "./variable-types.js";

export interface FileSettings {
  /** Per file. */
  maxMegabytes: number;
  organizationMegabytes: number;
  /** Undefined stores files in the database. */
  s3: ObjectStoreSettings | undefined;
}

export const fileVariables = {
  FILES_MAX_MB: wholeNumber(1, 50).default(10),
  FILES_ORGANIZATION_MB: wholeNumber(1, 10_000_000).default(5000),
  FILES_S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, { error: "must be the name of a bucket" })
    .optional(),
  FILES_S3_REGION: z.string().default("us-east-1"),
  FILES_S3_ENDPOINT: url(
    ["http:", "https:"],
    "an address like https://s3.example.com:9000",
  ).optional(),
  FILES_S3_ACCESS_KEY_ID: z.string().optional(),
  FILES_S3_SECRET_ACCESS_KEY: z.string().optional(),
};

type FileVariables = z.output<z.ZodObject<typeof fileVariables>>;

export function toFileSettings(env: FileVariables): FileSettings {
  return {
    maxMegabytes: env.FILES_MAX_MB,
    organizationMegabytes: env.FILES_ORGANIZATION_MB,
    s3: toObjectStore(env),
  };
}

function toObjectStore(env: FileVariables): ObjectStoreSettings | undefined {
  const { FILES_S3_BUCKET: bucket, FILES_S3_REGION: region, FILES_S3_ENDPOINT: endpoint } = env;
  const { FILES_S3_ACCESS_KEY_ID: accessKeyId, FILES_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (bucket === undefined) return undefined;
  const areGiven = accessKeyId !== undefined && secretAccessKey !== undefined;
  const credentials = areGiven ? { accessKeyId, secretAccessKey } : undefined;
  return { bucket, region, endpoint, credentials };
}

export function findMissingOfFiles(env: FileVariables): string | undefined {
  if (env.FILES_S3_BUCKET === undefined && env.FILES_S3_ENDPOINT !== undefined) {
    return "FILES_S3_BUCKET must be set together with FILES_S3_ENDPOINT";
  }
  const keys = [env.FILES_S3_ACCESS_KEY_ID, env.FILES_S3_SECRET_ACCESS_KEY];
  if (keys.filter((key) => key !== undefined).length === 1) {
    return "FILES_S3_ACCESS_KEY_ID and FILES_S3_SECRET_ACCESS_KEY must be set together";
  }
  return undefined;
}
