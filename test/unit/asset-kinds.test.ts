import { describe, expect, test } from "vitest";
import { toKind } from "../../server/src/web/layout/asset-kinds.js";
import { toInitials } from "../../server/src/web/layout/avatar.js";

describe("kind of an asset", () => {
  test.each([
    ["Lifts", "lift"],
    ["Forklifts", "vehicle"],
    ["Air handling units", "airflow"],
    ["Compressors", "pump"],
    ["UPS", "power"],
    ["Network switches", "network"],
    ["Fire extinguishers", "extinguisher"],
    ["Personenaufzüge", "lift"],
    ["Wärmepumpen", "airflow"],
    ["Heizungspumpen", "boiler"],
    ["Brandschutztüren", "door"],
    ["Temperaturfühler", "other"],
    ["Schränke", "furniture"],
    ["Notstromaggregate", "power"],
    ["Extincteurs", "extinguisher"],
    ["Chaudières", "boiler"],
    ["Ordinateurs portables", "computer"],
    ["Ascensores", "lift"],
    ["Desfibriladores", "defibrillator"],
    ["Impresoras", "printer"],
    ["Motoren", "other"],
  ])("of the category %s is %s", (category, kind) => {
    expect(toKind(category, "")).toBe(kind);
  });

  test("follows from the name if the category doesn't tell", () => {
    expect(toKind("Class A", "Delivery van 3")).toBe("vehicle");
    expect(toKind(null, "Laptop 7")).toBe("computer");
    expect(toKind("Laptops", "Van")).toBe("computer");
    expect(toKind(null, "Thing")).toBe("other");
  });
});

describe("initials", () => {
  test.each([
    ["Ana Keller", "AK"],
    ["Émile van der Berg-Öz", "ÉÖ"],
    ["madonna", "M"],
    ["مريم حسن", "مح"],
    ["(☕)", ""],
  ])("of %s are %s", (name, initials) => {
    expect(toInitials(name)).toBe(initials);
  });
});
