// Passes the server's options to the browser's passkeys, and their response to the form.
const input = document.querySelector("input[data-passkey]");
const form = input.form;
const button = form.querySelector("button[type=submit]");
const state = document.getElementById("passkey-state");

const texts = JSON.parse(input.dataset.texts);

function toBytes(text) {
  const plain = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(plain, (character) => character.charCodeAt(0));
}

function toText(bytes) {
  const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
  return plain.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

const withBytes = (list = []) => list.map((one) => ({ ...one, id: toBytes(one.id) }));

function toRequest(options) {
  const { challenge, user, excludeCredentials, allowCredentials } = options;
  return {
    ...options,
    challenge: toBytes(challenge),
    ...(user && { user: { ...user, id: toBytes(user.id) } }),
    ...(excludeCredentials && { excludeCredentials: withBytes(excludeCredentials) }),
    ...(allowCredentials && { allowCredentials: withBytes(allowCredentials) }),
  };
}

function toAnswer({ id, rawId, type, response }) {
  const answer = { clientDataJSON: toText(response.clientDataJSON) };
  for (const name of ["attestationObject", "authenticatorData", "signature", "userHandle"]) {
    if (response[name]) answer[name] = toText(response[name]);
  }
  if (response.getTransports) answer.transports = response.getTransports();
  return { id, rawId: toText(rawId), type, response: answer, clientExtensionResults: {} };
}

async function ask() {
  const { passkey, options } = input.dataset;
  const publicKey = toRequest(JSON.parse(options));
  const credential = await navigator.credentials[passkey]({ publicKey });
  input.value = JSON.stringify(toAnswer(credential));
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  button.disabled = true;
  state.textContent = texts.asking;
  try {
    await ask();
    form.submit();
  } catch (error) {
    state.textContent = texts[error.name] ?? texts.failed;
    button.disabled = false;
  }
});

if (window.PublicKeyCredential && navigator.credentials) {
  state.textContent = "";
  button.disabled = false;
} else {
  state.textContent = texts.missing;
}
