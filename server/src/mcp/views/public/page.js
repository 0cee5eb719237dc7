// @ts-check
// Parts of every view. Texts of people and assistants enter the page as text only.

/**
 * Creates an element. Texts become text nodes. A function listens to the event of its name.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, string | (() => void)>} attributes
 * @param {...(string | Node)} children
 */
export function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/**
 * A user-entered text, isolated for its own writing direction.
 *
 * @param {string} text
 */
export function typed(text) {
  return element("bdi", {}, text);
}

/**
 * @template {HTMLElement} [Found=HTMLElement]
 * @param {string} id
 */
export function byId(id) {
  return /** @type {Found} */ (document.getElementById(id));
}

/**
 * Shows what happened, and announces it to screen readers.
 *
 * @param {string[]} lines
 * @param {"done" | "failed"} [kind]
 */
export function say(lines, kind = "done") {
  const message = byId("message");
  message.className = kind;
  message.replaceChildren(...lines.map((line) => element("p", {}, line)));
}

/**
 * @param {number} count
 * @param {string} one
 */
export function countOf(count, one) {
  return `${count} ${one}${count === 1 ? "" : "s"}`;
}
