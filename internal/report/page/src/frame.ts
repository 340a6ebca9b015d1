// A frame is a chart without its marks: two axes that leave room for their labels.
import { axisBottom, axisLeft } from "d3-axis";
import { scaleLinear, scaleLog } from "d3-scale";
import { select, type Selection } from "d3-selection";
import { longest, pieces, short } from "./text";

export type Group = Selection<SVGGElement, unknown, null, undefined>;

// A text, or what writes it with a name of at most so many letters.
export type Words = string | ((most: number) => string);

export interface Axis {
  domain: [number, number];
  label: Words;
  log?: boolean;
  ticks?: number;
  format?: (v: number) => string;
  at?: number[]; // where the ticks are, if not anywhere
}

export interface Frame {
  host: HTMLElement;
  plot: Group;
  x: (v: number) => number;
  y: (v: number) => number;
  width: number;
  height: number;
  margin: { left: number; right: number; top: number; bottom: number };
}

export interface Size {
  height: number;
  left?: number;
  right?: number;
  top?: number;
  bottom?: number;
}

// The largest width at which a chart is drawn, and that for paper, where two stand side by side; on smaller screens it is scaled.
const widest = 620;
const onPaper = 400;

let printing = false;

// paper has charts drawn for paper from now on, or for the screen again.
export function paper(on: boolean): void {
  printing = on;
}

// tall is the height of a chart of one panel, and lower that of one of several; it is less on paper, where a page has room for two lines of charts.
export const tall = (host: HTMLElement): number => Math.min(400, widthOf(host) * (printing ? 0.66 : 0.82));
export const lower = (height: number): number => (printing ? Math.round(height * 0.58) : height);

export function widthOf(host: HTMLElement): number {
  if (printing) return onPaper;
  return Math.max(280, Math.min(widest, Math.round(host.getBoundingClientRect().width) || widest));
}

// empty removes the chart that was there, and what belongs to it.
export function empty(host: HTMLElement): void {
  for (const old of Array.from(host.closest("figure")!.querySelectorAll(".canvas > :is(svg, .readout, .failed), .slide"))) old.remove();
}

// failed says that there is no chart, and shows its table in its place.
export function failed(host: HTMLElement): void {
  empty(host);
  select(host).append("p").attr("class", "failed").text("This chart could not be drawn.");
  const details = host.closest("figure")!.querySelector("details");
  if (details) details.open = true;
}

export function frame(host: HTMLElement, alt: string, size: Size, x: Axis, y: Axis): Frame {
  const full = widthOf(host);
  const margin = { left: size.left ?? 44, right: size.right ?? 14, top: size.top ?? 26, bottom: size.bottom ?? 42 };
  const width = full - margin.left - margin.right;
  const height = size.height - margin.top - margin.bottom;
  const svg = select(host)
    .append("svg")
    .attr("viewBox", `0 0 ${full} ${size.height}`)
    .attr("width", full)
    .attr("height", size.height)
    .attr("role", "img")
    .attr("aria-label", alt);
  const plot = svg.append("g").attr("transform", `translate(${margin.left},${margin.top})`) as unknown as Group;
  const sx = x.log ? scaleLog(x.domain, [0, width]) : scaleLinear(x.domain, [0, width]);
  const sy = y.log ? scaleLog(y.domain, [height, 0]) : scaleLinear(y.domain, [height, 0]);
  const ax = axisBottom<number>(sx as never).tickSizeOuter(0).tickPadding(6);
  const ay = axisLeft<number>(sy as never).tickSize(-width).tickPadding(8);
  ax.tickValues(x.at ?? (x.log ? decades(x.domain) : sx.ticks(x.ticks ?? Math.max(3, Math.min(7, width / 70)))));
  ay.tickValues(y.at ?? (y.log ? decades(y.domain) : sy.ticks(y.ticks ?? 5)));
  if (x.format) ax.tickFormat((v) => x.format!(v as number));
  if (y.format) ay.tickFormat((v) => y.format!(v as number));
  plot.append("g").attr("class", "axis x").attr("transform", `translate(0,${height})`).call(ax as never);
  plot.append("g").attr("class", "axis y").call(ay as never);
  plot.append("text").attr("class", "label").attr("x", width).attr("y", height + 36).attr("text-anchor", "end").call(fitted, x.label, full - margin.right);
  plot.append("text").attr("class", "label").attr("x", -margin.left + 2).attr("y", -12).call(fitted, y.label, full - 2);
  return { host, plot, x: sx as never, y: sy as never, width, height, margin };
}

// aired is the range of losses with room on both sides: what matters is where they are lowest, not how far they are from 0.
export function aired(losses: number[]): [number, number] {
  const [low, high] = [Math.min(...losses), Math.max(...losses)];
  const air = (high - low) * 0.1 || high * 0.1 || 1;
  return [low - air, high + air];
}

// decades are the round numbers of a logarithmic axis: powers of ten, and where these are few also 2 and 5 times them.
export function decades(domain: [number, number]): number[] {
  const lie = (steps: number[]) => {
    const out: number[] = [];
    for (let e = Math.floor(Math.log10(domain[0])); e <= Math.ceil(Math.log10(domain[1])); e++)
      for (const s of steps) {
        const v = +(s * Math.pow(10, e)).toPrecision(1);
        if (v >= domain[0] * 0.999 && v <= domain[1] * 1.001) out.push(v);
      }
    return out;
  };
  const tens = lie([1]);
  return tens.length >= 3 ? tens : lie([1, 2, 5]);
}

// A place of a chart that has something to say.
export interface Spot {
  x: number; // in the plot
  y: number;
  text: string;
}

// readout writes under a chart what the spot nearest to the pointer says.
export function readout(f: Frame, spots: Spot[], along = false): void {
  const line = select(f.host).append("p").attr("class", "readout");
  const mark = f.plot.append("circle").attr("class", "mark").attr("r", 5).attr("visibility", "hidden");
  const svg = f.host.querySelector("svg")!;
  const at = (event: PointerEvent) => {
    const box = svg.getBoundingClientRect();
    const origin = (f.plot.node() as SVGGElement).transform.baseVal.getItem(0).matrix;
    const scale = box.width / svg.viewBox.baseVal.width;
    const px = (event.clientX - box.left) / scale - origin.e;
    const py = (event.clientY - box.top) / scale - origin.f;
    let best: Spot | undefined;
    let least = Infinity;
    for (const s of spots) {
      const d = Math.abs(s.x - px) + (along ? 0 : Math.abs(s.y - py));
      if (d < least) [best, least] = [s, d];
    }
    if (!best) return;
    line.text(best.text);
    mark.attr("visibility", "visible").attr("cx", best.x).attr("cy", best.y);
  };
  svg.addEventListener("pointermove", at);
  svg.addEventListener("pointerdown", at);
  svg.addEventListener("pointerleave", () => mark.attr("visibility", "hidden"));
}

// broken writes a name that may be broken where its parts join.
function broken(cell: HTMLElement, name: string): void {
  for (const piece of pieces(name)) cell.append(piece, document.createElement("wbr"));
}

// table puts the figures behind a chart under it.
export function table(host: HTMLElement, head: string[], rows: (string | number)[][]): void {
  const figure = host.closest("figure")!;
  const title = "Table of " + (figure.querySelector("h3")?.textContent ?? "figures");
  let details = figure.querySelector("details");
  if (!details) {
    details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = "The figures as a table";
    const scroll = document.createElement("div");
    scroll.className = "scroll";
    scroll.tabIndex = 0;
    scroll.setAttribute("role", "region");
    scroll.setAttribute("aria-label", title);
    details.append(summary, scroll);
    figure.append(details);
  }
  const t = document.createElement("table");
  t.setAttribute("aria-label", title);
  const line = t.createTHead().insertRow();
  for (const h of head) {
    const th = document.createElement("th");
    th.scope = "col";
    broken(th, h);
    line.append(th);
  }
  const body = t.createTBody();
  for (const row of rows) {
    const tr = body.insertRow();
    row.forEach((cell, i) => {
      const td = document.createElement(i ? "td" : "th");
      if (!i) (td as HTMLTableCellElement).scope = "row";
      if (i) td.textContent = String(cell);
      else broken(td, String(cell));
      tr.append(td);
    });
  }
  details.querySelector(".scroll")!.replaceChildren(t);
}

// A place for a word: where it is anchored, and with which end.
export type Place = [x: number, y: number, anchor: "start" | "middle" | "end"];

interface Box {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

const meets = (a: Box, b: Box) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

// boxes are where the elements of a chart lie, in the units of its plot.
function boxes(f: Frame, selector: string): Box[] {
  const svg = f.plot.node()!.ownerSVGElement!;
  const to = (f.plot.node() as SVGGElement).getScreenCTM()!.inverse();
  return Array.from(svg.querySelectorAll(selector), (e) => {
    const r = e.getBoundingClientRect();
    const [a, b] = [new DOMPoint(r.left, r.top).matrixTransform(to), new DOMPoint(r.right, r.bottom).matrixTransform(to)];
    return { left: a.x, right: b.x, top: a.y, bottom: b.y };
  });
}

// courses are points along the lines of a plot that go anywhere, its lower axis among them, so close that no word lies between them.
function courses(f: Frame): Box[] {
  const axis = Array.from({ length: Math.ceil(f.width / 5) + 1 }, (_, i) => ({ left: 5 * i, right: 5 * i, top: f.height, bottom: f.height }));
  return axis.concat(Array.from(f.plot.node()!.querySelectorAll<SVGPathElement>(":is(.line:not(.contour), .rule, .arrow, .interval, .leader)[d]")).flatMap((line) => {
    const long = line.getTotalLength();
    return Array.from({ length: Math.ceil(long / 5) + 1 }, (_, i) => {
      const { x, y } = line.getPointAtLength(Math.min(5 * i, long));
      return { left: x, right: x, top: y, bottom: y };
    });
  }));
}

// titled has the full text show where the pointer rests on a shorter one.
function titled(text: SVGTextContentElement, shown: string, full: string): void {
  if (shown !== full) select(text).append("title").text(full);
}

// label writes a word, and a note to it, where they lie within the chart, but not beside the axis, and on no other word, and suit; of such places it takes the first
// of those that cover least of what is drawn, and no more than most. Where there is none, nothing is written. It tells whether it has written.
export function label(f: Frame, text: string, kind: string, places: Place[], note = "", most = Infinity, full = text, suits: (box: Box) => boolean = () => true): boolean {
  const t = f.plot.append("text").attr("class", "word " + kind).text(text);
  titled(t.node()!, text, full);
  if (note) t.append("tspan").attr("class", "note").text(note);
  const own = (t.node() as SVGTextElement).getBBox();
  t.remove();
  const chart = { left: -4, right: f.width + f.margin.right, top: -f.margin.top, bottom: f.height };
  const [words, marks, lines] = [boxes(f, "text"), boxes(f, ".dot, .head, .bar, .mark[visibility=visible]"), courses(f)];
  let best: Place | undefined;
  let least = most;
  for (const place of places) {
    const [x, y, anchor] = place;
    const left = x - own.width * { start: 0, middle: 0.5, end: 1 }[anchor];
    const box = { left: left - 1, right: left + own.width + 1, top: y + own.y, bottom: y + own.y + own.height };
    if (box.left < chart.left || box.right > chart.right || box.top < chart.top || box.bottom > chart.bottom || words.some((w) => meets(box, w)) || !suits(box)) continue;
    const near = { left: box.left - 2, right: box.right + 2, top: box.top, bottom: box.bottom };
    const covers = 9 * marks.filter((m) => meets(box, m)).length + lines.filter((p) => meets(near, p)).length;
    if (covers < least || (covers === least && !best)) [best, least] = [place, covers];
  }
  if (best) f.plot.append(() => t.node()).attr("x", best[0]).attr("y", best[1]).attr("text-anchor", best[2]);
  return best !== undefined;
}

// A point of the plot.
export interface Point {
  x: number;
  y: number;
}

export const distance = (a: Point, b: Point) => Math.hypot(a.x - b.x, a.y - b.y);

// nearest is the point of a box that is nearest to another point.
const nearest = (b: Box, to: Point): Point => ({ x: Math.max(b.left, Math.min(b.right, to.x)), y: Math.max(b.top, Math.min(b.bottom, to.y)) });

// off is how far a box is off a point.
const off = (b: Box, p: Point) => distance(nearest(b, p), p);

// nearer tells of a box that all other points are so many times as far off it.
export function nearer(own: Point, others: Point[], times = 1): (box: Box) => boolean {
  return (b) => others.every((o) => times * off(b, own) <= off(b, o));
}

// dotted names a dot that may have another beside it: the name stands nearer to its own, by more than the eye may miss, and covers nothing, or has a line to it.
export function dotted(f: Frame, text: string, own: Point, other?: Point): void {
  const beside = (most: number) => label(f, text, "", [10, 20].flatMap((by) => around(own.x, own.y, [1, 0], by)), "", most, text, (b) => !other || off(b, own) + 6 < off(b, other));
  if (!beside(0) && !led(f, text, "", own, other ? [other] : [])) beside(Infinity);
}

// led writes a word where there is room for it farther away, and a line from it to its point, which leads over no word and keeps off the other points. It tells
// whether it has written.
export function led(f: Frame, text: string, kind: string, own: Point, others: Point[], note = "", full = text, most = Infinity): boolean {
  const words = boxes(f, ".word");
  const free = (b: Box) => {
    const end = nearest(b, own);
    const steps = Array.from({ length: 11 }, (_, i) => ({ x: own.x + (i / 10) * (end.x - own.x), y: own.y + (i / 10) * (end.y - own.y) }));
    return steps.every((p) => others.every((o) => distance(p, o) >= Math.min(7, 0.6 * distance(own, o))) && words.every((w) => off(w, p) > 1));
  };
  const aside = (by: number): Place[] => [by + 4, 4 - by].flatMap((dy): Place[] => [[own.x + 6, own.y + dy, "end"], [own.x - 6, own.y + dy, "start"]]); // at the sides of the chart
  const places = [32, 44, 60, 80, 110].flatMap((by) => [...around(own.x, own.y, [1, 0], by), ...aside(by)]);
  if (!label(f, text, kind, places, note, most, full, free)) return false;
  const end = nearest(boxes(f, ".word").pop()!, own);
  f.plot.append("path").attr("class", "leader").attr("d", `M${end.x},${end.y}L${own.x},${own.y}`);
  return true;
}

// around are the places around a point, the first in the direction that is given.
export function around(x: number, y: number, [dx, dy]: [number, number], far = 10): Place[] {
  const ways: [number, number][] = [[dx, dy], [dy, -dx], [-dy, dx], [-dx, -dy], [0.7, 0.7], [0.7, -0.7], [-0.7, 0.7], [-0.7, -0.7], [0, 1], [0, -1], [1, 0], [-1, 0]];
  return ways.map(([ux, uy]) => [x + far * ux, y + (far + 4) * uy + 4, ux > 0.4 ? "start" : ux < -0.4 ? "end" : "middle"]);
}

// ends names lines at their right end, apart from each other.
export function ends(f: Frame, lines: { y: number; name: string; kind: string }[]): void {
  const at = lines.slice().sort((a, b) => a.y - b.y);
  const step = Math.min(14, (f.height + 14) / at.length);
  at.forEach((l, i) => (l.y = Math.max(l.y + 4, i ? at[i - 1].y + step : 0)));
  const over = Math.max(0, at[at.length - 1].y - f.height);
  for (const l of at) f.plot.append("text").attr("class", "word " + l.kind).attr("x", f.width + 6).attr("y", l.y - over).text(l.name);
}

// fitted writes a text, the name in it shortened until it takes no more than so many pixels.
export function fitted(to: Selection<SVGTextElement | SVGTSpanElement, unknown, null, undefined>, words: Words, most: number): void {
  const write = typeof words === "string" ? (n: number) => short(words, n) : words;
  const text = to.node()!;
  for (let n = longest; n > 1; n--) {
    text.textContent = write(n);
    if (text.getComputedTextLength() <= most) break;
  }
  titled(text, text.textContent!, write(Infinity));
}
