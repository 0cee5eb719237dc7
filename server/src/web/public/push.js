// Turns on push messages in this browser. The server stores the subscription when the form is sent.
const form = document.querySelector("form.push");
const button = form.querySelector("button");
const says = form.querySelector("[role=status]");
const { publicKey, unsupported, blocked } = says.dataset;

const isSupported =
  "serviceWorker" in navigator && "PushManager" in window && "Notification" in window;

function say(text) {
  says.textContent = text;
  says.hidden = text === "";
}

/** Resolves with the worker's registration when the worker is active. */
async function register() {
  const registration = await navigator.serviceWorker.register("/worker.js");
  const worker = registration.active ?? registration.waiting ?? registration.installing;
  if (worker.state !== "activated") {
    await new Promise((done) => {
      worker.addEventListener("statechange", () => worker.state === "activated" && done());
    });
  }
  return registration;
}

function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}

async function subscribe() {
  const { pushManager } = await register();
  // A subscription of another person, or for an earlier key of the server.
  await (await pushManager.getSubscription())?.unsubscribe();
  const applicationServerKey = toBytes(publicKey);
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey });
}

async function turnOn() {
  if ((await Notification.requestPermission()) !== "granted") {
    say(blocked);
    return;
  }
  button.disabled = true;
  try {
    const { endpoint, keys } = (await subscribe()).toJSON();
    form.elements.subscription.value = JSON.stringify({ endpoint, keys });
    form.submit();
  } catch {
    button.disabled = false;
    say(unsupported);
  }
}

if (!isSupported) say(unsupported);
else {
  say(Notification.permission === "denied" ? blocked : "");
  button.hidden = false;
  button.addEventListener("click", turnOn);
}
