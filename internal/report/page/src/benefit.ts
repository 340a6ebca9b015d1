// The decision curve: net benefit against the probability from which on rows are decided as the class (Vickers and Elkin 2006).
import { line } from "d3-shape";
import type { View } from "./data";
import { dotted, frame, label, readout, table, tall, type Place } from "./frame";
import { digits, percent, quoted } from "./text";

const path = line();

export function benefit(host: HTMLElement, alt: string, v: View): void {
  const { from, model, all, tuned, worth } = v.charts.benefit;
  table(host, ["decided from probability", "false alarms for one found", "net benefit in 100 rows", "of all as it"], from.map((p, i) => [percent(p), alarms(p), hundred3(model[i]), hundred3(all[i])]));
  const end = from[from.length - 1];
  const top = Math.max(...model, ...all, v.charts.share / 10) * 1.1;
  const low = Math.min(-top / 5, Math.max(-top, 1.3 * (worth ?? 0)));
  const hundred = (x: number) => digits(100 * x, 2).replace("-", "\u2212");
  const f = frame(host, alt, { height: tall(host) }, { domain: [0, end], label: "decided from probability, %", format: hundred }, { domain: [low, top], label: "net benefit, found in 100 rows", format: hundred });
  // What falls below the plot ends at its foot.
  const curve = (values: number[], kind: string) => {
    const below = values.findIndex((y) => y < low);
    const points = from.map((x, i): [number, number] => [x, values[i]]).slice(0, below < 0 ? undefined : below);
    if (below > 0) {
      const part = (values[below - 1] - low) / (values[below - 1] - values[below]);
      points.push([from[below - 1] + part * (from[below] - from[below - 1]), low]);
    }
    f.plot.append("path").attr("class", "line " + kind).attr("d", path(points.map(([x, y]) => [f.x(x), f.y(y)])));
    return points;
  };
  curve(from.map(() => 0), "chance");
  const every = curve(all, "b");
  const own = curve(model, "a");
  if (tuned !== null && worth !== null) {
    f.plot.append("path").attr("class", "rule plain").attr("d", `M${f.x(tuned)},0V${f.height}`);
    if (worth >= low) f.plot.append("circle").attr("class", "dot ink").attr("cx", f.x(tuned)).attr("cy", f.y(worth)).attr("r", 5);
    dotted(f, v.report.rule, { x: f.x(tuned), y: f.y(Math.max(low, worth)) });
  }
  const beside = (points: [number, number][]) => points.flatMap(([x, y]): Place[] => [[f.x(x) + 8, f.y(y) - 6, "start"], [f.x(x) - 8, f.y(y) + 14, "end"], [f.x(x) + 8, f.y(y) + 4, "start"]]);
  label(f, "by the probabilities", "a", beside(own.slice(Math.floor(own.length / 4)).concat(own)));
  const short = quoted(v.shown.name, 20);
  label(f, `all as ${short}`, "b", beside(every.slice().reverse()), "", Infinity, `all as ${quoted(v.shown.name)}`);
  label(f, "none", "mute", [0.97, 0.9, 0.8, 0.6, 0.5, 0.4].flatMap((x): Place[] => [[f.x(x * end), f.y(0) + 14, "end"], [f.x(x * end), f.y(0) - 5, "end"]]));
  readout(f, from.map((p, i) => ({ x: f.x(p), y: f.y(Math.max(low, model[i])), text: `From probability ${percent(p)} on, ${alarms(p, 2)} false alarms for one found: worth ${hundred(model[i])} in 100 rows; all as ${short} ${hundred(all[i])}` })), true);
}

const hundred3 = (x: number) => digits(100 * x);

// alarms are the false alarms that are accepted for one row found.
const alarms = (p: number, n = 3) => (p > 0 ? digits((1 - p) / p, n) : "∞");
