// Opens the pages of two sites from files, in Chromium: node browser.cjs MODULES CHROMIUM LIBRARY
// EXPLORER. Prints a line for each thing that is wrong, and what was measured; tests/integration/site
// reads it.
"use strict";
const fs = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");

const [modules, executablePath, library, explorer] = process.argv.slice(2);
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

const aboutExplorer = async (browser) => {
  const isReady = async (page, file) => {
    if (file.startsWith("index")) await ready(page, "all");
    else if (file.startsWith("operator")) await ready(page, decodeURIComponent(file.split("#")[1]));
    else await ready(page, "table");
  };
  await looks(browser, explorer, ["index.html", "operator.html#aten%3A%3Aadd.Tensor", "coverage.html"], isReady);
  let page = await open(browser, explorer, "index.html");
  await page.waitForSelector("#found a");
  const interactive = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domContentLoadedEventEnd);
  await ready(page, "all");
  // A key press, with its list: the least of five, since other tests run at the same time.
  const times = await page.evaluate(() => {
    const field = document.getElementById("find");
    const times = [];
    for (const word of ["a", "ad", "add", "add t", "add te", "convolution", "mps", "nondeterministic", "x", "zz"]) {
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
  await page.click("text=aten::add.out >> nth=0");
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

(async () => {
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  await aboutLibrary(browser);
  await aboutExplorer(browser);
  await browser.close();
  process.exitCode = wrong ? 1 : 0;
})();
