import type { VNode } from "preact";
import { useForm } from "../../forms/form-context.js";
import { staticUrls } from "../../static-files.js";
import { maxCode } from "../../../domain/rounds/record-scan.js";
import { t } from "../../../language/translate.js";

/**
 * What a form scans with: a field that hand-held scanners type into, and where scripts run, the camera,
 * which fills in the field and sends the form. What it says stands here. After a look-up the field is
 * empty: the next scan is typed into it.
 */
export function Scanner({ submit }: { submit: string }): VNode {
  const { values, errors } = useForm();
  const error = errors.find(({ field }) => field === "code")?.message;
  return (
    <>
      <div class={error === undefined ? "field" : "field wrong"}>
        <label for="code">{t("Number, label code or serial")}</label>
        <div class="scan-line">
          <input
            id="code"
            name="code"
            value={values["code"]}
            required
            autofocus
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
      data-opening={t("Opening the camera.")}
      data-ready={t("Hold a code before the camera.")}
      data-refused={t(
        "The camera is not allowed here. Allow it in the settings of your browser for this site, or type what the label says.",
      )}
      data-failed={t(
        "The camera cannot be used. Another app may have it, or there is none. Type what the label says instead.",
      )}
      data-missing={t(
        "Browsers open the camera on https addresses only. Type what the label says instead.",
      )}
    >
      <script type="module" src={staticUrls.scanner} />
      <button type="button" class="quiet" data-camera="start">
        {t("Scan with the camera")}
      </button>
      <div class="viewfinder" hidden>
        <video playsInline muted aria-label={t("What the camera sees")} />
        <p>
          <button type="button" class="quiet" data-camera="stop">
            {t("Stop the camera")}
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
