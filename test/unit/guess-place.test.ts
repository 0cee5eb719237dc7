import { expect, test } from "vitest";
import { findCurrencies, guessPlace } from "../../server/src/web/accounts/guess-place.js";
import { currencies, zones } from "../../server/src/web/forms/place-choices.js";

test.each([
  ["de-DE,de;q=0.9,en;q=0.8", "Europe/Berlin", "EUR"],
  ["de", "Europe/Berlin", "EUR"],
  ["en-GB", "Europe/London", "GBP"],
  ["en-US,en;q=0.9", "America/New_York", "USD"],
  ["en,da;q=0.5", "Europe/Copenhagen", "DKK"],
  ["zh-Hans-CN", "Asia/Shanghai", "CNY"],
  ["en", "UTC", "USD"],
  ["en-AQ", "UTC", "USD"],
  ["*", "UTC", "USD"],
  ["constructor, x;;q=, -- ,\u0000", "UTC", "USD"],
  [undefined, "UTC", "USD"],
])("guesses from %j the time zone %s and the currency %s", (header, time_zone, currency) => {
  expect(guessPlace(header)).toEqual({ time_zone, currency });
});

test("knows the currency of each time zone of a country", () => {
  const currencyOf = findCurrencies();
  const expected = { "America/Chicago": "USD", "Europe/Berlin": "EUR", "Asia/Tokyo": "JPY" };
  for (const [zone, currency] of Object.entries(expected)) {
    expect(currencyOf.get(zone), zone).toBe(currency);
  }
  expect(currencyOf.get("UTC")).toBeUndefined();
});

test("guesses only time zones and currencies that can be selected", () => {
  for (const region of ["IN", "UA", "AR", "KR", "CH", "SG", "AE", "IL", "ZA", "NO"]) {
    const { time_zone, currency } = guessPlace(`en-${region}`);
    expect(time_zone).not.toBe("UTC");
    expect(zones.map(({ value }) => value)).toContain(time_zone);
    expect(currencies.map(({ value }) => value)).toContain(currency);
  }
});
