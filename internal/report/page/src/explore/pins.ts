// Settings side by side.
import { percent } from "../text";
import { Answer, ask, data, el, named } from "./data";
import { ahead, cost, count, here, Mark, per, Shares } from "./outcome";
import { setting, State, words } from "./state";

interface Pinned {
  query: string;
  answer?: Answer;
}

const known = new Map<string, Answer>();
const letter = (i: number): string => (i < 26 ? String.fromCharCode(65 + i) : String(i + 1));
const best = (a: Answer, c: number): Shares => ahead(a, c) ?? here(a.confusion, a.figures, c);

async function judged(query: string): Promise<Answer> {
  let a = known.get(query);
  if (!a) known.set(query, (a = await ask<Answer>(`expect?${query}`)));
  return a;
}

// marks are the pins as the chart shows them; those that are known.
export function marks(s: State): Mark[] {
  return s.pins.flatMap((query, i) => {
    const a = known.get(query);
    return a ? [{ name: letter(i), shares: here(a.confusion, a.figures, s.shown) }] : [];
  });
}

// pins writes them, with the difference of each to the first, and the setting in force as the last.
export async function pins(s: State, now: Answer, take: (query: string) => void, changed: () => void): Promise<void> {
  named("compare").hidden = !s.pins.length && !data.nested;
  const lines: (Pinned & { name: string; at: number })[] = s.pins.map((query, at) => ({ query, at, name: letter(at) }));
  for (const l of lines)
    try {
      l.answer = await judged(l.query);
    } catch {
      // what cannot be asked any more has no figures
    }
  const current = setting(s).toString();
  lines.push({ query: current, at: -1, name: "now", answer: now });
  const first = lines[0].answer && best(lines[0].answer, s.shown);
  const unit = per(s);
  const body = el("tbody");
  if (data.nested) {
    const n = here(data.nested.confusion, data.nested.figures, s.shown);
    body.append(el("tr", { class: "nested" }, el("th", { scope: "row" }, "cv"), el("td", { class: "name words" }, words(data.start) + " (nested cross-validation)"), el("td", {}, count(unit.rows * (n.found + n.wrong))), el("td", {}, count(unit.rows * n.missed)), el("td", {}, percent(n.recall)), el("td", {}, percent(n.precision)), el("td"), el("td")));
  }
  for (const l of lines) {
    if (!l.answer) continue;
    const b = best(l.answer, s.shown);
    const cell = (x: (s: Shares) => number | null, write: (x: number | null) => string, more: boolean) => {
      const [v, was] = [x(b), first ? x(first) : null];
      const by = v !== null && was !== null && l !== lines[0] ? v - was : 0;
      const text = write === percent ? points(Math.abs(by)) : write(Math.abs(by));
      return el("td", { class: by && more === by < 0 ? "worse" : "" }, write(v), ...(by ? [" ", el("small", {}, `(${by > 0 ? "+" : "−"}${text})`)] : []));
    };
    const number = (x: number | null) => count(unit.rows * (x ?? 0));
    const actions = el("td");
    if (l.at >= 0) {
      const [use, drop] = [el("button", { type: "button", "aria-label": `Take ${l.name}` }, "take"), el("button", { type: "button", "aria-label": `Drop ${l.name}` }, "×")];
      use.addEventListener("click", () => {
        named("pin").focus({ preventScroll: true });
        take(l.query);
      });
      drop.addEventListener("click", () => {
        named("pin").focus({ preventScroll: true }); // as this button goes
        s.pins.splice(l.at, 1);
        changed();
      });
      actions.append(use, " ", drop);
    }
    const price = cost(l.answer);
    body.append(el("tr", { class: l.at < 0 ? "now" : "" }, el("th", { scope: "row" }, l.name), el("td", { class: "name words" }, words(l.query)), cell((b) => b.found + b.wrong, number, false), cell((b) => b.missed, number, false), cell((b) => b.recall, percent, true), cell((b) => b.precision, percent, true), el("td", {}, price === undefined ? "" : count(unit.rows * price)), actions));
  }
  const heads = ["", "asked for", `alarms ${unit.text}`, `missed ${unit.text}`, "found", "right", lines.some((l) => l.answer?.costs) ? `cost ${unit.text}` : "", ""];
  named("pins").replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((h) => (h ? el("th", { scope: "col" }, h) : el("td"))))), body));
  named("difference").textContent = s.pins.length && first && current !== lines[0].query ? between(first, best(now, s.shown), unit) : "";
}

// points write a difference of two shares.
const points = (by: number): string => `${+(100 * by).toFixed(1)} points`;

// between says what a setting changes.
function between(was: Shares, is: Shares, unit: { rows: number; text: string }): string {
  const by = (a: number, b: number, what: string) => {
    const d = unit.rows * (b - a);
    return `${count(Math.abs(d))} ${d < 0 ? "fewer" : "more"} ${what}`;
  };
  return `Against A: ${by(was.found + was.wrong, is.found + is.wrong, "alarms")} and ${by(was.missed, is.missed, "missed")} ${unit.text}.`;
}
