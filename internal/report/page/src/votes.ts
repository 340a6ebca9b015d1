// The histogram of votes: rows of the class upwards, all others downwards, each in two tones by what is decided.
import type { View } from "./data";
import { fitted, frame, label, readout, table, type Frame, type Place } from "./frame";
import { count, few, quoted, several } from "./text";

// The height at which bars are cut, so that a few very long ones do not hide all others.
function ceiling(heights: number[]): number {
  const sorted = heights.slice().sort((a, b) => b - a);
  const rest = sorted[Math.min(3, sorted.length - 1)] || sorted.find((h) => h > 0) || 1;
  const top = Math.max(...sorted.filter((h) => h <= 3 * rest), 1);
  return top * 1.08;
}

export function votes(host: HTMLElement, alt: string, v: View): void {
  const h = v.charts.votes;
  const ranges = h.found.map((_, i) => (h.width === 1 ? several(i, "vote") : `${i * h.width} to ${Math.min((i + 1) * h.width - 1, v.report.trees)} votes`));
  table(host, ["votes", "found", "missed", "false alarms", "left alone"], ranges.map((range, i) => [range.replace(/ votes?$/, ""), count(h.found[i]), count(h.missed[i]), count(h.alarms[i]), count(h.others[i])]));
  const up = h.found.map((x, i) => x + h.missed[i]);
  const down = h.alarms.map((x, i) => x + h.others[i]);
  const end = ranges.length * h.width;
  const top = frame(host, alt, { height: 190, bottom: 8, top: 40 }, { domain: [0, end], label: "", at: [] }, { domain: [0, ceiling(up)], label: "", ticks: 3, format: count });
  bars(top, h.found, h.missed, "a", h.width, false);
  const bottom = frame(host, alt, { height: 228, top: 8, bottom: 66 }, { domain: [0, end], label: (n) => `votes of ${v.report.trees} for ${quoted(v.shown.name, n)}`, format: count }, { domain: [ceiling(down), 0], label: "", ticks: 3, format: count });
  bars(bottom, h.alarms, h.others, "b", h.width, true);
  legend(top, -24, (n) => quoted(v.shown.name, n), [["a", "found"], ["a pale", "missed"]]);
  legend(bottom, bottom.height + 58, () => "all others", [["b", "false alarms"], ["b pale", "left alone"]]);
  readout(bottom, ranges.map((range, i) => ({
    x: bottom.x((i + 0.5) * h.width), y: 4, text: `${range}: ${count(h.found[i])} found, ${count(h.missed[i])} missed, ${several(h.alarms[i], "false alarm")}, ${count(h.others[i])} left alone`,
  })), true);
}

// bars draws stacked bars from the line of no rows on; those that are cut end in a gap.
function bars(f: Frame, solid: number[], pale: number[], kind: string, width: number, down: boolean): void {
  const wide = Math.max(1, f.x(width) - f.x(0) - 1);
  const far = down ? f.height : 0;
  const cut: string[] = [];
  const beside: Place[] = [];
  for (let i = 0; i < solid.length; i++) {
    const x = f.x(i * width) + 0.5;
    const clip = (v: number) => (down ? Math.min(f.y(v), far) : Math.max(f.y(v), far));
    const [zero, mid, end] = [f.y(0), clip(solid[i]), clip(solid[i] + pale[i])];
    const bar = (from: number, to: number, tone: string, edge: number) => {
      const [wider, higher] = [wide, Math.abs(to - from)].map((size) => Math.max(size - edge, 0.01));
      if (Math.abs(to - from) > 0.01) f.plot.append("rect").attr("class", `bar ${kind} ${tone}`).attr("x", x + edge / 2).attr("width", wider).attr("y", Math.min(from, to) + edge / 2).attr("height", higher);
    };
    bar(zero, mid, "", 0);
    bar(mid, end, "pale", 1); // whose colour alone would be too pale to be seen
    if ((down ? f.y(solid[i] + pale[i]) > far + 1 : f.y(solid[i] + pale[i]) < far - 1)) {
      const y = down ? far - 12 : far + 12;
      f.plot.append("path").attr("class", "cut").attr("d", `M${x - 2},${y + 3}L${x + wide + 2},${y - 3}`);
      cut.push(few(solid[i] + pale[i]));
      // If other bars are as long, the words stand beyond them.
      beside.unshift(...[0, 1, 2, 3].flatMap((n): Place[] => [[x + wide + 6 + n * (wide + 1), y + 4, "start"], [x - 6 - n * (wide + 1), y + 4, "end"]]));
    }
  }
  if (cut.length) label(f, "cut: " + cut.join(", "), "faint", beside);
}

function legend(f: Frame, y: number, title: (most: number) => string, items: [string, string][]): void {
  const g = f.plot.append("text").attr("class", "word").attr("x", f.width).attr("y", y).attr("text-anchor", "end");
  const name = g.append("tspan");
  items.forEach(([kind, text], i) => {
    g.append("tspan").attr("class", "key " + kind).text("■ ");
    g.append("tspan").text(text + (i + 1 < items.length ? "  " : ""));
  });
  name.call(fitted, (n: number) => title(n) + ": ", f.width + f.margin.left - g.node()!.getComputedTextLength());
}
