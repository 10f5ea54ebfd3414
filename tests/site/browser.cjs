// Opens the pages of sites from files, in Chromium: node browser.cjs MODULES CHROMIUM LIBRARY
// EXPLORER STATES FAMILIES. The explorer is of torch 2.15, with generated code and what changed since
// 2.14; STATES are those of tests/diff. Prints a line for each thing that is wrong, and what was
// measured; tests/integration/site reads it.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [modules, executablePath, library, explorer, states, families] = process.argv.slice(2);
const { chromium } = require(path.join(modules, "playwright-core"));
const axe = fs.readFileSync(path.join(modules, "axe-core", "axe.min.js"), "utf8");

let wrong = 0;
const check = (holds, what) => {
  if (holds) return;
  wrong += 1;
  console.log("wrong: " + what);
};

// A page that may only read files of its site.
const open = async (browser, dir, file, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1100, height: 800 }, ...options });
  const page = await context.newPage();
  const told = (what) => check(false, file + ": " + what);
  page.on("console", (message) => told("console: " + message.text()));
  page.on("pageerror", (error) => told("error: " + error));
  page.on("request", (request) => {
    const own = pathToFileURL(dir).href + "/";
    if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url())) told("request of " + request.url());
  });
  const [name, fragment] = file.split("#");
  await page.goto(pathToFileURL(path.join(dir, name)).href + (fragment ? "#" + fragment : ""));
  return page;
};

// What axe-core finds. It is evaluated beside the page, so that the page's policy stays as it is.
const accessible = async (page, what) => {
  const client = await page.context().newCDPSession(page);
  const expression = axe + "; axe.run({ preload: false }).then((found) => found.violations.map((own) => own.id + ': ' + own.nodes[0].html))";
  const found = await client.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  for (const violation of found.result.value ?? ["axe did not run"]) check(false, what + ": " + violation);
};

const sideways = (page) => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
const ready = (page, wanted) => page.waitForFunction((wanted) => document.body.dataset.ready === wanted, wanted);
const visible = (page, selector) => page.locator(selector + ":visible").count();

// Each page in each look.
const looks = async (browser, dir, files, isReady) => {
  const modes = [["light", {}], ["dark", { colorScheme: "dark" }], ["narrow", { viewport: { width: 320, height: 700 } }], ["200 %", { viewport: { width: 550, height: 400 }, deviceScaleFactor: 2 }]];
  for (const file of files) {
    for (const [name, options] of modes) {
      const page = await open(browser, dir, file, options);
      await isReady(page, file);
      if (name === "light" || name === "dark") await accessible(page, file + ", " + name);
      check((await sideways(page)) <= 0, file + ", " + name + ": the page scrolls sideways");
      if (name === "light") {
        await page.emulateMedia({ media: "print" });
        check((await visible(page, "header nav")) === 0 && (await visible(page, ".tools")) === 0, file + ": controls are printed");
        check((await sideways(page)) <= 0 || file.startsWith("works") || file.startsWith("coverage"), file + ", print: the page scrolls sideways");
      }
      await page.context().close();
    }
  }
};

const aboutLibrary = async (browser) => {
  await looks(browser, library, ["index.html", "works.html", "operators/shapes.area.html", "operators/shapes.label.html"], async () => {});
  // Keyboard alone: skip link, search, the first result, and back by a link.
  let page = await open(browser, library, "index.html");
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.textContent)) === "Skip to the content", "the first stop is the skip link");
  await page.keyboard.press("/");
  await page.keyboard.type("label str");
  check((await visible(page, "#operators li")) === 1, "a search for two words finds the one operator");
  check((await page.textContent("#count")) === "1 operator", "the count is told");
  await page.keyboard.press("Enter");
  await page.waitForURL(/operators\/shapes\.label\.html$/);
  check((await page.evaluate(() => window.broken)) === undefined, "texts of authors run");
  await page.click("text=Operators");
  await page.waitForURL(/index\.html$/);
  await page.context().close();
  // Links lead to something.
  page = await open(browser, library, "works.html");
  for (const href of await page.$$eval("main a", (links) => links.map((link) => link.getAttribute("href")))) {
    const [file, anchor] = href.split("#");
    const text = fs.readFileSync(path.join(library, file), "utf8");
    check(text.includes('id="' + anchor + '"'), "a link to " + href);
  }
  // Sorting and filters.
  await page.click("thead button >> text=Operator");
  check((await page.getAttribute("thead th", "aria-sort")) === "ascending", "a heading tells how it sorts");
  await page.click("thead button >> text=Operator");
  check((await page.textContent("tbody th")) === "shapes::label", "rows are sorted the other way");
  await page.selectOption('select[aria-label="Rows by Gradient"]', "formula");
  check((await visible(page, "tbody tr")) >= 1 && (await page.locator("tbody tr:visible td:nth-child(2)").allTextContents()).every((text) => text === "formula"), "a list leaves rows out");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Save as CSV")]);
  const csv = fs.readFileSync(await saved.path(), "utf8");
  check(csv.startsWith('"Operator","Gradient"') && csv.split("\r\n").length === 2 + (await visible(page, "tbody tr")), "the rows that are shown are saved: " + csv);
  await page.context().close();
};

const isReady = async (page, file) => {
  if (file.startsWith("index")) await ready(page, "all");
  else if (file.startsWith("operator")) await ready(page, decodeURIComponent(file.split("#")[1]));
  else await ready(page, "table");
};

const aboutExplorer = async (browser) => {
  await looks(browser, explorer, ["index.html", "operator.html#aten%3A%3Aadd.Tensor", "coverage.html", "changes.html"], isReady);
  let page = await open(browser, explorer, "index.html");
  await page.waitForSelector("#found a");
  const interactive = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
  await ready(page, "all");
  // A key press, with its list: the least of five, since other tests run at the same time.
  const times = await page.evaluate(() => {
    const field = document.getElementById("find");
    const times = [];
    for (const word of ["a", "ad", "add", "registercpu_0.cpp", "add t", "add te", "convolution", "mps", "nondeterministic", "x", "zz"]) {
      field.value = word;
      const tries = [1, 2, 3, 4, 5].map(() => {
        const start = performance.now();
        field.dispatchEvent(new Event("input"));
        return performance.now() - start;
      });
      times.push(Math.min(...tries));
    }
    field.value = "";
    return times;
  });
  const slowest = Math.max(...times);
  await page.keyboard.press("/");
  await page.keyboard.type("aten::add.tensor");
  check((await page.textContent("#found a")) === "aten::add.Tensor", "a name is found first");
  await page.keyboard.press("Enter");
  await page.waitForURL(/operator\.html#aten%3A%3Aadd\.Tensor$/);
  await ready(page, "aten::add.Tensor");
  check((await page.textContent("h1")) === "aten::add.Tensor", "Enter opens the first result");
  // The graph has a link for each operator, and says what each arrow is.
  const graph = page.locator("svg.graph");
  check((await graph.getAttribute("aria-label")) === "Graph of 3 operators", "the graph is named");
  check((await page.getByRole("img", { name: "aten::add_.Tensor: kernels of aten::add.out" }).count()) === 1, "an arrow is named");
  check((await graph.locator("a[aria-current]").textContent()) === "aten::add.Tensor functional", "the own box is marked");
  const tops = await graph.locator("a rect").evaluateAll((all) => all.map((own) => own.getBoundingClientRect()).map((own) => [own.left, own.right, own.top, own.bottom]));
  const apart = ([a, b, c, d], [e, f, g, h]) => b < e || f < a || d < g || h < c;
  check(tops.every((one, at) => tops.slice(at + 1).every((other) => apart(one, other))), "boxes are apart: " + JSON.stringify(tops));
  await graph.getByRole("link", { name: "aten::add.out out=" }).focus();
  await page.keyboard.press("Enter");
  await ready(page, "aten::add.out");
  await page.goBack();
  await ready(page, "aten::add.Tensor");
  await page.context().close();
  page = await open(browser, explorer, "operator.html#%3Cimg%20src%3Dx%20onerror%3D%22window.broken%3D1%22%3E");
  await page.waitForSelector("text=No such operator");
  check((await page.evaluate(() => window.broken)) === undefined, "an address runs");
  await page.context().close();
  page = await open(browser, explorer, "works.html");
  await ready(page, "table");
  check((await sideways(page)) <= 0, "works.html scrolls sideways");
  await page.selectOption('select[aria-label="Rows by MPS"]', "no");
  const lacking = await visible(page, "tbody tr");
  await page.selectOption('select[aria-label="Rows by view"]', "has");
  const views = await visible(page, "tbody tr");
  check(lacking > 100 && views > 0 && views < lacking, "filters of two columns: " + lacking + ", " + views);
  await page.context().close();
  console.log(`measured: interactive after ${interactive.toFixed(0)} ms, the slowest key press ${slowest.toFixed(1)} ms`);
  check(slowest < 16 * Number(process.env.SLOWNESS ?? 1), "a key press takes " + slowest + " ms");
};

// What only two states with all kinds of changes show.
const aboutStates = async (browser) => {
  await looks(browser, states, ["operator.html#aten%3A%3Aturn", "operator.html#aten%3A%3Areverse_order", "changes.html"], isReady);
  let page = await open(browser, states, "operator.html#aten%3A%3Ashift");
  await ready(page, "aten::shift");
  const row = page.locator("table.both tr", { hasText: "Schema" });
  check((await row.locator("del").allTextContents()).join() === "Scalar", "what is gone is marked");
  check((await row.locator("ins").allTextContents()).join() === "float", "what is new is marked");
  await page.context().close();
  // A default that tries to be markup is text in both versions, the graph and the list.
  for (const file of ["operator.html#aten%3A%3Anamed", "changes.html"]) {
    page = await open(browser, states, file);
    await isReady(page, file);
    check((await page.locator("main b, main script").count()) === 0, file + ": a default is markup");
    check((await page.textContent("main")).includes("named"), file + ": the operator is there");
    await page.context().close();
  }
  page = await open(browser, states, "index.html");
  await ready(page, "all");
  await page.fill("#find", "reverse_order");
  await page.keyboard.press("Enter");
  await page.waitForSelector("text=is now named");
  await page.context().close();
};

// Five questions, answered as a user does: from the first page, by a search and clicks alone.
const tasks = async (browser) => {
  const timed = async (question, dir, answer) => {
    const page = await open(browser, dir, "index.html");
    await ready(page, "all");
    const start = performance.now();
    await answer(page);
    console.log("task: " + question + ": " + ((performance.now() - start) / 1000).toFixed(2) + " s");
    await page.context().close();
  };
  const found = async (page, words, name) => {
    await page.keyboard.press("/");
    await page.keyboard.type(words);
    await page.keyboard.press("Enter");
    await ready(page, name);
  };
  await timed("which operators lack a kernel for MPS", explorer, async (page) => {
    await page.click("nav >> text=Coverage");
    await ready(page, "table");
    const lacking = page.getByRole("link", { name: / without a kernel for MPS$/ });
    const count = Number(await lacking.textContent());
    await lacking.click();
    await page.waitForURL(/works\.html#MPS$/);
    await ready(page, "table");
    const names = await page.locator("tbody tr:visible th").allTextContents();
    check(names.length === count && count > 100, "as many lack a kernel as the page of coverage counts: " + names.length + ", " + count);
    check(names.includes("aten::_cudnn_rnn") && !names.includes("aten::add.out"), "those without a kernel for MPS");
  });
  await timed("what changes with a default that changed", states, async (page) => {
    await page.click("nav >> text=Changes");
    await ready(page, "table");
    await page.selectOption('select[aria-label="Rows by About"]', "defaults");
    const rows = await page.locator("tbody tr:visible").allTextContents();
    check(rows.length === 1 && /aten::limited.*programs without it compute something else/.test(rows[0]), "a default: " + rows);
  });
  await timed("why count_nonzero has no derivative", explorer, async (page) => {
    await found(page, "count_nonzero", "aten::count_nonzero");
    check((await page.textContent("main")).includes("not differentiable (output_differentiability: False)"), "the entry says so");
  });
  await timed("which file registers add.out for CUDA", explorer, async (page) => {
    await found(page, "aten::add.out", "aten::add.out");
    const file = await page.locator("h2:text-is('Registrations') + dl dt:text-is('CUDA') + dd").textContent();
    check(/RegisterCUDA_0\.cpp:\d+$/.test(file), "the file: " + file);
  });
  await timed("what 2.15 changed in scaled_dot_product_attention", explorer, async (page) => {
    await found(page, "scaled_dot_product_attention", "aten::scaled_dot_product_attention");
    const said = await page.locator("h2:text-is('Changes since 2.14') + p").textContent();
    check(said === "Nothing changed in what the YAML says.", "what changed: " + said);
  });
  // The same for one that changed.
  const page = await open(browser, explorer, "index.html");
  await ready(page, "all");
  await found(page, "logical_xor.out", "aten::logical_xor.out");
  const row = page.locator("table.both tr.changed");
  check((await row.locator("del").textContent()) === "at::native::logical_xor_out_mps", "the kernel that was");
  await page.context().close();
};

// The pages of each family, and for what its search is asked: words, and the one page found.
const visits = {
  "graph-ir": { files: ["index.html", "classes.html", "rules.html", "node/Add.html"], wanted: "node add sum", found: "node/Add.html" },
  "op-builders": { files: ["index.html", "builder/gate.html", "builder/by_hand.html"], wanted: "gate alpha", found: "builder/gate.html" },
  "tensor-ir": { files: ["index.html", "classes.html", "base/binary.html"], wanted: "binary operands", found: "base/binary.html" },
  wrappers: { files: ["index.html"] },
};

const aboutFamily = async (browser, name) => {
  const dir = path.join(families, name);
  const { files, wanted, found } = visits[name];
  await looks(browser, dir, files, async () => {});
  let page = await open(browser, dir, "index.html");
  await page.keyboard.press("Tab");
  check((await page.evaluate(() => document.activeElement.textContent)) === "Skip to the content", name + ": the first stop is the skip link");
  if (wanted) {
    await page.keyboard.press("/");
    await page.keyboard.type(wanted);
    check((await visible(page, "#pages li")) === 1, name + ": a search finds the one page");
    check((await page.textContent("#count")) === "1 page", name + ": the count is told");
    await page.keyboard.press("Enter");
    await page.waitForURL(new RegExp(found.replaceAll(".", "\\.") + "$"));
  } else {
    await page.selectOption('select[aria-label="Rows by Decision"]', "custom");
    check((await visible(page, "table.grid tbody tr")) === 1, name + ": a list leaves rows out");
    await page.click("table.grid thead button >> text=Operator");
    check((await page.getAttribute("table.grid thead th", "aria-sort")) === "ascending", name + ": a heading tells how it sorts");
  }
  check((await page.evaluate(() => window.broken)) === undefined, name + ": texts of authors run");
  await page.context().close();
  // A picture is drawn, and a reader who does not see it gets words.
  for (const file of files.filter((file) => fs.readFileSync(path.join(dir, file), "utf8").includes('role="img"'))) {
    page = await open(browser, dir, file);
    const box = await page.locator('svg[role="img"]').first().boundingBox();
    const words = await page.locator('svg[role="img"]').first().getAttribute("aria-label");
    check(box.width > 20 && box.height > 20 && words.length > 3, file + ": a picture");
    await page.context().close();
  }
};

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await aboutLibrary(browser);
  await aboutExplorer(browser);
  await aboutStates(browser);
  await tasks(browser);
  for (const name of Object.keys(visits)) await aboutFamily(browser, name);
  await browser.close();
  process.exitCode = wrong ? 1 : 0;
})();
