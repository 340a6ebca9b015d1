// What becomes of recall, precision, loss and wrong decisions with the weight of a class: figure 4 of the paper.
import { line } from "d3-shape";
import type { View } from "./data";
import { aired, ends, frame, label, led, lower, table, type Axis, type Frame, type Place, type Words } from "./frame";
import { count, digits, percent, quoted, several } from "./text";

const path = line<[number, number | null]>().defined((d) => d[1] !== null).x((d) => d[0]).y((d) => d[1]!);

export function sweep(host: HTMLElement, alt: string, v: View): void {
  const s = v.charts.sweep;
  const rows = v.shown.plain.support;
  const n = s.weights.length;
  const recall = s.found.map((x) => x / rows);
  const precision = s.found.map((x, i) => (s.named[i] > 0 ? x / s.named[i] : null));
  const head = ["weight", "recall", "precision", "decided as it", "loss", "wrong decisions", ...(s.votes ? ["votes that are enough"] : []), ...(s.broken ? ["breaks"] : [])];
  table(host, head, s.weights.map((w, i) => [
    digits(w), percent(recall[i]), percent(precision[i]), count(s.named[i]), digits(s.loss[i], 4), count(s.wrong[i]), ...(s.votes ? [s.votes[i]] : []), ...(s.broken ? [missed(v, i)] : []),
  ]));
  const x = (text: Words): Axis => ({ domain: [s.weights[0], s.weights[n - 1]], label: text, log: true, format: (w) => digits(w, 2) });
  const wide = { right: 76 };
  const shares = frame(host, alt, { ...wide, height: lower(280), bottom: 22 }, { ...x(""), format: () => "" }, { domain: [0, 1], label: "recall and precision, %", format: (p) => `${Math.round(100 * p)}` });
  const hatched = broken(v);
  const draw = (f: Frame, values: (number | null)[], kind: string) => f.plot.append("path").attr("class", "line " + kind).attr("d", path(values.map((y, i) => [f.x(s.weights[i]), y === null ? null : f.y(y)])));
  const named = marks(shares, v, hatched);
  draw(shares, recall, "a");
  draw(shares, precision, "b");
  const losses = s.loss.filter((l): l is number => l !== null);
  const less = frame(host, alt, { ...wide, height: lower(230), bottom: 22 }, { ...x(""), format: () => "" }, { domain: aired(losses), label: `loss (${v.report.measure})`, ticks: 4 });
  marks(less, v, hatched);
  draw(less, s.loss, "ink");
  const wrong = frame(host, alt, { ...wide, height: lower(230) }, x((n) => `weight of a vote for ${quoted(v.shown.name, n)}`), { domain: [0, Math.max(...s.wrong) * 1.05 || 1], label: "wrong decisions", ticks: 3, format: count });
  marks(wrong, v, hatched);
  draw(wrong, s.wrong, "ink");
  ends(shares, [{ y: shares.y(recall[n - 1]), name: "recall", kind: "a" }, { y: shares.y(precision[n - 1] ?? 0), name: "precision", kind: "b" }]);
  slider(host, v, [[shares, recall], [shares, precision], [less, s.loss], [wrong, s.wrong]], recall, precision);
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

// slider lets the weight be moved, and says what that does.
function slider(host: HTMLElement, v: View, lines: [Frame, (number | null)[]][], recall: number[], precision: (number | null)[]): void {
  const s = v.charts.sweep;
  const box = document.createElement("div");
  box.className = "slide";
  const name = document.createElement("label");
  name.htmlFor = "weight";
  name.textContent = "Move the weight";
  const input = document.createElement("input");
  input.type = "range";
  input.id = "weight";
  input.min = "0";
  input.max = String(s.weights.length - 1);
  input.value = String(s.weights.indexOf(v.shown.weight));
  const out = document.createElement("output");
  out.htmlFor.add("weight");
  out.className = "says";
  box.append(name);
  if (s.trained === null) {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = "One weight decides all rows here; in the summary each fold has its own, so the counts may differ.";
    box.append(note);
  }
  box.append(input, out);
  host.after(box);
  // The knob, 16 pixels wide, stands under the weight that it sets.
  const { margin, width } = lines[0][0];
  const full = margin.left + width + margin.right;
  input.style.marginLeft = `${(100 * (margin.left - 8)) / full}%`;
  input.style.width = `${(100 * (width + 16)) / full}%`;
  box.style.maxWidth = `${full}px`;
  const dots = lines.map(([f]) => f.plot.append("circle").attr("class", "mark").attr("r", 5));
  const show = () => {
    const i = Number(input.value);
    lines.forEach(([f, values], j) => {
      const y = values[i];
      dots[j].attr("visibility", y === null ? "hidden" : "visible").attr("cx", f.x(s.weights[i])).attr("cy", f.y(y ?? 0));
    });
    const votes = s.votes ? ` (${s.votes[i]} of ${v.report.trees} votes are enough)` : "";
    const text = `Weight ${digits(s.weights[i])}${votes}: ${count(s.found[i])} of ${count(v.shown.plain.support)} rows of ${quoted(v.shown.name)} found (${percent(recall[i])}), ${several(s.named[i] - s.found[i], "false alarm")} (precision ${percent(precision[i])}), ${several(s.wrong[i], "wrong decision")}, loss ${digits(s.loss[i], 4)}${s.broken?.[i].length ? `; breaks ${missed(v, i)}` : ""}.`;
    out.textContent = text;
    input.setAttribute("aria-valuetext", `weight ${digits(s.weights[i])}`);
  };
  input.addEventListener("input", show);
  show();
}
