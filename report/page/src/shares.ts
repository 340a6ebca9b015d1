// Charts on the square of two shares: moves of recall and precision, ROC, precision-recall, reliability.
import { line } from "d3-shape";
import type { Bin, Class, View } from "./data";
import { frame, label, readout, table, widthOf, type Frame, type Spot } from "./frame";
import { count, digits, few, percent, quoted, short } from "./text";

const path = line();

function square(host: HTMLElement, alt: string, x: string, y: string, low: [number, number] = [0, 0], bottom = 42): Frame {
  const whole = (v: number) => `${Math.round(100 * v)}`;
  return frame(host, alt, { height: Math.min(400, widthOf(host) * 0.82) + bottom - 42, bottom }, { domain: [low[0], 1], label: x + ", %", format: whole }, { domain: [low[1], 1], label: y + ", %", format: whole });
}

function curve(f: Frame, points: [number, number][], kind: string): void {
  f.plot.append("path").attr("class", "line " + kind).attr("d", path(points.map(([x, y]) => [f.x(x), f.y(y)])));
}

function dot(f: Frame, x: number, y: number, kind: string, r = 5): void {
  f.plot.append("circle").attr("class", "dot " + kind).attr("cx", f.x(x)).attr("cy", f.y(y)).attr("r", r);
}

// contours draws where the loss 1 + α·recall + β·precision of a class is the same.
function contours(f: Frame, c: Class, low: [number, number]): void {
  const p = (level: number, r: number) => (level - 1 - c.alpha * r) / c.beta;
  const r = (level: number, q: number) => (level - 1 - c.beta * q) / c.alpha;
  const span = 1 + c.alpha * low[0] + c.beta * low[1];
  const step = [0.01, 0.02, 0.05, 0.1].find((s) => span / s <= 10) ?? 0.1;
  let named = 0; // the line that says what the figures are
  for (let i = 1; i * step < span; i++) {
    const level = i * step;
    const from = Math.max(low[0], r(level, 1));
    const to = Math.min(1, r(level, low[1]));
    if (to > from) curve(f, [[from, p(level, from)], [to, p(level, to)]], "contour");
    // The figure stands where the line leaves the plot at the bottom, or at the left.
    const x = f.x(to);
    if (to > from && (i % 2 === 0 || span / step < 6)) {
      named ||= i;
      f.plot.append("text").attr("class", "word faint").attr("x", Math.min(x, f.width - 2)).attr("y", f.y(p(level, to)) - 4).attr("text-anchor", "end").text(i === named ? `loss ${digits(level, 2)}` : digits(level, 2));
    }
  }
}

const known = (c: Class) => c.plain.recall !== null && c.tuned.recall !== null;

// moves is figure 3 of the paper, in one: an arrow from the plain vote to the tuned one.
export function moves(host: HTMLElement, alt: string, v: View): void {
  const classes = v.report.classes.filter(known);
  const ends = classes.flatMap((c) => [c.plain.recall!, c.tuned.recall!, c.plain.precision ?? 0, c.tuned.precision ?? 0]);
  const least = Math.max(0, Math.floor(10 * (Math.min(...ends) - 0.02)) / 10);
  const low: [number, number] = [least, least];
  const f = square(host, alt, "recall", "precision", low);
  if (v.report.measure === "pragma") contours(f, v.shown, low);
  const spots: Spot[] = [];
  const at = (c: Class, rule: "plain" | "tuned"): [number, number] => [f.x(c[rule].recall!), f.y(c[rule].precision ?? 0)];
  const draw = (c: Class) => {
    const kind = c === v.shown ? "strong" : "weak";
    const [from, to] = [at(c, "plain"), at(c, "tuned")];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    f.plot.append("path").attr("class", "arrow " + kind).attr("d", path([from, to]));
    f.plot.append("circle").attr("class", "dot hollow " + kind).attr("cx", from[0]).attr("cy", from[1]).attr("r", 4);
    const head = f.plot.append("path").attr("class", "head " + kind);
    const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
    if (long > 14) head.attr("d", "M0,0L-11,-5L-11,5Z").attr("transform", `translate(${to[0]},${to[1]}) rotate(${turn})`);
    else head.attr("d", "M-4,0A4,4 0 1,0 4,0A4,4 0 1,0 -4,0Z").attr("transform", `translate(${to[0]},${to[1]})`);
    for (const rule of ["plain", "tuned"] as const)
      spots.push({ x: at(c, rule)[0], y: at(c, rule)[1], text: `${quoted(c.name)} ${rule}: recall ${percent(c[rule].recall)}, precision ${percent(c[rule].precision)}` });
  };
  classes.filter((c) => c !== v.shown).forEach(draw);
  if (known(v.shown)) draw(v.shown);
  names(f, classes, v.shown, at);
  readout(f, spots);
  table(host, ["class", "recall plain", "recall tuned", "precision plain", "precision tuned", "rows"], v.report.classes.map((c) => [c.name, percent(c.plain.recall), percent(c.tuned.recall), percent(c.plain.precision), percent(c.tuned.precision), count(c.plain.support)]));
}

// names writes the names of the classes at the heads of their arrows, those that matter most first, and leaves out what would cover another.
function names(f: Frame, classes: Class[], shown: Class, at: (c: Class, rule: "plain" | "tuned") => [number, number]): void {
  const top = Math.max(...classes.map((c) => c.preference.theta));
  const rank = (c: Class) => (c === shown ? 0 : c.preference.theta === top ? 1 : 2);
  const svg = f.plot.node()!.ownerSVGElement!;
  const taken = Array.from(svg.querySelectorAll("text"), (t) => t.getBoundingClientRect());
  const room = svg.querySelector(".axis.y")!.getBoundingClientRect();
  for (const c of classes.slice().sort((a, b) => rank(a) - rank(b))) {
    const [[px, py], [x, y]] = [at(c, "plain"), at(c, "tuned")];
    const long = Math.hypot(x - px, y - py);
    const [dx, dy] = long > 4 ? [(x - px) / long, (y - py) / long] : [0, 1];
    const text = f.plot.append("text").attr("class", "word " + (c === shown ? "a" : rank(c) === 1 ? "" : "mute")).attr("text-anchor", "middle").text(short(c.name));
    const wide = text.node()!.getComputedTextLength() / 2;
    const place = ([ux, uy]: [number, number]) => {
      text.attr("x", Math.max(wide + 4, Math.min(f.width - wide + 8, x + ux * (10 + wide)))).attr("y", y + uy * 14 + 4);
      const box = text.node()!.getBoundingClientRect();
      const clear = taken.every((o) => box.left > o.right || box.right < o.left || box.top > o.bottom || box.bottom < o.top);
      return clear && box.bottom < room.bottom - 12 && taken.push(box) > 0;
    };
    const ways: [number, number][] = [[dx, dy], [dy, -dx], [-dy, dx], [0, 1], [0, -1], [1, 0], [-1, 0]];
    if (!ways.some(place)) text.remove();
  }
}

// points of the rules in the plane of a curve.
function rules(f: Frame, c: Class, x: (r: Class["plain"]) => number | null, y: (r: Class["plain"]) => number | null): void {
  const [a, b] = [[x(c.plain), y(c.plain)], [x(c.tuned), y(c.tuned)]];
  for (const [[px, py], name] of [[a, "plain"], [b, "tuned"]] as const) {
    if (px === null || py === null) continue;
    dot(f, px, py, name === "plain" ? "hollow ink" : "ink");
    const left = px > 0.75;
    const above = name === "tuned" && b[1] !== null && a[1] !== null && Math.abs(f.y(b[1]!) - f.y(a[1]!)) < 16;
    label(f, f.x(px) + (left ? -10 : 10), f.y(py) + (above ? -10 : py > 0.5 ? 16 : -8), name, "", left ? "end" : "start");
  }
}

// A cut of the curves: decided as the class from a probability on.
type Cut = { prob: number; recall: number; wrong: number; precision: number };

const cuts = ({ charts: { cuts: c } }: View): Cut[] => c.prob.map((prob, i) => ({ prob, recall: c.recall[i], wrong: c.false_positive[i], precision: c.precision[i] }));

export function roc(host: HTMLElement, alt: string, v: View): void {
  const f = square(host, alt, "false positives among the other rows", "recall");
  curve(f, [[0, 0], [1, 1]], "chance");
  curve(f, [[0, 0], ...cuts(v).map((c): [number, number] => [c.wrong, c.recall])], "a");
  label(f, f.width * 0.52, f.y(0.45), "by chance", "faint");
  const total = v.report.classes.reduce((sum, c) => sum + c.plain.support, 0);
  const positive = (r: Class["plain"]) => (r.recall === null ? null : (r.predicted - r.recall * r.support) / (total - r.support));
  rules(f, v.shown, positive, (r) => r.recall);
  readout(f, cuts(v).map((c) => ({ x: f.x(c.wrong), y: f.y(c.recall), text: `From probability ${digits(c.prob)} on: recall ${percent(c.recall)}, false positives ${percent(c.wrong)}` })));
  cutTable(host, v);
}

export function pr(host: HTMLElement, alt: string, v: View): void {
  const f = square(host, alt, "recall", "precision");
  if (v.report.measure === "pragma") contours(f, v.shown, [0, 0]);
  curve(f, cuts(v).map((c): [number, number] => [c.recall, c.precision]), "a");
  rules(f, v.shown, (r) => r.recall, (r) => r.precision);
  readout(f, cuts(v).map((c) => ({ x: f.x(c.recall), y: f.y(c.precision), text: `From probability ${digits(c.prob)} on: recall ${percent(c.recall)}, precision ${percent(c.precision)}` })));
  cutTable(host, v);
}

function cutTable(host: HTMLElement, v: View): void {
  table(host, ["decided from probability", "recall", "false positives", "precision"], cuts(v).map((c) => [digits(c.prob), percent(c.recall), percent(c.wrong), percent(c.precision)]));
}

function binTable(host: HTMLElement, bins: Bin[]): void {
  table(host, ["probability from", "to", "rows", "mean probability", "observed", "95 % interval"], bins.map((b) => [digits(b.low), digits(b.high), count(b.count), digits(b.mean), digits(b.share), `${digits(b.from)}–${digits(b.to)}`]));
}

const said = (b: Bin) => `Probability ${digits(b.low)} to ${digits(b.high)}, mean ${digits(b.mean)}: observed ${percent(b.share)} (${percent(b.from)} to ${percent(b.to)}) of ${count(b.count)} rows`;

// reliability shows the observed share of each group with its interval, and how many rows it rests on.
export function reliability(host: HTMLElement, alt: string, v: View): void {
  const bins = v.charts.reliability;
  const f = square(host, alt, "probability given", "observed share", [0, 0], 64);
  curve(f, [[0, 0], [1, 1]], "chance");
  for (const b of bins) {
    f.plot.append("path").attr("class", "interval").attr("d", path([[f.x(b.mean), f.y(b.from)], [f.x(b.mean), f.y(b.to)]]));
    dot(f, b.mean, b.share, "a");
  }
  // The words stand where the fewest bins are near.
  const near = (t: number) => Math.min(...bins.map((b) => Math.abs(b.mean - t)));
  const t = [0.85, 0.75, 0.65, 0.55, 0.45, 0.35, 0.25].reduce((best, p) => (near(p) > near(best) + 0.01 ? p : best), 0.75);
  label(f, f.x(t), f.y(t) + 22, "as it should be", "faint", "middle");
  const under = f.height + 54;
  f.plot.append("text").attr("class", "word faint").attr("x", -8).attr("y", under).attr("text-anchor", "end").text("rows");
  for (const b of bins) f.plot.append("text").attr("class", "word faint").attr("x", f.x((b.low + b.high) / 2)).attr("y", under).attr("text-anchor", "middle").text(few(b.count));
  readout(f, bins.map((b) => ({ x: f.x(b.mean), y: f.y(b.share), text: said(b) })));
  binTable(host, bins);
}

// corp draws the CORP curve as the steps that it is.
export function corp(host: HTMLElement, alt: string, v: View): void {
  const f = square(host, alt, "probability given", "probability that would fit");
  curve(f, [[0, 0], [1, 1]], "chance");
  const steps = v.charts.curve.flatMap((b): [number, number][] => [[b.low, b.share], [b.high, b.share]]);
  const band = (end: "from" | "to") => v.charts.curve.flatMap((b): [number, number][] => [[f.x(b.low), f.y(b[end])], [f.x(b.high), f.y(b[end])]]);
  f.plot.append("path").attr("class", "band").attr("d", path(band("to").concat(band("from").reverse()))! + "Z");
  curve(f, steps, "a");
  for (const b of v.charts.curve) if (f.x(b.high) - f.x(b.low) < 3) dot(f, b.mean, b.share, "a", 2.5);
  readout(f, v.charts.curve.map((b) => ({ x: f.x(b.mean), y: f.y(b.share), text: said(b) })));
  binTable(host, v.charts.curve);
}
