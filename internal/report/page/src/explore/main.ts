// The page of explore: asks for the answer to each setting, and shows it.
import { widthOf } from "../frame";
import { classControls, limitControls, modeControls } from "./controls";
import { Answer, ask, data, el, named } from "./data";
import { chart, key, matrix } from "./outcome";
import { marks, pins } from "./pins";
import { parts, row, undo } from "./rows";
import { keep, read, setting, State } from "./state";

let s: State = read(location.search.length > 1 && setting(read(location.search)).size ? location.search : data.start + "&" + location.search.slice(1));
let last: Answer | undefined;
let judged = false;
let asking: AbortController | undefined;
let timer = 0;

// keyOf tells a control apart from others, also from one that takes its place.
const keyOf = (e: Element | null): string => [e?.tagName, e?.getAttribute("type"), e?.getAttribute("aria-label"), e?.getAttribute("name") && (e as HTMLInputElement).value, e?.closest("label")?.textContent].join("|");

// controls draws them anew; that which has the focus keeps it.
function controls(): void {
  const held = keyOf(document.activeElement);
  modeControls(s, () => last, changed);
  classControls(s, last, changed);
  limitControls(s, changed);
  (named("day") as HTMLInputElement).value = s.day ? String(s.day) : "";
  if (document.activeElement === document.body) Array.from(named("wish").querySelectorAll<HTMLElement>("input, select, button")).find((e) => keyOf(e) === held)?.focus({ preventScroll: true });
}

function changed(what?: "mode" | "class"): void {
  if (what) controls();
  clearTimeout(timer);
  timer = window.setTimeout(() => void answer(), what ? 0 : 60);
}

// answer asks twice: for the decisions, which are there at once, and for what to expect of new rows; of many classes for a first guess before.
async function answer(): Promise<void> {
  keep(s);
  asking?.abort();
  const { signal } = (asking = new AbortController());
  const main = document.querySelector("main")!;
  main.setAttribute("aria-busy", "true");
  const q = setting(s);
  const query = q.toString();
  q.append("class", data.classes[s.shown]);
  try {
    named("saved").textContent = "";
    for (const what of data.classes.length > 3 ? ["rough", "answer"] : ["answer"]) {
      last = await ask<Answer>(`${what}?${q}`, signal);
      judged = false;
      named("fault").textContent = "";
      if (!named("each").contains(document.activeElement)) classControls(s, last, changed);
      draw();
      if (!last.rough) break;
    }
    const { curve } = last!;
    const full = await ask<Answer>(`expect?${query}`, signal);
    last = { ...full, curve };
    judged = true;
    draw();
    await pins(s, last, take, changed);
    if (s.pins.length) drawChart();
    void parts(s);
    void row(s);
    main.removeAttribute("aria-busy");
  } catch (fault) {
    if (signal.aborted) return;
    main.removeAttribute("aria-busy");
    named("fault").textContent = fault instanceof TypeError ? "The command that serves this page has ended." : (fault as Error).message;
  }
}

function draw(): void {
  if (!last) return;
  key(s, last, judged);
  if (judged) named("said").textContent = named("brief").textContent;
  const choosing = named("matrix").contains(document.activeElement) && document.activeElement !== named("matrix");
  matrix(s, last, (c) => {
    s.shown = c;
    changed("class");
  });
  if (choosing) named("matrix").querySelector<HTMLElement>("[aria-pressed=true]")?.focus({ preventScroll: true });
  drawChart();
  named("line").textContent = last.line;
  (named("copy") as HTMLButtonElement).hidden = !last.line;
  const cautions = [...last.warnings, ...last.words].filter((text, i, all) => all.indexOf(text) === i);
  if (judged) {
    named("cautions").hidden = !cautions.length;
    named("cautions").querySelector("ul")!.replaceChildren(...cautions.map((text) => el("li", {}, text[0].toUpperCase() + text.slice(1))));
  }
}

function drawChart(): void {
  const host = named("chart").querySelector<HTMLElement>(".canvas")!;
  host.dataset.width = String(widthOf(host));
  if (last) chart(s, last, marks(s));
}

function take(query: string): void {
  const { shown, day, pins } = s;
  s = { ...read(query), shown, day, pins };
  controls();
  void answer();
}

named("day").addEventListener("input", () => {
  s.day = Math.max(0, Number((named("day") as HTMLInputElement).value) || 0);
  keep(s);
  draw();
  if (last) void pins(s, last, take, changed);
});
named("pin").addEventListener("click", () => {
  const query = setting(s).toString();
  if (!s.pins.includes(query)) s.pins.push(query);
  void answer();
});
named("again").addEventListener("click", () => take(data.start));
named("kind").addEventListener("change", drawChart);
named("wish").addEventListener("submit", (e) => e.preventDefault());
named("copy").addEventListener("click", () => void navigator.clipboard.writeText(last?.line ?? ""));
const save = named("save") as HTMLButtonElement;
save.hidden = !data.saves;
save.addEventListener("click", async () => {
  named("saved").textContent = "saving …";
  try {
    named("saved").textContent = `Saved to ${(await ask<{ path: string }>(`save?${setting(s)}`, undefined, {})).path}.`;
  } catch (fault) {
    named("saved").textContent = (fault as Error).message;
  }
});
if (data.columns?.length) {
  named("slices").hidden = named("row").hidden = false;
  named("heart").hidden = !data.trained;
  named("column").append(...data.columns.map((c) => el("option", { value: c.name }, c.name)));
  named("column").addEventListener("change", () => void parts(s));
  named("slices").addEventListener("toggle", () => void parts(s));
  named("row").addEventListener("toggle", () => void row(s));
  for (const id of ["number", "undo"])
    named(id).addEventListener(id === "undo" ? "click" : "input", () => {
      undo();
      void row(s);
    });
}
new ResizeObserver(([{ target }]) => {
  const host = target as HTMLElement;
  if (host.dataset.width !== String(widthOf(host))) drawChart();
}).observe(named("chart").querySelector(".canvas")!);

controls();
void answer();
