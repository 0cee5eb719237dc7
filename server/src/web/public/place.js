// Preselects the browser's time zone and the currency there. Without this script, both follow the
// browser's language.

const zones = [...document.getElementById("time_zone").options];
const { timeZone: own } = new Intl.DateTimeFormat().resolvedOptions();

/** The server may list a time zone under its former name. */
function isOwn({ value }) {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: value }).resolvedOptions().timeZone === own;
  } catch {
    return false;
  }
}

// Browsers that hide their place give UTC.
const found =
  own === "UTC" ? undefined : (zones.find(({ value }) => value === own) ?? zones.find(isOwn));
if (found !== undefined) {
  found.selected = true;
  const { currency } = found.dataset;
  if (currency !== undefined) document.getElementById("currency").value = currency;
}
