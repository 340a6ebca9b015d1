// What the cells of rows add to the votes for a class: of many rows, column by column, and of one row, cell by cell.
import type { View, Waterfall } from "./data";
import { fitted, frame, readout, table, widthOf, type Frame, type Spot, type Words } from "./frame";
import { digits, percent, points, quoted, several, short } from "./text";

// The tones of the dots, from low numbers of a column to high ones.
const tones = 5;
const tone = (place: number): string => (place < 0 ? "none" : `s${Math.min(tones - 1, Math.floor((place * tones) / 100))}`);

const radius = 2.7;

// besides writes what stands at the left of a line.
function besides(f: Frame, y: number, words: Words, kind = ""): void {
  f.plot.append("text").attr("class", "word " + kind).attr("x", -8).attr("y", y + 4).attr("text-anchor", "end").call(fitted, words, f.margin.left - 10);
}

// width guesses how wide letters are, on the safe side.
const width = (names: string[]): number => 22 + 7.4 * Math.max(...names.map((name) => Array.from(name).length), 4);

// summary shows a strip for each column, and a dot in it for each row.
export function summary(host: HTMLElement, alt: string, v: View): void {
  const { columns, class: name } = v.report.parts!;
  table(host, ["column", "mean size of what it adds, points", "of all"], columns.map((c) => [c.name, (100 * c.mean).toFixed(2), percent(c.share)]));
  const drawn = columns.filter((c) => c.parts);
  const all = drawn.flatMap((c) => c.parts!);
  const [low, high] = [Math.min(0, ...all), Math.max(0, ...all)];
  const air = (high - low) * 0.03 || 0.01;
  const step = 34;
  const left = Math.min(widthOf(host) * 0.4, width(drawn.map((c) => c.name)));
  const f = frame(host, alt, { height: drawn.length * step + 82, left, right: 12, top: 32 }, { domain: [low - air, high + air], label: (n) => `adds to the votes for ${quoted(name, n)}, percentage points`, format: (p) => digits(100 * p).replace("-", "\u2212"), ticks: Math.max(3, Math.min(6, (widthOf(host) - left) / 70)) }, { domain: [drawn.length, 0], label: "", at: [] });
  legend(f, drawn.some((c) => c.places!.includes(-1)));
  f.plot.append("path").attr("class", "rule tuned").attr("d", `M${f.x(0)},0V${f.height}`);
  const spots: Spot[] = [];
  drawn.forEach((c, i) => {
    const middle = f.y(i + 0.5);
    if (i) f.plot.append("path").attr("class", "grid").attr("d", `M0,${f.y(i)}H${f.width}`);
    besides(f, middle, c.name);
    const xs = c.parts!.map((part) => f.x(part));
    const offsets = swarm(xs, step / 2 - radius - 1);
    xs.forEach((x, k) => {
      const y = middle + offsets[k];
      f.plot.append("circle").attr("class", "dot " + tone(c.places![k])).attr("cx", x).attr("cy", y).attr("r", radius);
      spots.push({ x, y, text: `${short(c.name)}${told(c.places![k])}: ${points(c.parts![k])} points` });
    });
  });
  readout(f, spots);
}

// told says how high a number is among those of its column.
const told = (place: number): string => (place < 0 ? "" : place < 20 ? ", low" : place >= 80 ? ", high" : ", in between");

// swarm moves dots that would cover each other off their line, to both sides in turn, as far as there is room.
function swarm(xs: number[], room: number): number[] {
  const steps = xs.map((x) => Math.round(x / (1.8 * radius)));
  const taken = new Map<number, number>();
  const turns = steps.map((s) => {
    const n = taken.get(s) ?? 0;
    taken.set(s, n + 1);
    return n;
  });
  return turns.map((n, i) => {
    const apart = Math.min(1.8 * radius, room / Math.max(1, Math.floor(taken.get(steps[i])! / 2)));
    return (n % 2 ? -1 : 1) * Math.ceil(n / 2) * apart;
  });
}

function legend(f: Frame, others: boolean): void {
  const g = f.plot.append("text").attr("class", "word mute").attr("x", f.width).attr("y", -14).attr("text-anchor", "end");
  g.append("tspan").text("number: low ");
  for (let i = 0; i < tones; i++) g.append("tspan").attr("class", `key s${i}`).text("●");
  g.append("tspan").text(" high");
  if (!others) return;
  g.append("tspan").text("   ○ no number");
}

// reached says where a row starts and where it ends.
export function reached(name: string, w: Waterfall): string {
  return `A row of which nothing is known gets ${(100 * w.base).toFixed(1)} % of the votes for ${quoted(name)}, the mean. Its cells lead this row to ${(100 * w.share).toFixed(1)} %.`;
}

// waterfall shows how the cells of a row lead from the mean share of the votes to its own: an arrow for each, to the right if it adds.
export function waterfall(host: HTMLElement, alt: string, name: string, w: Waterfall): void {
  const steps: { words: Words; text: string; part: number }[] = w.cells.map((c) => {
    const words = (n: number) => (c.value === "" ? `\u2068${short(c.column, n)}\u2069 is missing` : `\u2068${short(c.column, n)}\u2069 = \u2068${short(c.value, n)}\u2069`);
    return { words, text: words(Infinity), part: c.part };
  });
  if (w.columns) steps.push({ words: several(w.columns, "other column"), text: several(w.columns, "other column"), part: w.others });
  const ends = steps.reduce((at, s) => [...at, at[at.length - 1] + s.part], [w.base]);
  const share = (x: number) => (100 * x).toFixed(1) + "\u00a0%";
  table(host, ["cell", "adds, points", "votes then"], [["mean of all rows", "", share(w.base)], ...steps.map((s, i) => [s.text, points(s.part), share(ends[i + 1])]), ["this row", "", share(w.share)]]);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const air = (high - low) * 0.04 || 0.01;
  const step = 27;
  const lines = steps.length + 2;
  const left = Math.min(widthOf(host) * 0.48, width([...steps.map((s) => s.text), "mean of all rows"]));
  const f = frame(host, alt, { height: lines * step + 60, left, right: 66, top: 12 }, { domain: [low - air, high + air], label: (n) => `share of the votes for ${quoted(name, n)}, %`, format: (p) => digits(100 * p), ticks: Math.max(3, Math.min(6, (widthOf(host) - left - 66) / 60)) }, { domain: [lines, 0], label: "", at: [] });
  const figure = (i: number, text: string, kind: string) => f.plot.append("text").attr("class", "word " + kind).attr("x", f.width + 62).attr("y", f.y(i + 0.5) + 4).attr("text-anchor", "end").text(text);
  const end = (i: number, words: string, x: number) => {
    besides(f, f.y(i + 0.5), words);
    f.plot.append("circle").attr("class", "dot ink").attr("cx", f.x(x)).attr("cy", f.y(i + 0.5)).attr("r", 5);
    figure(i, share(x), "");
  };
  ends.forEach((x, i) => f.plot.append("path").attr("class", "leader").attr("d", `M${f.x(x)},${f.y(i + 0.5)}V${f.y(i + 1.5)}`));
  steps.forEach((s, i) => {
    const [from, to, y] = [f.x(ends[i]), f.x(ends[i + 1]), f.y(i + 1.5)];
    const tip = Math.sign(to - from) * Math.min(7, Math.abs(to - from));
    f.plot.append("path").attr("class", s.part < 0 ? "bar b" : "bar a").attr("d", `M${from},${y - 8}H${to - tip}L${to},${y}L${to - tip},${y + 8}H${from}Z`);
    besides(f, y, s.words, s.text === s.words ? "mute" : "");
    figure(i + 1, points(s.part), "low " + (s.part < 0 ? "b" : "a"));
  });
  end(0, "mean of all rows", w.base);
  end(lines - 1, "this row", w.share);
}
