// What a setting gives: the figures that count, what becomes of the rows, and a chart of what else there is.
import { select } from "d3-selection";
import { line } from "d3-shape";
import { empty, frame, readout, table, tall, type Spot } from "../frame";
import { digits, percent, short, whole } from "../text";
import { Answer, data, el, named, total } from "./data";
import { State } from "./state";

// What becomes of 1,000 rows with a class: shares of all rows.
export interface Shares {
  recall: number | null;
  recallInterval: [number, number] | null;
  precision: number | null;
  precisionInterval: [number, number] | null;
  found: number;
  missed: number;
  wrong: number; // false alarms
}

// here are the shares on the votes at hand, where matrix has the decisions.
export function here(matrix: number[][], figures: Answer["figures"], c: number): Shares {
  const all = matrix.flat().reduce((a, b) => a + b, 0) || 1;
  const named = matrix.reduce((sum, row) => sum + row[c], 0);
  const own = matrix[c].reduce((a, b) => a + b, 0);
  const f = figures[c];
  return { recall: f.recall, recallInterval: f.recall_interval, precision: f.precision, precisionInterval: f.precision_interval, found: matrix[c][c] / all, missed: (own - matrix[c][c]) / all, wrong: (named - matrix[c][c]) / all };
}

// ahead are the shares to expect on new rows; of weights that were given, those at hand, as nothing was searched for on them.
export function ahead(a: Answer, c: number): Shares | undefined {
  const e = a.expected?.classes?.[c];
  if (!e) return undefined;
  const share = data.rows[c] / total;
  const found = share * (e.recall ?? 0);
  return { recall: e.recall, recallInterval: e.recall_interval, precision: e.precision, precisionInterval: e.precision_interval, found, missed: share - found, wrong: (1 - share) * (e.false_positive_rate ?? 0) };
}

// cost is that of a row: what to expect, where that is known; of costs by amount it is known of these votes alone.
export const cost = (a: Answer): number | undefined => a.costs && (a.measure === "cost" && a.expected?.classes ? a.expected.loss : a.costs.tuned / total);

const within = (v: [number, number] | null) => (v ? `95\u00a0% interval ${whole(`${percent(v[0])} – ${percent(v[1])}`)}` : "");

export const per = (s: State) => (s.day ? { rows: s.day, text: "a day" } : { rows: 1000, text: "per 1,000 rows" });
export const count = (x: number): string => (x >= 100 ? x.toFixed(0) : x >= 10 ? String(+x.toFixed(1)) : digits(x, 2));

// key writes the figures that count: what to expect of new rows where that is known, and beside it what these votes show.
export function key(s: State, a: Answer, judged: boolean): void {
  const votes = here(a.confusion, a.figures, s.shown);
  const honest = ahead(a, s.shown);
  const use = honest ?? votes;
  const unit = per(s);
  const waiting = !judged && s.mode !== "weight";
  const from = honest ? "on these votes " : waiting ? "on these votes; new rows follow" : s.mode === "weight" ? "these weights on these votes" : "on these votes";
  const name = short(data.classes[s.shown], 24);
  const item = (title: string, id: string, value: string, interval: string, beside: string) =>
    el("div", { "data-figure": id }, el("dt", {}, title), el("dd", { class: waiting ? "waiting" : "" }, value), el("dd", { class: "was" }, el("span", {}, interval), el("span", {}, honest ? from + beside : from)));
  const items = [
    item(`${name} found`, "recall", percent(use.recall), within(use.recallInterval), percent(votes.recall)),
    item("of the alarms right", "precision", percent(use.precision), within(use.precisionInterval), percent(votes.precision)),
    item(`alarms ${unit.text}`, "alarms", count(unit.rows * (use.found + use.wrong)), "", count(unit.rows * (votes.found + votes.wrong))),
    item(`missed ${unit.text}`, "missed", count(unit.rows * use.missed), "", count(unit.rows * votes.missed)),
  ];
  if (a.costs) {
    const here = count((unit.rows * a.costs.tuned) / total);
    items.push(el("div", { "data-figure": "cost" }, el("dt", {}, `cost ${unit.text}`), el("dd", { class: waiting ? "waiting" : "" }, count(unit.rows * cost(a)!)), el("dd", { class: "was" }, el("span", {}, `on these votes ${here}`), el("span", {}, `by the plain vote ${count((unit.rows * a.costs.plain) / total)}`))));
  }
  named("key").replaceChildren(...items);
  named("state").textContent = a.rough ? "a first guess; searching for the best …" : waiting ? "working out what to expect …" : honest ? "expected on new rows, by cross-validation" : "";
  named("brief").textContent = `${percent(use.recall)} found · ${count(unit.rows * (use.found + use.wrong))} alarms, ${count(unit.rows * use.missed)} missed ${unit.text}`;
}

// matrix writes what becomes of the rows: of two classes as a square, of more class by class.
export function matrix(s: State, a: Answer, choose: (c: number) => void): void {
  const unit = per(s);
  const host = named("matrix");
  if (data.classes.length === 2) {
    const c = s.shown;
    const use = ahead(a, c) ?? here(a.confusion, a.figures, c);
    const share = data.rows[c] / total;
    const cell = (x: number, good: boolean, what: string) => el("td", { class: good ? "good" : "bad" }, count(unit.rows * x), el("small", {}, what));
    const [own, other] = [short(data.classes[c], 30), short(data.classes[1 - c], 30)];
    host.replaceChildren(
      el("table", { class: "two" }, el("caption", {}, s.day ? `What becomes of the rows of a day` : "What becomes of 1,000 rows"),
        el("thead", {}, el("tr", {}, el("td"), el("th", { scope: "col" }, `alarm: ${own}`), el("th", { scope: "col" }, "no alarm"))),
        el("tbody", {}, el("tr", {}, el("th", { scope: "row" }, `is ${own}`), cell(use.found, true, "found"), cell(use.missed, false, "missed")),
          el("tr", {}, el("th", { scope: "row" }, `is ${other}`), cell(use.wrong, false, "false alarm"), cell(1 - share - use.wrong, true, "right")))),
    );
    return;
  }
  const body = el("tbody");
  for (const c of data.classes.map((_, i) => i).sort((x, y) => data.rows[x] - data.rows[y])) {
    const [votes, use] = [here(a.confusion, a.figures, c), ahead(a, c)];
    const pick = el("button", { type: "button", "aria-pressed": String(c === s.shown) }, short(data.classes[c], 30));
    pick.addEventListener("click", () => choose(c));
    const best = use ?? votes;
    const beside = (x: number | null) => (a.expected ? [el("td", {}, percent(x))] : []);
    body.append(el("tr", { class: c === s.shown ? "shown" : "" }, el("th", { scope: "row", class: "name" }, pick), el("td", {}, percent(best.recall)), ...beside(votes.recall), el("td", {}, percent(best.precision)), ...beside(votes.precision),
      el("td", {}, count(unit.rows * (best.found + best.wrong))), el("td", {}, count(unit.rows * best.missed)), el("td", {}, String(+a.classes[c].weight.toPrecision(3)))));
  }
  const also = a.expected ? ["on these votes"] : [];
  const heads = ["class", "found", ...also, "right", ...also, `alarms ${unit.text}`, `missed ${unit.text}`, "weight"];
  host.replaceChildren(el("table", {}, el("thead", {}, el("tr", {}, ...heads.map((h) => el("th", { scope: "col" }, h)))), body));
}

// A setting beside the one in force.
export interface Mark {
  name: string;
  shares: Shares;
}

// chart draws recall against alarms, precision or false alarms, for every weight of the class, the others as they are.
export function chart(s: State, a: Answer, marks: Mark[]): void {
  const host = named("chart").querySelector<HTMLElement>(".canvas")!;
  empty(host);
  if (!a.curve?.length) return;
  const kind = (named("kind") as HTMLSelectElement).value;
  const name = short(data.classes[s.shown]);
  const own = data.rows[s.shown];
  const unit = per(s);
  const last = a.curve[a.curve.length - 1];
  const x = { alarms: (found: number, wrong: number) => unit.rows * (found + wrong), pr: (found: number, wrong: number) => found / (found + wrong || 1), roc: (_: number, wrong: number) => wrong / (1 - own / total) }[kind as "alarms"]!;
  const at = (sh: Shares): [number, number] => [x(sh.found, sh.wrong), sh.recall ?? 0];
  const none = kind === "pr" ? [] : [{ x: 0, y: 0, weight: 0 }];
  const points = none.concat(a.curve.map((p) => ({ x: x(p.found / total, (p.named - p.found) / total), y: p.found / own, weight: p.weight })));
  const now = here(a.confusion, a.figures, s.shown);
  const shown = [at(now), ...marks.map((m) => at(m.shares))].map(([v]) => v);
  const whole = x(last.found / total, (last.named - last.found) / total);
  const most = kind === "alarms" ? Math.min(Math.max(whole, ...shown), Math.max(3 * (unit.rows * own) / total, 2.2 * Math.max(...shown))) : 1;
  const words = { alarms: `alarms ${unit.text}`, pr: "share of the alarms that are right", roc: "share of the others that raise an alarm" }[kind]!;
  const f = frame(host, `${name} found against ${words}. Now ${percent(now.recall)} at ${count(at(now)[0])}`, { height: tall(host), left: 50 },
    { domain: [0, most], label: words, format: kind === "alarms" ? undefined : (v) => percent(v) }, { domain: [0, 1], label: `${name} found`, format: (v) => percent(v) });
  const path = line<{ x: number; y: number }>().x((p) => f.x(p.x)).y((p) => f.y(p.y));
  const inside = points.filter((p) => p.x <= most);
  f.plot.append("path").attr("class", "line b").attr("d", path(inside));
  const { plateau } = a.classes[s.shown];
  const same = inside.filter((p) => p.weight >= plateau[0] * 0.999 && p.weight <= (plateau[1] ?? Infinity) * 1.001);
  if (same.length > 1) f.plot.append("path").attr("class", "line plateau").attr("d", path(same));
  const dot = ([px, py]: [number, number], kind: string, text: string, below = 18) => {
    f.plot.append("circle").attr("class", "dot " + kind).attr("r", 6).attr("cx", f.x(px)).attr("cy", f.y(py));
    f.plot.append("text").attr("class", "word").attr("x", f.x(px) + (px > most * 0.8 ? -10 : 10)).attr("y", f.y(py) + below).attr("text-anchor", px > most * 0.8 ? "end" : "start").text(text);
  };
  for (const m of marks) dot(at(m.shares), "hollow", m.name, -10);
  const honest = ahead(a, s.shown);
  if (honest?.recallInterval) {
    const px = f.x(at(honest)[0]);
    f.plot.append("path").attr("class", "interval").attr("d", `M${px},${f.y(honest.recallInterval[0])}V${f.y(honest.recallInterval[1])}`);
    f.plot.append("circle").attr("class", "dot a").attr("r", 5).attr("cx", px).attr("cy", f.y(honest.recall ?? 0));
  }
  dot(at(now), "", "now");
  const say = (p: { x: number; y: number; weight: number }) => `${percent(p.y)} found at ${kind === "alarms" ? `${count(p.x)} ${words}` : `${percent(p.x)}, ${words}`} (weight ${digits(p.weight)})`;
  readout(f, inside.map((p): Spot => ({ x: f.x(p.x), y: f.y(p.y), text: say(p) })));
  const step = Math.max(1, Math.floor(inside.length / 24));
  table(host, [`weight of ${name}`, "found", words], inside.filter((_, i) => i % step === 0).map((p) => [digits(p.weight), percent(p.y), kind === "alarms" ? count(p.x) : percent(p.x)]));
  select(host.closest("figure")!.querySelector(".says")).text(`Every weight of ${name}, the other weights as they are. The dot is where you are${honest ? ", the bar what to expect on new rows" : ""}${same.length > 1 ? ", the thick line weights that are as good" : ""}.`);
}
