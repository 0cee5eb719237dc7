// Shows on each page what waits in this browser, and lets the service worker keep a person's work.
(() => {
  if (!("serviceWorker" in navigator)) return;
  const { person } = document.currentScript.dataset;
  const { lang, dataset } = document.documentElement;
  const { savedAt } = dataset;
  /** In the page's language. The worker's first answer has them. */
  let words;
  const main = document.querySelector("main");
  // The message of another moment.
  if (savedAt !== undefined) main.querySelector(":scope > .message")?.remove();
  const list = document.querySelector("[data-waiting-changes]");
  const againMs = 15_000;

  /** Phones and tablets keep the work. Computers only send what they already keep. */
  const isCarried = matchMedia("(any-pointer: coarse)").matches;
  const isHome = location.pathname === "/" || location.pathname === "/tasks";

  const registration = (async () => {
    const { serviceWorker } = navigator;
    if (isCarried && isHome && savedAt === undefined) await serviceWorker.register("/worker.js");
    return (await serviceWorker.getRegistration("/")) && (await serviceWorker.ready);
  })().catch(() => undefined);

  /** Asks the worker, which answers with what waits. */
  async function ask(message) {
    const worker = (await registration)?.active;
    if (!worker) return { problem: "", items: [] };
    return new Promise((done) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => done(data);
      worker.postMessage({ ...message, person, lang }, [port2]);
    });
  }

  function make(name, values = {}, ...children) {
    const element = Object.assign(document.createElement(name), values);
    element.append(...children);
    return element;
  }

  const toTime = (moment) =>
    new Intl.DateTimeFormat(lang, { dateStyle: "medium", timeStyle: "short" }).format(moment);
  const count = (n, one, many) => (n === 1 ? one : many.replace("{n}", n));

  const actionOf = ({ path }) => path.split("/").at(-1);
  /** The button that sent the item. */
  const toTitle = (item) => item.title ?? words.actions[actionOf(item)];
  /** The page with the item's form. Two forms are on their task's page. */
  const pageOf = (item) =>
    ["checklist", "state"].includes(actionOf(item)) ? item.subject : item.path;
  const subject = location.pathname.split("/").slice(0, 3).join("/");

  /* The bar above the page's content */

  const bar = make("div", { className: "notice warning offline-bar no-print", hidden: true });
  bar.setAttribute("role", "status");
  main.prepend(bar);
  let sent = [];
  let hasRoom = true;

  function showBar({ problem, items }) {
    const stuck = items.filter(({ refused }) => refused !== undefined);
    const waiting = items.length - stuck.length;
    const lines = [];
    if (savedAt !== undefined) {
      lines.push([words.saved.replace("{time}", toTime(new Date(savedAt)))]);
    }
    if (waiting > 0) {
      const reason = problem === "offline" && savedAt !== undefined ? "" : (words[problem] ?? "");
      lines.push([`${count(waiting, words.one, words.many)} ${reason}`]);
    }
    if (stuck.length > 0) lines.push([count(stuck.length, words.oneStuck, words.manyStuck)]);
    if (sent.length > 0) {
      const reload = make("a", { href: location.pathname, textContent: words.reload });
      lines.push(...sent.map((text) => [text || words.sent]));
      lines.at(-1).push(" ", reload);
    }
    if (!hasRoom) lines.push([words.noRoom]);
    if (problem === "signedOut" && waiting > 0) {
      lines.at(-1).push(make("a", { href: "/signin", textContent: words.signIn }));
    } else if (items.length > 0 && list === null) {
      lines.at(-1).push(" ", make("a", { href: "/offline", textContent: words.view }));
    }
    bar.classList.toggle("stuck", stuck.length > 0);
    bar.hidden = lines.length === 0;
    const shown = lines.map((parts) => make("p", {}, ...parts));
    if (shown.map((one) => one.textContent).join() === bar.innerText.replaceAll("\n", "")) return;
    bar.replaceChildren(...shown);
  }

  const hasAction = (form, path) =>
    form.method === "post" && new URL(form.action).pathname === path;

  /** Marks the forms whose input waits. A state that waits can't be sent twice. */
  function markForms(items) {
    for (const old of document.querySelectorAll(".offline-mark")) old.remove();
    for (const button of document.querySelectorAll("[data-waits]")) {
      button.disabled = false;
      delete button.dataset.waits;
    }
    for (const item of items) {
      const text = `${toTime(item.at)} · ${describe(item, items)}`;
      const mark = make("p", { className: "offline-mark soft", textContent: text });
      const form = findForm(item);
      if (location.pathname === item.subject && /^(?:state|complete|hold)$/.test(actionOf(item))) {
        mark.prepend(`${toTitle(item)} · `);
        document.querySelector(".page-head h1").parentElement.append(mark);
      } else if (form !== undefined && form.querySelector(".offline-mark") === null) {
        form.append(mark);
      }
      if (item.refused === undefined && ["state", "complete"].includes(actionOf(item))) {
        disableForms(item.path);
      }
    }
    markRows(items);
  }

  /** Marks the rows of tasks with waiting forms. */
  function markRows(items) {
    for (const path of new Set(items.map((item) => item.subject))) {
      const own = items.filter((item) => item.subject === path);
      const stuck = own.filter(({ refused }) => refused !== undefined).length;
      const textContent =
        stuck > 0
          ? count(stuck, words.oneStuck, words.manyStuck)
          : count(own.length, words.one, words.many);
      for (const link of document.querySelectorAll(`main a[href="${path}"]`)) {
        const place = [...(link.closest("li, tr")?.querySelectorAll(".about, .below") ?? [])].at(
          -1,
        );
        if (place === undefined || place.querySelector(".offline-mark") !== null) continue;
        place.append(make("strong", { className: "offline-mark", textContent }));
      }
    }
  }

  function disableForms(path) {
    for (const form of document.forms) {
      // The decision on an earlier change is sent from here.
      if (!hasAction(form, path) || form.elements._replaces !== undefined) continue;
      for (const button of form.elements) {
        if (button.type !== "submit" || button.disabled) continue;
        button.disabled = true;
        button.dataset.waits = "";
      }
    }
  }

  /* The page of all waiting changes */

  function describe(item, items) {
    const { refused } = item;
    if (refused !== undefined) {
      return `${refused.isStale ? words.stale : words.refused} ${refused.text}`;
    }
    const isBehind = items.some(
      (one) => one.id < item.id && one.subject === item.subject && one.refused !== undefined,
    );
    return isBehind ? words.behind : words.mark;
  }

  function toEntry(item, items) {
    const name = item.name ?? item.subject;
    const title = make("h2", {}, make("bdi", { textContent: name }));
    const about = `${toTitle(item)} · ${toTime(item.at)}`;
    const unlabelled = () =>
      item.fields.flatMap(([field, value]) =>
        toShown(field, value).map((one) => [toTitle(item), one]),
      );
    const texts = (item.shown ?? unlabelled()).flatMap(([label, text]) => [
      make("dt", { textContent: label }),
      make("dd", { textContent: text }),
    ]);
    const buttons = make("div", { className: "actions" });
    const entry = make(
      "article",
      { className: "panel" },
      title,
      make("p", { className: "soft", textContent: about }),
      ...(texts.length === 0 ? [] : [make("dl", { className: "offline-input" }, ...texts)]),
      make("p", { textContent: describe(item, items) }),
      buttons,
    );
    if (item.refused !== undefined) {
      const href = `${pageOf(item)}#waiting=${item.id}`;
      buttons.append(
        make("a", { className: "button", href, textContent: words.open }),
        ...(item.refused.isStale ? [] : [toButton(words.again, { act: "again", id: item.id })]),
      );
    }
    const discard = { act: "discard", id: item.id };
    buttons.append(toButton(words.discard, discard, words.discardQuestion));
    return entry;
  }

  /** The typed texts and the names of the photos. */
  function toShown(field, value) {
    if (typeof value !== "string") return [value.name];
    const isText = /^(?:step-\d+|comment|completion_notes|description)$/.test(field);
    return isText && value !== "" ? [value] : [];
  }

  function toButton(textContent, message, question) {
    const button = make("button", { type: "button", className: "quiet", textContent });
    button.addEventListener("click", async () => {
      if (question !== undefined && !confirm(question)) return;
      show(await ask(message));
    });
    return button;
  }

  function showList({ items }) {
    if (list === null) return;
    const entries = items.map((item) => toEntry(item, items));
    const none = make("p", { className: "soft", textContent: list.dataset.none });
    list.replaceChildren(...(entries.length === 0 ? [none] : entries));
  }

  /* Filling in forms */

  function findForm(item) {
    return [...document.forms].find((form) => {
      const state = item.fields.find(([name]) => name === "state")?.[1];
      return (
        hasAction(form, item.path) && (state === undefined || form.elements.state?.value === state)
      );
    });
  }

  const isSystem = (name) => /^_|^request_key$|^expected_version$|^stamp$|^state$/.test(name);

  /** Fills in an item's input. `onChange` receives each control with its value before. */
  function fill(form, { fields }, names, onChange = () => {}) {
    const files = new Map();
    for (const control of form.elements) {
      const { name, type } = control;
      if (name === "" || isSystem(name) || !names.test(name) || type === "hidden") continue;
      const values = fields.filter(([field]) => field === name).map(([, value]) => value);
      if (type === "file") {
        files.set(control, values);
      } else if (type === "checkbox" || type === "radio") {
        const before = control.checked;
        control.checked = values.includes(control.value);
        if (before && !control.checked) onChange(control, control.labels[0]?.innerText ?? "");
      } else if (values.length > 0 && control.value !== values[0]) {
        onChange(control, control.value);
        control.value = values[0];
      }
    }
    return files;
  }

  /** A saved page shows the answers that wait, so the next form contains them too. */
  function fillSaved(items) {
    if (savedAt === undefined) return;
    for (const item of items) {
      if (!["checklist", "complete"].includes(actionOf(item)) || item.subject !== subject) continue;
      for (const action of ["checklist", "complete"]) {
        const form = findForm({ ...item, path: `${subject}/${action}` });
        const isOwn = actionOf(item) === action;
        if (form !== undefined) fill(form, item, isOwn ? /./ : /^(?:done|step-\d+)$/);
      }
    }
  }

  /** Fills in the form that the server didn't accept, and shows the current values beside it. */
  function refill(items) {
    const id = Number(/^#waiting=(\d+)$/.exec(location.hash)?.[1]);
    const item = items.find((one) => one.id === id);
    const form = item && findForm(item);
    if (form === undefined) return;
    const files = fill(form, item, /./, (control, before) => {
      const text = words.now.replace("{value}", () => before.trim() || words.empty);
      const help = make("small", { className: "offline-now", textContent: text });
      (control.closest("fieldset.step, .field, label") ?? control).append(help);
    });
    for (const [control, values] of files) {
      const chosen = new DataTransfer();
      for (const file of values) chosen.items.add(file);
      control.files = chosen.files;
      // A form with only files sends them at once, so it gets its button back.
      if (form.matches(".add-files")) form.querySelector("[type=submit]").hidden = false;
      else if (values.length > 0) control.dispatchEvent(new Event("change", { bubbles: true }));
    }
    for (const [name, value] of item.fields.filter(([field]) => /^(?:step|drawing)-/.test(field))) {
      // Names a photo or drawing that is stored already.
      const answer = form.elements[name];
      if (answer === undefined) form.append(make("input", { type: "hidden", name, value }));
      else if (answer.type === "hidden") answer.value = value;
    }
    form.append(make("input", { type: "hidden", name: "_replaces", value: id }));
    const note = make(
      "div",
      { className: "notice warning" },
      make("p", { textContent: words.filled }),
    );
    form.prepend(note);
    for (const fold of form.querySelectorAll("details"))
      fold.open ||= fold.querySelector(".offline-now");
    form.scrollIntoView();
  }

  /* Describing forms */

  function toLabel(control) {
    const own = control.type === "radio" ? undefined : control.labels?.[0];
    const label = own ?? control.closest("fieldset, .step, .field")?.querySelector("legend, label");
    if (label?.matches(".button")) return words?.actions.files ?? "";
    const optional = label?.querySelector(".optional")?.innerText ?? "";
    return label?.innerText.replace(optional, "").trim() ?? "";
  }

  /** A control's label and the texts that it shows. */
  function describeControl(control) {
    const { name, type, value } = control;
    if (name === "" || isSystem(name) || /^(?:hidden|submit|button|fieldset)$/.test(type))
      return [];
    const isChoice = type === "checkbox" || type === "radio";
    if (isChoice ? !control.checked : value === "") return [];
    const label = toLabel(control);
    if (type === "file") return [...control.files].map((file) => [label, file.name]);
    if (type === "checkbox") return [[label, "✓"]];
    if (type === "radio") return [[label, control.labels[0]?.innerText.trim() ?? value]];
    return [[label, control.selectedOptions?.[0].text ?? value]];
  }

  // The worker can't read a form's labels, so it gets them just before the form.
  document.addEventListener("formdata", ({ target: form }) => {
    const key = form.elements.request_key?.value;
    if (key === undefined) return;
    const controls = [...form.elements];
    const title = controls.findLast(({ type }) => type === "submit")?.innerText.trim();
    const shown = controls.flatMap(describeControl);
    navigator.serviceWorker.controller?.postMessage({ act: "describe", key, title, shown });
  });

  /* Sending */

  let isWaiting = false;

  function show(answer) {
    words ??= answer.words;
    isWaiting = answer.items.some(({ refused }) => refused === undefined);
    showList(answer);
    // Without a worker, nothing waits.
    if (words === undefined) return;
    showBar(answer);
    markForms(answer.items);
  }

  const refresh = async (message) => show(await ask(message));
  const send = () => refresh({ act: "send" });

  new BroadcastChannel("fettle-offline").onmessage = ({ data }) => {
    if (data.sent !== undefined) sent.push(data.sent);
    else void refresh({ act: "list" });
  };
  addEventListener("online", send);
  addEventListener("hashchange", () => location.hash.startsWith("#waiting=") && location.reload());
  document.addEventListener("visibilitychange", () => document.hidden || send());
  setInterval(() => isWaiting && send(), againMs);

  (async () => {
    const first = await ask({ act: "list" });
    fillSaved(first.items);
    show(first);
    refill(first.items);
    if (first.items.length > 0) {
      // Browsers that are short of room spare sites that ask for it.
      void navigator.storage?.persist?.();
      await send();
    }
    if (isHome && savedAt === undefined) hasRoom = (await ask({ act: "keep" })).result !== false;
    if (!hasRoom) await refresh({ act: "list" });
  })();
})();
