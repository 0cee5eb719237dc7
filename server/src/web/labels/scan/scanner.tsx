import type { VNode } from "preact";
import { useForm } from "../../forms/form-context.js";
import { staticUrls } from "../../static-files.js";
import { maxCode } from "../../../domain/rounds/record-scan.js";
import { t } from "../../../language/translate.js";

/**
 * The scan input of a form: a field for hand-held scanners and, with scripts, the camera. The
 * camera fills in the field and submits the form. A script focuses the field, or puts the camera
 * first on touch screens, where the focus would open the keyboard. Its texts are in this element. The field is empty
 * after a lookup, ready for the next scan.
 */
export function Scanner({ submit }: { submit: string }): VNode {
  const { values, errors } = useForm();
  const error = errors.find(({ field }) => field === "code")?.message;
  return (
    <>
      <div class={error === undefined ? "field" : "field wrong"}>
        <label for="code">{t("Inventory, label or serial number")}</label>
        <div class="scan-line">
          <input
            id="code"
            name="code"
            value={values["code"]}
            required
            maxLength={maxCode}
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            enterkeyhint="go"
            aria-invalid={error === undefined ? undefined : "true"}
            aria-describedby={error === undefined ? undefined : "code-error"}
          />
          <button type="submit">{submit}</button>
        </div>
        {error !== undefined && (
          <p class="error" id="code-error">
            {error}
          </p>
        )}
      </div>
      <Camera />
    </>
  );
}

function Camera(): VNode {
  return (
    <div
      class="camera no-print"
      hidden
      data-reader={staticUrls.codeReader}
      data-opening={t("Opening the camera…")}
      data-ready={t("Point the camera at a code.")}
      data-refused={t(
        "Camera access is blocked. Allow it for this site in your browser's settings, or type the code on the label.",
      )}
      data-failed={t(
        "Can't use the camera. It may be in use by another app, or there isn't one. Type the code on the label instead.",
      )}
      data-missing={t("The camera only works over https. Type the code on the label instead.")}
    >
      <script type="module" src={staticUrls.scanner} />
      <button type="button" class="quiet" data-camera="start">
        {t("Scan with the camera")}
      </button>
      <div class="viewfinder" hidden>
        <video playsInline muted aria-label={t("Camera view")} />
        <p>
          <button type="button" class="quiet" data-camera="stop">
            {t("Turn off the camera")}
          </button>
          <button type="button" class="quiet" data-camera="light" aria-pressed="false" hidden>
            {t("Light||of a camera")}
          </button>
        </p>
      </div>
      <p role="status" data-camera="state" />
    </div>
  );
}
