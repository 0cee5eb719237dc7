// Hands what the server asks for to the browser's passkeys, and the answer back in the form.
const input = document.querySelector("input[data-passkey]");
const form = input.form;
const button = form.querySelector("button[type=submit]");
const state = document.getElementById("passkey-state");

const failures = {
  InvalidStateError: "This device, or its password manager, has a passkey of your account already.",
  NotAllowedError: "Nothing was confirmed, or it took too long. Try again.",
  SecurityError: "Passkeys work only at the address that this server is set up for.",
};

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
  state.textContent = "Follow what your browser asks.";
  try {
    await ask();
    form.submit();
  } catch (error) {
    state.textContent = failures[error.name] ?? "That did not work in this browser. Try again.";
    button.disabled = false;
  }
});

if (window.PublicKeyCredential && navigator.credentials) {
  state.textContent = "";
  button.disabled = false;
} else {
  state.textContent = "This browser has no passkeys.";
}
