import type { Readable } from "node:stream";
import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { AppError } from "../../errors.js";

export interface ObjectStore {
  put: (key: string, content: Buffer, type: string) => Promise<void>;
  get: (key: string) => Promise<Readable>;
  remove: (key: string) => Promise<void>;
  close: () => void;
}

export interface ObjectStoreSettings {
  bucket: string;
  region: string;
  /** For services other than Amazon's. */
  endpoint: string | undefined;
  /** Undefined uses the machine's credentials, as Amazon's own programs find them. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined;
}

const retry_after_seconds = 30;

/** Twice this is less than the time a browser's connection may be silent. */
const maxSilenceMs = 10_000;

/** Each file being read uses one, however long it takes. */
const agent = { maxSockets: 500 };

/** Opens S3-compatible storage. Its library is loaded only if used. */
export async function openObjectStore(
  { bucket, region, endpoint, credentials }: ObjectStoreSettings,
  socketTimeout = maxSilenceMs,
): Promise<ObjectStore> {
  const { S3Client, PutObjectCommand, GetObjectCommand, DeleteObjectCommand } =
    await import("@aws-sdk/client-s3");
  const config: S3ClientConfig = {
    region,
    maxAttempts: 2,
    // Other providers' storage supports only the checksums that S3 requires.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: 5000,
      socketTimeout,
      httpAgent: agent,
      httpsAgent: agent,
    },
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    ...(credentials !== undefined && { credentials }),
  };
  const client = new S3Client(config);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    put: async (key, content, type) => {
      const object = { ...at(key), Body: content, ContentType: type };
      await client.send(new PutObjectCommand(object)).catch(explain);
    },
    get: async (key) => {
      const { Body } = await client.send(new GetObjectCommand(at(key))).catch(explain);
      return Body as Readable;
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key))).catch(explain);
    },
    close: () => {
      client.destroy();
    },
  };
}

function explain(cause: unknown): never {
  throw new AppError("unavailable", "files_away", { retry_after_seconds }, { cause });
}
