import { afterEach, describe, expect, test, vi } from "vitest";
import { createChallenge, isOpen } from "../../server/src/domain/accounts/challenges.js";
import { relyingPartyOf } from "../../server/src/domain/accounts/passkeys.js";

describe("passkey challenges", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("PKY-10 are random, for one purpose, and valid for five minutes", () => {
    vi.useFakeTimers();
    const challenge = createChallenge("sign_in");

    expect(Buffer.from(challenge.value, "base64url")).toHaveLength(32);
    expect(createChallenge("sign_in").value).not.toBe(challenge.value);
    expect(isOpen(challenge, "sign_in")).toBe(true);
    expect(isOpen(challenge, "confirm")).toBe(false);
    expect(isOpen(undefined, "sign_in")).toBe(false);
    vi.advanceTimersByTime(5 * 60_000 - 1);
    expect(isOpen(challenge, "sign_in")).toBe(true);
    vi.advanceTimersByTime(1);
    expect(isOpen(challenge, "sign_in")).toBe(false);
  });

  test("PKY-11 use the host of BASE_URL where browsers allow it", () => {
    expect(relyingPartyOf("https://fettle.example.com")).toEqual({
      id: "fettle.example.com",
      origin: "https://fettle.example.com",
    });
    expect(relyingPartyOf("http://localhost:3000")?.id).toBe("localhost");
    for (const url of ["http://127.0.0.1:3000", "https://[::1]", "http://fettle.example.com"]) {
      expect(relyingPartyOf(url), url).toBeUndefined();
    }
  });
});
