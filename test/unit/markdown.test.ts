import fc from "fast-check";
import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { Markdown } from "../../server/src/web/text/markdown.js";

/** The content of the text's element. */
function write(text: string): string {
  const html = renderToString(Markdown({ text }));
  const [, content] =
    /^<div class="written(?: as-typed)?" dir="auto">(.*)<\/div>$/s.exec(html) ?? [];
  return content ?? html;
}

const rel = 'rel="nofollow noopener noreferrer"';

describe("Markdown from people and assistants", () => {
  test.each([
    ["One\nline\n\nand one more", "<p>One<br/>line</p><p>and one more</p>"],
    ["# Head\nand text", '<p class="written-heading">Head</p><p>and text</p>'],
    [
      "- oil\n- filter\n  1. drain",
      '<ul><li>oil</li><li>filter<ol start="1"><li>drain</li></ol></li></ul>',
    ],
    ["3. three\n4. four", '<ol start="3"><li>three</li><li>four</li></ol>'],
    ["**turn off** and *wait*", "<p><strong>turn off</strong> and <em>wait</em></p>"],
    ["`a < b`", "<p><code>a &lt; b</code></p>"],
    ["```sh\nrm x\n```", "<pre><code>rm x\n</code></pre>"],
    ["> quoted", "<blockquote><p>quoted</p></blockquote>"],
    [
      "[manual](https://a.example/m.pdf)",
      `<p><a href="https://a.example/m.pdf" ${rel}>manual</a></p>`,
    ],
    [
      "see https://a.example/m.",
      `<p>see <a href="https://a.example/m" ${rel}>https://a.example/m</a>.</p>`,
    ],
    ["[the manual]() of [a.example](  )", "<p>the manual of a.example</p>"],
    ["<https://a.example>", `<p><a href="https://a.example" ${rel}>https://a.example</a></p>`],
  ])("renders %j as %s", (given, html) => {
    expect(write(given)).toBe(html);
  });

  test.each([
    ["[https://bank.example/login](https://evil.example/x)", " (evil.example)"],
    ["[**bank.example**](https://evil.example)", " (evil.example)"],
    ["[bank．example](https://evil.example)", " (evil.example)"],
    ["[bank。example](https://evil.example)", " (evil.example)"],
    ["[bank.example.](https://bank.example.evil.example)", " (bank.example.evil.example)"],
    ["[A.example](https://a.example/x)", ""],
    ["[the manual](https://a.example)", ""],
    ["[https://a.example/m.pdf](https://a.example/m.pdf)", ""],
    ["https://a.example/b.example", ""],
  ])("a link whose text names another host shows its target: %j", (given, note) => {
    const [, said] = /( \([^()]*\))?<\/a>/.exec(write(given)) ?? [];
    expect(said ?? "").toBe(note);
  });

  test.each([
    "pump_a_b and 2 * 3 * 4",
    "#12 is the pump, - not a list",
    "a.example and eve@a.example",
    "http://a.example",
    "Tom &amp; Jerry &lt;b&gt;",
    "C:\\Temp\\x",
  ])("keeps %j unchanged", (given) => {
    const text = renderToString(Markdown({ text: given })).replaceAll("&amp;", "&");
    expect(text).toBe(`<div class="written" dir="auto"><p>${given}</p></div>`);
  });

  test.each([
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<a href='javascript:alert(1)'>x</a>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "[x](&#106;avascript:alert(1))",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "[x](//evil.example)",
    "[x](/settings)",
    "[x](http://evil.example)",
    "[x](https://bank.example@evil.example)",
    "<javascript:alert(1)>",
    "[x]: javascript:alert(1)\n\n[x]",
    "![x](https://evil.example/p.png)",
    "![x](javascript:alert(1))",
    "<!-- x --><svg onload=alert(1)>",
    "<![CDATA[<b>]]>",
  ])("creates no element or unsafe link from %j", (given) => {
    const html = write(given);
    const safe = new RegExp(`<a href="https://[\\w./-]+" ${rel}>|</a>|</?(p|br|code|pre)/?>`, "g");
    expect(html.replaceAll(safe, "")).not.toContain("<");
  });

  test.each(["a", "a."])("renders a link of many %j", (piece) => {
    const words = piece.repeat(1_000_000);
    expect(write(`[${words}](https://a.example)`)).toContain("</a>");
  });

  test("renders any text", () => {
    const pieces = ["https://a.example", "[a.example](", "](", ")", "[", "<", ">", "%", "\\", " "];
    const texts = fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: "binary" })));
    fc.assert(
      fc.property(texts, (parts) => {
        expect(write(parts.join(""))).toBeTypeOf("string");
      }),
      { numRuns: 2000 },
    );
  });

  test("text can't break out of an attribute", () => {
    const html = write(
      '[x](https://a.example/"onmouseover="alert(1)) [y](<https://a.example/"> "t")',
    );

    expect(html).not.toMatch(/"onmouseover|title=/);
  });

  test.each(["[", "![", "*a ", "> ", "- ", "[a](b", "<https://a", "`", "\\", "a\n", "**a *"])(
    "shows 64 kB of %j as typed and limits the nesting of formatted text",
    (piece) => {
      const long = piece.repeat(64 * 1024);
      expect(
        renderToString(Markdown({ text: long })).startsWith('<div class="written as-typed"'),
      ).toBe(true);
      const held = write(piece.repeat(100));
      expect(held.match(/^(<\w+>)+/)?.[0].split("<").length ?? 0).toBeLessThan(16);
    },
  );
});
