// Parts of the rows, and a single row with other cells.
import { empty, failed, widthOf } from "../frame";
import { reached, waterfall } from "../parts";
import { percent, short, whole } from "../text";
import { ask, data, Decided, el, named, Part } from "./data";
import { setting, State } from "./state";

const say = (host: HTMLElement, fault: unknown) => host.replaceChildren(el("p", { role: "alert" }, (fault as Error).message));

// parts writes what becomes of the class that is shown, by a column.
export async function parts(s: State): Promise<void> {
  const box = named("slices") as HTMLDetailsElement;
  if (!box.open) return;
  const host = box.querySelector<HTMLElement>(".scroll")!;
  const q = setting(s);
  q.append("class", data.classes[s.shown]);
  q.append("column", (named("column") as HTMLSelectElement).value);
  try {
    const all = await ask<Part[]>(`slices?${q}`);
    const within = (x: number | null, v: [number, number] | null) => (x === null ? "n/a" : percent(x) + (v ? ` (${percent(v[0])} – ${percent(v[1])})` : ""));
    const lines = all.map((p) => el("tr", {}, el("th", { scope: "row" }, short(p.name)), el("td", {}, String(p.rows)), el("td", {}, percent(p.support / p.rows)), el("td", {}, within(p.recall, p.recall_interval)), el("td", {}, within(p.precision, p.precision_interval)), el("td", {}, (1000 * (p.named / p.rows)).toFixed(0))));
    const name = short(data.classes[s.shown], 30);
    host.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...["part", "rows", `are ${name}`, "found", "alarms right", "alarms per 1,000"].map((h) => el("th", { scope: "col" }, h)))), el("tbody", {}, ...lines)),
      el("p", { class: "note" }, data.trained ? "Each row by the votes of the trees that have not seen it, on these rows; intervals at 95\u00a0%." : "On these rows; intervals at 95\u00a0%."));
  } catch (fault) {
    say(host, fault);
  }
}

let edits: Record<string, string> = {};

// undo drops what was changed in the row.
export function undo(): void {
  edits = {};
}

// row writes what is decided of a row, with the cells that were changed.
export async function row(s: State, drawn = false): Promise<void> {
  const box = named("row") as HTMLDetailsElement;
  if (!box.open) return;
  const host = box.querySelector<HTMLElement>(".scroll")!;
  const name = data.classes[s.shown];
  try {
    const d = await ask<Decided>(`row?${setting(s)}`, undefined, { row: Number((named("number") as HTMLInputElement).value), class: name, cells: edits });
    const p = data.classes.map((c, i) => [c, d.probabilities[i]] as const).sort((a, b) => b[1] - a[1]).slice(0, 3);
    named("decision").textContent = `Decided as ${short(d.decision)}; it is ${short(d.truth || "not known")}. Probabilities: ${p.map(([c, v]) => `${short(c, 30)} ${percent(v)}`).join(", ")}.${d.warnings.length ? " " + d.warnings.join("; ") : ""}`;
    named("reasons").replaceChildren(...d.reasons.map((r) => el("li", {}, `${short(r.column)} = ${short(r.value)}: without it, ${+r.votes.toFixed(1)} votes fewer for ${short(name)}`)));
    if (!d.reasons.length) named("reasons").replaceChildren(el("li", {}, `No cell alone speaks for ${short(name)}.`));
    split(d, name);
    if (drawn) return; // the inputs are there, and one of them has the focus
    host.replaceChildren(el("table", { class: "cells" }, el("tbody", {}, ...d.cells.map((cell, j) => el("tr", {}, el("th", { scope: "row" }, cell.name), el("td", {}, input(s, cell, data.columns![j].levels)), el("td", { class: "note" }, `was ${cell.was || "missing"}`))))));
  } catch (fault) {
    named("decision").textContent = (fault as Error).message;
  }
}

// split draws what makes up the votes of a row for a class, and again where the width changes.
function split(d: Decided, name: string): void {
  const figure = named("split");
  const host = figure.querySelector<HTMLElement>(".canvas")!;
  figure.hidden = !d.parts;
  watch?.disconnect();
  if (!d.parts) return;
  const w = d.parts;
  const says = figure.querySelector(".says")!;
  says.textContent = whole(reached(name, w));
  const draw = () => {
    empty(host);
    host.dataset.width = String(widthOf(host));
    try {
      waterfall(host, `What makes up the votes of row ${d.row}. ${says.textContent}`, name, w);
    } catch (fault) {
      console.error("split", fault);
      failed(host);
    }
  };
  draw();
  watch = new ResizeObserver(() => {
    if (host.getBoundingClientRect().width && host.dataset.width !== String(widthOf(host))) draw();
  });
  watch.observe(host);
}

let watch: ResizeObserver | undefined;

function input(s: State, cell: Decided["cells"][number], levels?: string[]): HTMLElement {
  const e = levels
    ? el("select", { "aria-label": cell.name }, ...["", ...levels].map((l) => el("option", { value: l, selected: l === cell.value }, l || "missing")))
    : el("input", { type: "text", inputmode: "decimal", value: cell.value, "aria-label": cell.name });
  const mark = () => e.classList.toggle("changed", e.value !== cell.was);
  mark();
  e.addEventListener("input", () => {
    if (e.value === cell.was) delete edits[cell.name];
    else edits[cell.name] = e.value;
    mark();
    void row(s, true);
  });
  return e;
}
