// What becomes of recall, precision, loss and wrong decisions with the weight of a class: figure 4 of the paper.
import { line } from "d3-shape";
import type { View } from "./data";
import { ends, frame, label, table, type Axis, type Frame, type Place } from "./frame";
import { count, digits, percent, quoted } from "./text";

const path = line<[number, number | null]>().defined((d) => d[1] !== null).x((d) => d[0]).y((d) => d[1]!);

export function sweep(host: HTMLElement, alt: string, v: View): void {
  const s = v.charts.sweep;
  const rows = v.shown.plain.support;
  const n = s.weights.length;
  const recall = s.found.map((x) => x / rows);
  const precision = s.found.map((x, i) => (s.named[i] > 0 ? x / s.named[i] : null));
  const x = (text: string): Axis => ({ domain: [s.weights[0], s.weights[n - 1]], label: text, log: true, format: (w) => digits(w, 2) });
  const wide = { right: 76 };
  const shares = frame(host, alt, { ...wide, height: 280, bottom: 22 }, { ...x(""), format: () => "" }, { domain: [0, 1], label: "recall and precision, %", format: (p) => `${Math.round(100 * p)}` });
  const draw = (f: Frame, values: (number | null)[], kind: string) => f.plot.append("path").attr("class", "line " + kind).attr("d", path(values.map((y, i) => [f.x(s.weights[i]), y === null ? null : f.y(y)])));
  const named = marks(shares, v);
  draw(shares, recall, "a");
  draw(shares, precision, "b");
  const losses = s.loss.filter((l): l is number => l !== null);
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const bottom = high > 0 && low / high > 0.5 ? low - (high - low) * 0.15 : 0;
  const lower = frame(host, alt, { ...wide, height: 230, bottom: 22 }, { ...x(""), format: () => "" }, { domain: [bottom, high * 1.05 || 1], label: `loss (${v.report.measure})`, ticks: 3, format: (l) => digits(l) });
  marks(lower, v);
  draw(lower, s.loss, "ink");
  const wrong = frame(host, alt, { ...wide, height: 230 }, x(`weight of a vote for ${quoted(v.shown.name)}`), { domain: [0, Math.max(...s.wrong) * 1.05 || 1], label: "wrong decisions", ticks: 3, format: count });
  marks(wrong, v);
  draw(wrong, s.wrong, "ink");
  ends(shares, [{ y: shares.y(recall[n - 1]), name: "recall", kind: "a" }, { y: shares.y(precision[n - 1] ?? 0), name: "precision", kind: "b" }]);
  slider(host, v, [[shares, recall], [shares, precision], [lower, s.loss], [wrong, s.wrong]], recall, precision);
  named();
  const head = ["weight", "recall", "precision", "decided as it", "loss", "wrong decisions"];
  table(host, s.votes ? [...head, "votes that are enough"] : head, s.weights.map((w, i) => {
    const row = [digits(w), percent(recall[i]), percent(precision[i]), count(s.named[i]), digits(s.loss[i], 4), count(s.wrong[i])];
    return s.votes ? [...row, String(s.votes[i])] : row;
  }));
}

// marks shades the weights that were as good in training, and draws those in use; it returns what writes their names, once all lines are there.
function marks(f: Frame, v: View): () => void {
  const s = v.charts.sweep;
  const within = (w: number | null, open: number) => f.x(Math.min(Math.max(w ?? open, s.weights[0]), s.weights[s.weights.length - 1]));
  const [from, to] = s.trained ? [within(s.trained[0], 0), within(s.trained[1], Infinity)] : [within(s.plateau[0], 0), within(s.plateau[1], Infinity)];
  f.plot.append("rect").attr("class", "plateau").attr("x", from).attr("width", Math.max(1, to - from)).attr("y", 0).attr("height", f.height);
  const used = f.x(v.shown.weight);
  f.plot.append("path").attr("class", "rule tuned").attr("d", `M${used},0V${f.height}`);
  // Of two classes the plain vote is where both weigh the same; of more the other weights are those in use.
  const other = v.report.classes.filter((c) => c !== v.shown);
  const [plain, name, both] = other.length === 1 ? [other[0].weight, "plain vote", "tuned, as in the plain vote"] : [1, "weight 1", "tuned, weight 1"];
  const at = f.x(plain);
  const same = Math.abs(at - used) <= 3;
  const there = at >= 0 && at <= f.width && !same;
  if (there) f.plot.append("path").attr("class", "rule plain").attr("d", `M${at},0V${f.height}`);
  const beside = (x: number, right: boolean) => [right, !right].flatMap((on) => [0.96, 0.85, 0.74, 0.6, 0.45, 0.3, 0.18, 0.08].map((y): Place => [x + (on ? 5 : -5), f.height * y, on ? "start" : "end"]));
  return () => {
    const places = beside(used, at < used);
    if (!same || !label(f, both, "", places)) label(f, "tuned", "", places);
    if (there) label(f, name, "mute", beside(at, at > used));
  };
}

// slider lets the weight be moved, and says what that does.
function slider(host: HTMLElement, v: View, lines: [Frame, (number | null)[]][], recall: number[], precision: (number | null)[]): void {
  const s = v.charts.sweep;
  const figure = host.closest("figure")!;
  figure.querySelector(".slide")?.remove();
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
  box.append(name, input, out);
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
    const text = `Weight ${digits(s.weights[i])}${votes}: ${count(s.found[i])} of ${count(v.shown.plain.support)} rows of ${quoted(v.shown.name)} found (${percent(recall[i])}), ${count(s.named[i] - s.found[i])} false alarms (precision ${percent(precision[i])}), ${count(s.wrong[i])} wrong decisions, loss ${digits(s.loss[i], 4)}.`;
    out.textContent = text;
    input.setAttribute("aria-valuetext", `weight ${digits(s.weights[i])}`);
  };
  input.addEventListener("input", show);
  show();
}
