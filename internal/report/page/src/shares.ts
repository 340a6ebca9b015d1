// Charts on the square of two shares: moves of recall and precision, ROC, precision-recall, reliability.
import { line } from "d3-shape";
import type { Bin, Class, View } from "./data";
import { around, distance, dotted, frame, label, led, nearer, readout, table, tall, type Frame, type Place, type Point, type Spot } from "./frame";
import { count, digits, few, longest, percent, quoted, several, short } from "./text";

const path = line();

function square(host: HTMLElement, alt: string, x: string, y: string, low: [number, number] = [0, 0], bottom = 42): Frame {
  const whole = (v: number) => `${Math.round(100 * v)}`;
  return frame(host, alt, { height: tall(host) + bottom - 42, bottom }, { domain: [low[0], 1], label: x + ", %", format: whole }, { domain: [low[1], 1], label: y + ", %", format: whole });
}

function curve(f: Frame, points: [number, number][], kind: string): void {
  f.plot.append("path").attr("class", "line " + kind).attr("d", path(points.map(([x, y]) => [f.x(x), f.y(y)])));
}

function dot(f: Frame, x: number, y: number, kind: string, r = 5): void {
  f.plot.append("circle").attr("class", "dot " + kind).attr("cx", f.x(x)).attr("cy", f.y(y)).attr("r", r);
}

// contours draws where the loss 1 + α·recall + β·precision of a class is the same; it returns what writes their figures, once all is drawn.
function contours(f: Frame, c: Class, low: [number, number]): () => void {
  const p = (level: number, r: number) => (level - 1 - c.alpha * r) / c.beta;
  const r = (level: number, q: number) => (level - 1 - c.beta * q) / c.alpha;
  const span = 1 + c.alpha * low[0] + c.beta * low[1];
  const step = [0.01, 0.02, 0.05, 0.1].find((s) => span / s <= 10) ?? 0.1;
  const figures: [number, Place][] = [];
  for (let i = 1; i * step < span; i++) {
    const level = i * step;
    const from = Math.max(low[0], r(level, 1));
    const to = Math.min(1, r(level, low[1]));
    if (to <= from) continue;
    curve(f, [[from, p(level, from)], [to, p(level, to)]], "contour");
    // The figure stands where the line leaves the plot at the bottom, or at the left.
    if (i % 2 === 0 || span / step < 6) figures.push([level, [Math.min(f.x(to), f.width - 2), f.y(p(level, to)) - 4, "end"]]);
  }
  return () => {
    let named = false; // the first says what the figures are
    for (const [level, place] of figures) named = label(f, (named ? "" : "loss ") + digits(level, 2), "faint", [place]) || named;
  };
}

const known = (c: Class) => c.plain.recall !== null && c.tuned.recall !== null;

// moves is figure 3 of the paper, in one: an arrow from the plain vote to the tuned one.
export function moves(host: HTMLElement, alt: string, v: View): void {
  const figures = { recall: "recall", precision: "precision", specificity: "specificity", false_positive_rate: "false positive rate", negative_predictive_value: "negative predictive value" } as const;
  const each = Object.keys(figures) as (keyof typeof figures)[];
  table(host, ["class", v.report.unit, ...each.flatMap((one) => [`${figures[one]} plain`, `${figures[one]} ${v.report.rule}`])], v.report.classes.map((c) => [c.name, count(c.plain.support), ...each.flatMap((one) => [percent(c.plain[one]), percent(c.tuned[one])])]));
  const classes = v.report.classes.filter(known);
  const ends = classes.flatMap((c) => [c.plain.recall!, c.tuned.recall!, c.plain.precision ?? 0, c.tuned.precision ?? 0]);
  const least = Math.max(0, Math.floor(10 * (Math.min(...ends) - 0.02)) / 10);
  const low: [number, number] = [least, least];
  const f = square(host, alt, "recall", "precision", low);
  const losses = v.report.measure === "pragma" ? contours(f, v.shown, low) : () => {};
  const spots: Spot[] = [];
  const at = (c: Class, rule: "plain" | "tuned"): [number, number] => [f.x(c[rule].recall!), f.y(c[rule].precision ?? 0)];
  const draw = (c: Class) => {
    const kind = (c === v.shown ? "strong" : "weak") + (c.few ? " few" : "");
    const [from, to] = [at(c, "plain"), at(c, "tuned")];
    const long = Math.hypot(to[0] - from[0], to[1] - from[1]);
    f.plot.append("path").attr("class", "arrow " + kind).attr("d", path([from, to]));
    if (long > 1) f.plot.append("circle").attr("class", "dot hollow " + kind).attr("cx", from[0]).attr("cy", from[1]).attr("r", 4);
    const head = f.plot.append("path").attr("class", "head " + kind);
    const turn = (Math.atan2(to[1] - from[1], to[0] - from[0]) * 180) / Math.PI;
    if (long > 14) head.attr("d", "M0,0L-11,-5L-11,5Z").attr("transform", `translate(${to[0]},${to[1]}) rotate(${turn})`);
    else head.attr("d", "M-4,0A4,4 0 1,0 4,0A4,4 0 1,0 -4,0Z").attr("transform", `translate(${to[0]},${to[1]})`);
    for (const rule of ["plain", "tuned"] as const)
      spots.push({ x: at(c, rule)[0], y: at(c, rule)[1], text: `${quoted(c.name)} ${rule === "tuned" ? v.report.rule : rule}: recall ${percent(c[rule].recall)} of ${rows(c[rule].support)}, precision ${percent(c[rule].precision)} of ${count(c[rule].predicted)}` });
  };
  classes.filter((c) => c !== v.shown).forEach(draw);
  if (known(v.shown)) draw(v.shown);
  names(f, classes, v.shown, v.report.unit, at);
  losses();
  readout(f, spots);
}

// Of more classes than these some may have no name: there is no room for all.
const fewClasses = 8;

// Arrows whose heads are so near may have one name.
const near = 40;

// listed is a list in words.
const listed = (all: string[]) => (all.length > 1 ? `${all.slice(0, -1).join(", ")} and ${all[all.length - 1]}` : all[0]);

// names writes the names of the classes, and their rows, at the heads of their arrows, those that matter most first. A name that is nearer to another arrow is
// none: it then stands at the other end, or where a line leads from it, or with that of the arrow whose head is nearest.
function names(f: Frame, classes: Class[], shown: Class, unit: string, at: (c: Class, rule: "plain" | "tuned") => [number, number]): void {
  const rank = (c: Class) => (c === shown ? Infinity : c.preference.theta);
  const top = Math.max(...classes.map((c) => c.preference.theta));
  const ends = (c: Class) => (["plain", "tuned"] as const).map((rule) => at(c, rule)).map(([x, y]) => ({ x, y }));
  const few = classes.length <= fewClasses;
  const write = (group: Class[]): boolean => {
    const [tail, head] = ends(group[0]);
    const long = distance(tail, head);
    const way = (to: Point, from: Point): [number, number] => (long > 4 ? [(to.x - from.x) / long, (to.y - from.y) / long] : [0, 1]);
    const others = classes.filter((o) => !group.includes(o)).flatMap(ends);
    const [kind, most] = group[0] === shown ? ["a", Infinity] : rank(group[0]) === top ? ["b", Infinity] : ["b low", 1];
    const counts = group.map((c) => c.plain.support);
    const support = unit !== "rows" ? `weight ${listed(counts.map(count))}` : group.length > 1 ? `${listed(counts.map(count))} rows` : rows(counts[0]);
    const full = listed(group.map((c) => c.name));
    const names = new Set([group[0] === shown ? longest : 24, 24, 12].map((n) => listed(group.map((c) => short(c.name, n)))));
    // Rather less of a name than one that covers anything.
    const texts = Array.from(names).flatMap((name) => [`, ${support}`, ""].map((note) => [name, note]));
    const beside = (to: Point, from: Point, covered: number, times: number, all = texts) => {
      const places = [10, 20].flatMap((far) => around(to.x, to.y, way(to, from), far));
      return all.some(([name, note]) => label(f, name, kind, places, note, covered, full, nearer(to, others, times)));
    };
    const away = (all = texts, covered = Infinity) => all.some(([name, note]) => led(f, name, kind, head, others, note, full, covered));
    if (!few) return beside(head, tail, 0, 1) || beside(head, tail, most, 1) || (most > 1 && away()) || true;
    const whole = texts.slice(0, 1); // a line to it rather than less of it, or one that covers anything
    if (beside(head, tail, 0, 3, whole) || away(whole, 0) || beside(head, tail, 0, 3) || away(texts, 0)) return true;
    return [0, most].some((covered) => beside(head, tail, covered, 1) || (long > 20 && beside(tail, head, covered, 1))) || away();
  };
  let groups = classes.slice().sort((a, b) => rank(b) - rank(a)).map((c) => [c]);
  for (;;) {
    const left = groups.find((group) => !write(group));
    if (!left) return;
    const off = (group: Class[]) => distance(ends(group[0])[1], ends(left[0])[1]);
    const [beside] = groups.filter((group) => group !== left && off(group) < near).sort((a, b) => Number(rank(a[0]) >= top) - Number(rank(b[0]) >= top) || off(a) - off(b));
    groups = groups.filter((group) => group !== left).map((group) => (group === beside ? [...group, ...left] : group));
    f.plot.selectAll(".word, .leader").remove();
  }
}

const rows = (n: number) => several(n, "row");

// rules draws the points of the rules in the plane of a curve.
function rules(f: Frame, { shown: c, report }: View, x: (r: Class["plain"]) => number | null, y: (r: Class["plain"]) => number | null): void {
  const at = ([[c.plain, "plain"], [c.tuned, report.rule]] as const).flatMap(([rule, name]) => {
    const [px, py] = [x(rule), y(rule)];
    return px === null || py === null ? [] : [{ px, py, x: f.x(px), y: f.y(py), name: name as string }];
  });
  for (const { px, py, name } of at) dot(f, px, py, name === "plain" ? "hollow ink" : "ink");
  const [a, b] = at;
  const same = b && a.px === b.px && a.py === b.py;
  if (b && Math.hypot(a.x - b.x, a.y - b.y) < 4) at.splice(0, 2, { ...b, name: same ? `${report.rule}, as plain` : `plain and ${report.rule}` });
  for (const one of at.reverse()) dotted(f, one.name, one, at.find((o) => o !== one));
}

// diagonal are the places below and above the diagonal, from its middle outwards.
const diagonal = (f: Frame) => [0.5, 0.55, 0.45, 0.6, 0.4, 0.65, 0.35, 0.7, 0.3, 0.75, 0.25, 0.8, 0.2, 0.85, 0.15, 0.1].flatMap((t): Place[] => [[f.x(t) + 6, f.y(t) + 13, "start"], [f.x(t) - 6, f.y(t) - 6, "end"]]);

// A cut of the curves: decided as the class from a probability on.
type Cut = { prob: number; recall: number; wrong: number | null; precision: number };

const cuts = ({ charts: { cuts: c } }: View): Cut[] => c.prob.map((prob, i) => ({ prob, recall: c.recall[i], wrong: c.false_positive[i], precision: c.precision[i] }));

export function roc(host: HTMLElement, alt: string, v: View): void {
  cutTable(host, v);
  const f = square(host, alt, "false positives among the other rows", "recall");
  curve(f, [[0, 0], [1, 1]], "chance");
  const all = cuts(v).filter((c) => c.wrong !== null); // without other rows there is no such share
  if (all.length) curve(f, [[0, 0], ...all.map((c): [number, number] => [c.wrong!, c.recall])], "a");
  const total = v.report.classes.reduce((sum, c) => sum + c.plain.support, 0);
  const positive = (r: Class["plain"]) => (r.recall === null || total === r.support ? null : (r.predicted - r.recall * r.support) / (total - r.support));
  rules(f, v, positive, (r) => r.recall);
  label(f, "by chance", "faint", diagonal(f));
  readout(f, all.map((c) => ({ x: f.x(c.wrong!), y: f.y(c.recall), text: `From probability ${digits(c.prob)} on: recall ${percent(c.recall)}, false positives ${percent(c.wrong)}` })));
}

export function pr(host: HTMLElement, alt: string, v: View): void {
  cutTable(host, v);
  const f = square(host, alt, "recall", "precision");
  const figures = v.report.measure === "pragma" ? contours(f, v.shown, [0, 0]) : () => {};
  curve(f, [[0, v.charts.share], [1, v.charts.share]], "chance");
  curve(f, cuts(v).map((c): [number, number] => [c.recall, c.precision]), "a");
  rules(f, v, (r) => r.recall, (r) => r.precision);
  figures();
  label(f, "by chance", "faint", [0.5, 0.4, 0.3, 0.6, 0.2, 0.7, 0.8].flatMap((x): Place[] => [[f.x(x), f.y(v.charts.share) - 5, "middle"], [f.x(x), f.y(v.charts.share) + 13, "middle"]]));
  readout(f, cuts(v).map((c) => ({ x: f.x(c.recall), y: f.y(c.precision), text: `From probability ${digits(c.prob)} on: recall ${percent(c.recall)}, precision ${percent(c.precision)}` })));
}

function cutTable(host: HTMLElement, v: View): void {
  table(host, ["decided from probability", "recall", "false positives", "precision"], cuts(v).map((c) => [digits(c.prob), percent(c.recall), percent(c.wrong), percent(c.precision)]));
}

function binTable(host: HTMLElement, bins: Bin[], unit: string): void {
  table(host, ["probability from", "to", unit, "mean probability", "observed", "95 % interval"], bins.map((b) => [digits(b.low), digits(b.high), count(b.count), digits(b.mean), digits(b.share), `${digits(b.from)}–${digits(b.to)}`]));
}

const said = (b: Bin) => `Probability ${digits(b.low)} to ${digits(b.high)}, mean ${digits(b.mean)}: observed ${percent(b.share)} (${percent(b.from)} to ${percent(b.to)}) of ${rows(b.count)}`;

// reliability shows the observed share of each group with its interval, and how many rows it rests on.
export function reliability(host: HTMLElement, alt: string, v: View): void {
  const bins = v.charts.reliability;
  binTable(host, bins, v.report.unit);
  const f = square(host, alt, "probability given", "observed share", [0, 0], 64);
  curve(f, [[0, 0], [1, 1]], "chance");
  for (const b of bins) {
    f.plot.append("path").attr("class", "interval").attr("d", path([[f.x(b.mean), f.y(b.from)], [f.x(b.mean), f.y(b.to)]]));
    dot(f, b.mean, b.share, "a");
  }
  label(f, "as it should be", "faint", diagonal(f));
  const under = f.height + 54;
  f.plot.append("text").attr("class", "word faint").attr("x", -8).attr("y", under).attr("text-anchor", "end").text(v.report.unit === "rows" ? "rows" : "weight");
  for (const b of bins) f.plot.append("text").attr("class", "word faint").attr("x", f.x((b.low + b.high) / 2)).attr("y", under).attr("text-anchor", "middle").text(few(b.count, f.width < 300 ? 3 : 4));
  readout(f, bins.map((b) => ({ x: f.x(b.mean), y: f.y(b.share), text: said(b) })));
}

// corp draws the CORP curve as the steps that it is.
export function corp(host: HTMLElement, alt: string, v: View): void {
  binTable(host, v.charts.curve, v.report.unit);
  const f = square(host, alt, "probability given", "probability that would fit");
  curve(f, [[0, 0], [1, 1]], "chance");
  const steps = v.charts.curve.flatMap((b): [number, number][] => [[b.low, b.share], [b.high, b.share]]);
  const band = (end: "from" | "to") => v.charts.curve.flatMap((b): [number, number][] => [[f.x(b.low), f.y(b[end])], [f.x(b.high), f.y(b[end])]]);
  f.plot.append("path").attr("class", "band").attr("d", path(band("to").concat(band("from").reverse()))! + "Z");
  curve(f, steps, "a");
  for (const b of v.charts.curve) if (f.x(b.high) - f.x(b.low) < 3) dot(f, b.mean, b.share, "a", 2.5);
  readout(f, v.charts.curve.map((b) => ({ x: f.x(b.mean), y: f.y(b.share), text: said(b) })));
}
