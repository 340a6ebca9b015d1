// What becomes of recall, precision, loss and wrong decisions with the weight of a class: figure 4 of the paper.
import { line } from "d3-shape";
import type { View } from "./data";
import { frame, label, table, type Axis, type Frame } from "./frame";
import { count, digits, percent, quoted } from "./text";

const path = line<[number, number | null]>().defined((d) => d[1] !== null).x((d) => d[0]).y((d) => d[1]!);

export function sweep(host: HTMLElement, alt: string, v: View): void {
  const s = v.charts.sweep;
  const rows = v.shown.plain.support;
  const n = s.weights.length;
  const recall = s.found.map((x) => x / rows);
  const precision = s.found.map((x, i) => (s.named[i] > 0 ? x / s.named[i] : null));
  const x = (text: string): Axis => ({ domain: [s.weights[0], s.weights[n - 1]], label: text, log: true, format: (w) => digits(w, 2) });
  const wide = { right: 68 };
  const shares = frame(host, alt, { ...wide, height: 280, bottom: 22 }, { ...x(""), format: () => "" }, { domain: [0, 1], label: "recall and precision, %", format: (p) => `${Math.round(100 * p)}` });
  const draw = (f: Frame, values: (number | null)[], kind: string) => f.plot.append("path").attr("class", "line " + kind).attr("d", path(values.map((y, i) => [f.x(s.weights[i]), y === null ? null : f.y(y)])));
  marks(shares, v, true);
  draw(shares, recall, "a");
  draw(shares, precision, "b");
  const losses = s.loss.filter((l): l is number => l !== null);
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const bottom = high > 0 && low / high > 0.5 ? low - (high - low) * 0.15 : 0;
  const lower = frame(host, alt, { ...wide, height: 230, bottom: 22 }, { ...x(""), format: () => "" }, { domain: [bottom, high * 1.05 || 1], label: `loss (${v.report.measure})`, ticks: 3, format: (l) => digits(l) });
  marks(lower, v, false);
  draw(lower, s.loss, "ink");
  const wrong = frame(host, alt, { ...wide, height: 230 }, x(`weight of a vote for ${quoted(v.shown.name)}`), { domain: [0, Math.max(...s.wrong) * 1.05 || 1], label: "wrong decisions", ticks: 3, format: count });
  marks(wrong, v, false);
  draw(wrong, s.wrong, "ink");
  ends(shares, [[recall[n - 1], "recall", "a"], [precision[n - 1], "precision", "b"]]);
  slider(host, v, [[shares, recall], [shares, precision], [lower, s.loss], [wrong, s.wrong]], recall, precision);
  const head = ["weight", "recall", "precision", "decided as it", "loss", "wrong decisions"];
  table(host, s.votes ? [...head, "votes that are enough"] : head, s.weights.map((w, i) => {
    const row = [digits(w), percent(recall[i]), percent(precision[i]), count(s.named[i]), digits(s.loss[i], 4), count(s.wrong[i])];
    return s.votes ? [...row, String(s.votes[i])] : row;
  }));
}

// marks shades the weights that were as good in training, and draws those in use.
function marks(f: Frame, v: View, first: boolean): void {
  const s = v.charts.sweep;
  const within = (w: number | null, open: number) => f.x(Math.min(Math.max(w ?? open, s.weights[0]), s.weights[s.weights.length - 1]));
  const [from, to] = s.trained ? [within(s.trained[0], 0), within(s.trained[1], Infinity)] : [within(s.plateau[0], 0), within(s.plateau[1], Infinity)];
  f.plot.append("rect").attr("class", "plateau").attr("x", from).attr("width", Math.max(1, to - from)).attr("y", 0).attr("height", f.height);
  const used = f.x(v.shown.weight);
  f.plot.append("path").attr("class", "rule tuned").attr("d", `M${used},0V${f.height}`);
  // Of two classes the plain vote is where both weigh the same; of more the other weights are those in use.
  const other = v.report.classes.filter((c) => c !== v.shown);
  const [plain, name] = other.length === 1 ? [other[0].weight, "plain vote"] : [1, "weight 1"];
  const at = f.x(plain);
  const there = at >= 0 && at <= f.width && Math.abs(at - used) > 3;
  if (there) f.plot.append("path").attr("class", "rule plain").attr("d", `M${at},0V${f.height}`);
  if (!first) return;
  const left = there && at > used;
  label(f, used + (left ? -5 : 5), f.height - 8, "tuned", "", left ? "end" : "start");
  if (there) label(f, at + (left ? 5 : -5), f.height - 8, name, "mute", left ? "start" : "end");
}

// ends names lines at their right end, apart from each other.
function ends(f: Frame, lines: [number | null, string, string][]): void {
  const at = lines.map(([y, name, kind]) => ({ y: f.y(y ?? 0) + 4, name, kind })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < at.length; i++) at[i].y = Math.max(at[i].y, at[i - 1].y + 14);
  const over = Math.max(0, at[at.length - 1].y - f.height);
  for (const l of at) f.plot.append("text").attr("class", "word " + l.kind).attr("x", f.width + 6).attr("y", l.y - over).text(l.name);
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
