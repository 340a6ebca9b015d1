// What other weights of a class would do, by what they do: alarms, recall, cost.
import { line } from "d3-shape";
import type { View } from "./data";
import { aired, ends, frame, label, led, lower, table, type Axis, type Frame, type Place, type Words } from "./frame";
import { digits, percent, quoted } from "./text";

const path = line<[number, number | null]>().defined((d) => d[1] !== null).x((d) => d[0]).y((d) => d[1]!);

// A unit is what a setting is told by; the first of them is what one begins with.
interface Unit {
  name: string;
  axis: Words;
  value: (i: number) => number;
  text: (i: number) => string;
}

let unit = 0; // the one that was chosen, for all classes
let place: [View["shown"], number] | undefined; // where the slider was left

// short writes a number at an axis.
const short = (x: number) => (x < 1e4 ? digits(x) : x < 1e6 ? `${digits(x / 1e3)}k` : `${digits(x / 1e6)}M`);

// units are those that there are: of cost only where costs are known.
function units(v: View, recall: number[]): Unit[] {
  const { named, loss } = v.charts.sweep;
  const { rows, money } = v.report;
  const per = (i: number) => (1000 * named[i]) / rows;
  const cost = (i: number) => digits(loss[i] === null ? null : loss[i]! * money);
  const all: Unit[] = [
    { name: "alarms per 1,000 rows", axis: (n) => `alarms for ${quoted(v.shown.name, n)} per 1,000 rows`, value: per, text: (i) => digits(per(i)) },
    { name: "found (recall)", axis: (n) => `recall of ${quoted(v.shown.name, n)}, %`, value: (i) => 100 * recall[i], text: (i) => percent(recall[i]) },
  ];
  if (money) all.push({ name: "cost per 1,000 rows", axis: "cost per 1,000 rows", value: (i) => loss[i]! * money, text: cost });
  return all;
}

// marked are the weights that an axis marks, each with what it does there: where that never falls, those of round
// numbers, the roundest first and none near another, else even steps.
function marked(weights: number[], value: (i: number) => number): Map<number, string> {
  const values = weights.map((_, i) => value(i));
  const n = weights.length;
  if (values.some((x, i) => i && x < values[i - 1])) {
    return new Map(Array.from({ length: 6 }, (_, i) => Math.round((i * (n - 1)) / 5)).map((i) => [weights[i], short(values[i])]));
  }
  const apart = 0.13; // of the width
  const places: number[] = [];
  const out = new Map<number, string>();
  for (const round of [1, 5, 2, 3, 4, 6, 7, 8, 9]) {
    for (let unit = 10 ** Math.floor(Math.log10(values[n - 1])); unit > values[n - 1] / 1e4 && unit * 10 > values[0]; unit /= 10) {
      const i = values.findIndex((x) => x >= round * unit);
      if (i < 0 || (i === 0 && values[0] > round * unit)) continue;
      const part = i && (round * unit - values[i - 1]) / (values[i] - values[i - 1]); // of the step to i
      const place = (i ? i - 1 + part : 0) / (n - 1);
      if (places.some((other) => Math.abs(other - place) < apart)) continue;
      places.push(place);
      out.set(i ? weights[i - 1] * (weights[i] / weights[i - 1]) ** part : weights[0], short(round * unit));
    }
  }
  return out;
}

export function sweep(host: HTMLElement, alt: string, v: View): void {
  const s = v.charts.sweep;
  const rows = v.shown.plain.support;
  const n = s.weights.length;
  const recall = s.found.map((x) => x / rows);
  const precision = s.found.map((x, i) => (s.named[i] > 0 ? x / s.named[i] : null));
  const all = units(v, recall);
  const chosen = all[unit] ?? all[0];
  const { money } = v.report;
  const lost = money ? "cost per 1,000 rows" : "loss";
  const losses = s.loss.map((l) => (l === null ? null : l * (money || 1)));
  const head = ["weight", "recall", "precision", "alarms per 1,000 rows", lost, ...(s.votes ? ["votes that are enough"] : []), ...(s.broken ? ["breaks"] : [])];
  table(host, head, s.weights.map((w, i) => [digits(w), percent(recall[i]), percent(precision[i]), all[0].text(i), digits(losses[i], 4), ...(s.votes ? [s.votes[i]] : []), ...(s.broken ? [missed(v, i)] : [])]));
  const box = slider(host, v, all, chosen);
  // Weights are told by what they do.
  const at = marked(s.weights, chosen.value);
  const x = (text: Words): Axis => ({ domain: [s.weights[0], s.weights[n - 1]], label: text, log: true, at: [...at.keys()], format: (w) => at.get(w)! });
  const wide = { right: 76 };
  const shares = frame(host, alt, { ...wide, height: lower(280), bottom: 22 }, { ...x(""), format: () => "" }, { domain: [0, 1], label: "recall and precision, %", format: (p) => `${Math.round(100 * p)}` });
  const hatched = broken(v);
  const draw = (f: Frame, values: (number | null)[], kind: string) => f.plot.append("path").attr("class", "line " + kind).attr("d", path(values.map((y, i) => [f.x(s.weights[i]), y === null ? null : f.y(y)])));
  const named = marks(shares, v, hatched);
  draw(shares, recall, "a");
  draw(shares, precision, "b");
  const less = frame(host, alt, { ...wide, height: lower(250) }, x(chosen.axis), { domain: aired(losses.filter((l): l is number => l !== null)), label: money ? lost : `loss (${v.report.measure})`, ticks: 4, format: short });
  marks(less, v, hatched);
  draw(less, losses, "ink");
  ends(shares, [{ y: shares.y(recall[n - 1]), name: "recall", kind: "a" }, { y: shares.y(precision[n - 1] ?? 0), name: "precision", kind: "b" }]);
  moved(box, v, [[shares, recall], [shares, precision], [less, losses]], [...all.map((u): [string, (i: number) => string] => [u.name, u.text]), ["right (precision)", (i) => percent(precision[i])], ...(money ? [] : [["loss", (i: number) => digits(losses[i], 4)] as [string, (i: number) => string]])], chosen);
  named();
}

// missed are the requirements that a weight breaks.
const missed = (v: View, i: number) => (v.charts.sweep.broken?.[i] ?? []).map((one) => v.report.required[one]).join(", ");

// broken are the ranges of the weights that break what is required, each to the middle between it and its neighbours.
function broken(v: View): [number, number][] {
  const { weights, broken: all } = v.charts.sweep;
  const out: [number, number][] = [];
  const between = (i: number) => Math.sqrt(weights[Math.max(0, i - 1)] * weights[Math.min(weights.length - 1, i)]);
  all?.forEach((one, i) => {
    if (!one.length) return;
    if (i && all[i - 1].length) out[out.length - 1][1] = between(i + 1);
    else out.push([between(i), between(i + 1)]);
  });
  return out;
}

// hatches is how many patterns there are, each with a name of its own.
let hatches = 0;

// hatch covers the weights that break what is required with slanting lines, which say it without a colour.
function hatch(f: Frame, ranges: [number, number][]): void {
  if (!ranges.length) return;
  const id = `hatch-${++hatches}`;
  const lines = f.plot.append("pattern").attr("id", id).attr("width", 8).attr("height", 8).attr("patternUnits", "userSpaceOnUse").attr("patternTransform", "rotate(45)");
  lines.append("path").attr("class", "hatch").attr("d", "M0,0V8");
  for (const [from, to] of ranges) f.plot.append("rect").attr("fill", `url(#${id})`).attr("x", f.x(from)).attr("width", Math.max(1, f.x(to) - f.x(from))).attr("y", 0).attr("height", f.height);
}

// marks shades the weights that were as good in training, hatches those that break what is required, and draws those in use; it returns what writes their names,
// once all lines are there.
function marks(f: Frame, v: View, hatched: [number, number][]): () => void {
  const s = v.charts.sweep;
  const within = (w: number | null, open: number) => f.x(Math.min(Math.max(w ?? open, s.weights[0]), s.weights[s.weights.length - 1]));
  const [from, to] = s.trained ? [within(s.trained[0], 0), within(s.trained[1], Infinity)] : [within(s.plateau[0], 0), within(s.plateau[1], Infinity)];
  f.plot.append("rect").attr("class", "plateau").attr("x", from).attr("width", Math.max(1, to - from)).attr("y", 0).attr("height", f.height);
  hatch(f, hatched);
  const used = f.x(v.shown.weight);
  f.plot.append("path").attr("class", "rule tuned").attr("d", `M${used},0V${f.height}`);
  // Of two classes the plain vote is where both weigh the same; of more the other weights are those in use.
  const other = v.report.classes.filter((c) => c !== v.shown);
  const [plain, name, both] = other.length === 1 ? [other[0].weight, "plain vote", `${v.report.used}, as in the plain vote`] : [1, "weight 1", `${v.report.used}, weight 1`];
  const at = f.x(plain);
  const same = plain === v.shown.weight;
  const there = at >= 0 && at <= f.width && Math.abs(at - used) > 3;
  if (there) f.plot.append("path").attr("class", "rule plain").attr("d", `M${at},0V${f.height}`);
  const breaks = (w: number) => (hatched.some(([from, to]) => from <= w && w <= to) ? ", breaks what is required" : "");
  const heights = Array.from({ length: 31 }, (_, i) => f.height * (0.96 - 0.03 * i));
  const beside = (x: number, right: boolean) => [right, !right].flatMap((on) => heights.map((y): Place => [x + (on ? 5 : -5), y, on ? "start" : "end"]));
  let told = false; // what the hatches mean
  const say = (text: string, kind: string, x: number, places: Place[], note: string): boolean => {
    const noted = note !== "" && label(f, text, kind, places, note, 1); // where it covers nothing
    told ||= noted;
    return noted || label(f, text, kind, places, "", 0) || led(f, text, kind, { x, y: f.height / 3 }, [], "", text, 0) || label(f, text, kind, places);
  };
  return () => {
    const places = beside(used, at < used);
    if (!same || !say(both, "", used, places, breaks(plain))) say(v.report.used, "", used, places, breaks(v.shown.weight));
    if (there) say(name, "mute", at, beside(at, at > used), breaks(plain));
    const widest = hatched.slice().sort((a, b) => b[1] / b[0] - a[1] / a[0])[0];
    if (widest && !told && f.x(widest[1]) - f.x(widest[0]) > 150) label(f, "breaks what is required", "mute", heights.map((y): Place => [f.x(Math.sqrt(widest[0] * widest[1])), y, "middle"]), "", 1);
  };
}

// slider puts above a chart what a setting is chosen by.
function slider(host: HTMLElement, v: View, all: Unit[], chosen: Unit): HTMLElement {
  const { weights, trained } = v.charts.sweep;
  const box = document.createElement("div");
  box.className = "slide";
  box.innerHTML = '<p><label for="unit">Move by</label> <select id="unit"></select></p><input type="range" id="weight"><output for="weight"></output><p><code></code></p><p class="note"></p>';
  const select = box.querySelector("select")!;
  for (const u of all) select.add(new Option(u.name, "", false, u === chosen));
  select.addEventListener("change", () => {
    unit = select.selectedIndex;
    host.dispatchEvent(new Event("unit", { bubbles: true }));
    document.getElementById("unit")!.focus();
  });
  const input = box.querySelector("input")!;
  input.setAttribute("aria-label", chosen.name);
  input.max = String(weights.length - 1);
  input.value = String(place?.[0] === v.shown ? place[1] : weights.indexOf(v.shown.weight));
  if (trained === null) box.querySelector(".note")!.textContent = "One weight decides all rows here. In the figures above each fold has its own, so these may differ a little.";
  host.before(box);
  return box;
}

// moved has a slider show what it does: at each line a mark, below it the figures, the weight, and how the command takes it.
function moved(box: HTMLElement, v: View, lines: [Frame, (number | null)[]][], figures: [string, (i: number) => string][], chosen: Unit): void {
  const s = v.charts.sweep;
  const input = box.querySelector("input")!;
  const out = box.querySelector("output")!;
  // The knob, 16 pixels wide, stands over the weight that it sets.
  const { margin, width } = lines[0][0];
  const full = margin.left + width + margin.right;
  input.style.marginLeft = `${(100 * (margin.left - 8)) / full}%`;
  input.style.width = `${(100 * (width + 16)) / full}%`;
  box.style.maxWidth = `${full}px`;
  const dots = lines.map(([f]) => f.plot.append("circle").attr("class", "mark").attr("r", 5));
  const same = (i: number, j: number) => s.found[i] === s.found[j] && s.named[i] === s.named[j];
  let was = Number(input.value);
  const show = () => {
    let i = Number(input.value);
    // A step that decides no row in another way goes on to the next that does.
    for (const step = Math.sign(i - was); same(i, was) && s.weights[i + step] && step; ) i += step;
    input.value = String((was = i));
    place = [v.shown, i];
    lines.forEach(([f, values], j) => {
      const y = values[i];
      dots[j].attr("visibility", y === null ? "hidden" : "visible").attr("cx", f.x(s.weights[i])).attr("cy", f.y(y ?? 0));
    });
    const part = (tag: string, text: string) => Object.assign(document.createElement(tag), { textContent: text });
    out.replaceChildren(
      ...figures.map(([name, text]) => {
        const one = part("span", "");
        one.append(part("b", text(i)), " ", name);
        return one;
      }).flatMap((one) => [one, " "]),
      part("span", `Weight ${digits(s.weights[i])}${s.votes ? `: ${s.votes[i]} of ${v.report.trees} votes are enough` : ""}${s.broken?.[i].length ? `; breaks ${missed(v, i)}` : ""}`),
    );
    box.querySelector("code")!.textContent = taken(v, i);
    input.setAttribute("aria-valuetext", `${chosen.text(i)} ${chosen.name}`);
  };
  input.addEventListener("input", show);
  show();
}

// taken is the flag that takes a setting, quoted for a shell; "" where none does.
function taken(v: View, i: number): string {
  const { take, classes } = v.report;
  if (!take.flag || !take.classes.length) return "";
  const weights = classes.map((c, k) => `${take.classes[k]}=${c === v.shown ? v.charts.sweep.weights[i] : c.weight}`).join(",");
  return `${take.flag} '${weights.replaceAll("'", "'\\''")}'`;
}
