// Reads codes with the camera into a form's field and submits the form, as a hand-held scanner
// would.
const camera = document.querySelector(".camera");
const form = camera.closest("form");
const [start, stop, light] = ["start", "stop", "light"].map((name) =>
  camera.querySelector(`[data-camera=${name}]`),
);
const view = camera.querySelector(".viewfinder");
const video = camera.querySelector("video");
const says = camera.querySelector("[role=status]");
const field = form.elements.code;

/** Between two reads of the picture. */
const pauseMs = 150;
/** A code that stays in front of the camera is read once. */
const againMs = 4000;

let stream;
let last = { code: "", at: 0 };

/** The error texts are in the page. */
function say(name) {
  says.textContent = name === "" ? "" : camera.dataset[name];
}

async function createReader() {
  if ("BarcodeDetector" in window) {
    const formats = await window.BarcodeDetector.getSupportedFormats();
    if (formats.includes("qr_code")) return new window.BarcodeDetector({ formats });
  }
  const { BarcodeDetector } = await import(camera.dataset.reader);
  return new BarcodeDetector({ formats: ["qr_code"] });
}

function take(code) {
  const now = Date.now();
  if (code === last.code && now - last.at < againMs) {
    last.at = now;
    return;
  }
  last = { code, at: now };
  navigator.vibrate?.(60);
  field.value = code;
  form.requestSubmit();
}

async function watch(reader, own) {
  while (stream === own) {
    if (video.readyState >= video.HAVE_CURRENT_DATA && !document.hidden) {
      const [found] = await reader.detect(video).catch(() => []);
      if (found !== undefined && stream === own) take(found.rawValue);
    }
    await new Promise((done) => setTimeout(done, pauseMs));
  }
}

function end() {
  for (const track of stream?.getTracks() ?? []) track.stop();
  stream = undefined;
  view.hidden = true;
  start.hidden = false;
}

async function begin() {
  start.disabled = true;
  say("opening");
  try {
    const video = { facingMode: "environment", width: { ideal: 1280 } };
    stream = await navigator.mediaDevices.getUserMedia({ video, audio: false });
    await show();
    watch(await createReader(), stream);
    say("ready");
  } catch (error) {
    end();
    say(error.name === "NotAllowedError" ? "refused" : "failed");
  } finally {
    start.disabled = false;
  }
}

async function show() {
  const [track] = stream.getVideoTracks();
  track.addEventListener("ended", () => {
    end();
    say("failed");
  });
  light.hidden = track.getCapabilities?.().torch !== true;
  light.setAttribute("aria-pressed", "false");
  video.srcObject = stream;
  start.hidden = true;
  view.hidden = false;
  await video.play();
}

async function switchLight() {
  const isOn = light.getAttribute("aria-pressed") !== "true";
  try {
    await stream.getVideoTracks()[0].applyConstraints({ advanced: [{ torch: isOn }] });
    light.setAttribute("aria-pressed", String(isOn));
  } catch {
    light.hidden = true;
  }
}

start.addEventListener("click", begin);
light.addEventListener("click", switchLight);
stop.addEventListener("click", () => {
  end();
  say("");
  field.focus();
});
addEventListener("pagehide", end);

camera.hidden = false;
const hasCamera = navigator.mediaDevices?.getUserMedia !== undefined;
if (!hasCamera) {
  start.hidden = true;
  say("missing");
}

if (matchMedia("(pointer: coarse)").matches) {
  if (hasCamera) {
    field.closest(".field").before(camera);
    start.classList.remove("quiet");
    form.querySelector("[type=submit]").classList.add("quiet");
    const permission = await navigator.permissions?.query({ name: "camera" }).catch(() => {});
    if (permission?.state === "granted") begin();
  }
  // The keys of a hand-held scanner.
  addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    if (key.length === 1 && target === document.body && !ctrlKey && !metaKey && !altKey)
      field.focus();
  });
} else if (document.querySelector("[autofocus]") === null) {
  field.focus();
}
