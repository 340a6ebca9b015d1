// Charts of lists: weights of the folds, features.
import type { View } from "./data";
import { fitted, frame, readout, table, widthOf, type Frame, type Spot } from "./frame";
import { digits, percent, short } from "./text";

// room is what names at the left of a chart may take.
function room(host: HTMLElement, names: string[]): number {
  return Math.min(widthOf(host) * 0.5, 24 + 8 * Math.max(...names.map((name) => Array.from(name).length), 4));
}

// named writes a name at the left of a line.
function named(f: Frame, y: number, name: string, left: number, kind = ""): void {
  f.plot.append("text").attr("class", "word " + kind).attr("x", -8).attr("y", y + 4).attr("text-anchor", "end").call(fitted, name, left - 10);
}

// folds shows for each class the weight that each fold has found.
export function folds(host: HTMLElement, alt: string, v: View): void {
  const all = v.report.folds;
  const classes = v.report.classes;
  const names = classes.map((c) => c.name).filter((name) => classes.length === 2 || classes.length <= 30 || name === v.shown.name);
  table(host, ["repeat", "fold", ...names], all.map((one) => [one.repeat, one.fold, ...names.map((name) => digits(one.weights[name]))]));
  const weights = all.flatMap((f) => names.map((name) => f.weights[name]));
  const [low, high] = [Math.min(...weights, 1) / 1.15, Math.max(...weights, 1) * 1.15];
  const step = names.length > 8 ? 20 : 34;
  const left = room(host, names);
  const f = frame(host, alt, { height: names.length * step + 70, left }, { domain: [low, high], label: "weight of a vote", log: true, format: (w) => digits(w, 2) }, { domain: [names.length, 0], label: "class", at: [] });
  const spots: Spot[] = [];
  names.forEach((name, i) => {
    const y = f.y(i + 0.5);
    const own = name === v.shown.name;
    f.plot.append("path").attr("class", "grid").attr("d", `M0,${y}H${f.width}`);
    named(f, y, name, left, own ? "a" : "");
    for (const one of all) {
      const x = f.x(one.weights[name]);
      f.plot.append("circle").attr("class", "dot see " + (own ? "a" : "b")).attr("cx", x).attr("cy", y).attr("r", 4);
      spots.push({ x, y, text: `repeat ${one.repeat}, fold ${one.fold}: a vote for ${short(name)} counts ${digits(one.weights[name])}` });
    }
    const middle = f.x(classes.find((c) => c.name === name)!.weight);
    f.plot.append("path").attr("class", "middle").attr("d", `M${middle},${y - 9}V${y + 9}`);
  });
  readout(f, spots);
}

// The features that are drawn; all are in the table.
const most = 15;

export function importance(host: HTMLElement, alt: string, v: View): void {
  const all = v.report.importance;
  table(host, ["feature", "part"], all.map((one) => [one.name, percent(one.part)]));
  const top = all.slice(0, most);
  const left = room(host, top.map((one) => one.name));
  const f = frame(host, alt, { height: top.length * 24 + 66, left, right: 46, top: 10 }, { domain: [0, top[0]?.part || 1], label: "part of what the splits gained, %", format: (p) => `${Math.round(1000 * p) / 10}`, ticks: 4 }, { domain: [top.length, 0], label: "", at: [] });
  top.forEach((one, i) => {
    const y = f.y(i + 0.5);
    f.plot.append("rect").attr("class", "bar b").attr("x", 0).attr("y", y - 7).attr("height", 14).attr("width", f.x(one.part));
    named(f, y, one.name, left);
    f.plot.append("text").attr("class", "word mute").attr("x", f.x(one.part) + 6).attr("y", y + 4).text(percent(one.part));
  });
}
