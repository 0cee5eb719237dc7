import { describe, expect } from "vitest";
import { useServer } from "../../support/app.js";
import { aTeam, anAsset, readAsset } from "../../support/asset-pages.js";
import { browserTest, useChromium } from "../../support/chromium.js";
import { findProblems, openPage, sweep, views } from "../../support/pages.js";
import { aPhoto } from "../../support/pictures.js";

describe("problem reports in a real browser", () => {
  const current = useServer();
  const chromium = useChromium();

  browserTest.each(views)(
    "a person without an account reports, and a member accepts: %o",
    async (view) => {
      const team = await aTeam(current());
      const asset = await anAsset(current(), team);
      const code = String((await readAsset(current(), asset.id))?.["qr_token"]);
      await current().db.query("UPDATE organizations SET public_reports = true WHERE id = $1", [
        team.owner.organizationId,
      ]);
      const problems: Record<string, string[]> = {};
      const phone = await openPage(chromium(), current(), undefined, view);
      const check = async (name: string) => {
        const found = [...(await findProblems(phone.page)), ...phone.complaints.splice(0)];
        if (found.length > 0) problems[name] = found;
      };

      await phone.page.goto(`/q/${code}`);
      await check("label");
      await phone.page.getByRole("link", { name: "Report a problem" }).click();
      await check("form");
      await phone.page.getByLabel("What is wrong?").fill("It leaks oil.");
      await phone.page.getByLabel("No", { exact: true }).check();
      await phone.page.getByLabel("Photo").setInputFiles({
        ...{ name: "leak.jpg", mimeType: "image/jpeg", buffer: await aPhoto() },
      });
      await phone.page.getByLabel("Email").fill("rita@example.com");
      await phone.page.getByRole("button", { name: "Send report" }).click();
      await phone.page.getByText("Report sent.").waitFor();
      await check("outcome");
      const address = phone.page.url();

      const desk = await openPage(chromium(), current(), team.member, view);
      expect(await sweep(desk, [`/assets/${asset.id}`, "/reports"])).toEqual({});
      await desk.page.getByRole("link", { name: /^Create task/ }).click();
      expect(await sweep(desk, [desk.page.url()])).toEqual({});
      await desk.page.getByLabel("Title").fill("Seal the pump");
      await desk.page.getByRole("button", { name: "Accept" }).click();
      await desk.page.getByRole("link", { name: "View task" }).click();
      await desk.page.getByRole("heading", { name: "Seal the pump" }).waitFor();
      expect(await sweep(desk, ["/reports/reviewed", desk.page.url()])).toEqual({});
      await phone.page.goto(address);
      await phone.page.getByText("Your report was accepted, and work is planned.").waitFor();

      expect(problems).toEqual({});
      await phone.close();
      await desk.close();
    },
  );
});
