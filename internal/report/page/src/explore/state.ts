// What the page is set to. Its address holds all of it, as the query that the answers take too.
import { data } from "./data";

export type Mode = "prefer" | "cost" | "weight" | "measure";

export interface State {
  mode: Mode;
  base: Mode; // by what weights are judged that are set by hand
  prefer: Map<string, string>; // numbers of a class, "" for those that follow from its share
  costs: Map<string, string>;
  weights: Map<string, string>;
  measure: string;
  limits: Map<string, string>; // by class, figure and sign, such as ill:alerts<=
  shown: number; // index of the class that is shown
  day: number; // rows a day; 0 for none
  pins: string[]; // queries of settings
}

const plain = /^[^":;,=\s]+(?: +[^":;,=\s]+)*$/;

// quoted writes a name as preferences and limits have it, and parsed takes it off the begin of a text.
const quoted = (name: string): string => (plain.test(name) ? name : JSON.stringify(name));

function parsed(text: string): [name: string, rest: string] {
  const written = text.match(/^"(?:[^"\\]|\\.)*"/)?.[0];
  if (written) return [JSON.parse(written), text.slice(written.length)];
  const at = text.indexOf(":");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at)];
}

export const limitKey = (name: string, figure: string): string => `${quoted(name)}:${figure}`;

export function read(query: string): State {
  const q = new URLSearchParams(query);
  const s: State = { mode: "prefer", base: "prefer", prefer: new Map(), costs: new Map(), weights: new Map(), measure: q.get("measure") ?? "", limits: new Map(), shown: data.first, day: Number(q.get("day")) || 0, pins: q.getAll("pin") };
  for (const text of q.getAll("prefer")) {
    const [name, rest] = parsed(text);
    s.prefer.set(name, rest.slice(1));
  }
  for (const [key, to] of [["cost", s.costs], ["weight", s.weights]] as const)
    for (const text of q.getAll(key)) {
      const at = text.lastIndexOf("=");
      to.set(text.slice(0, at), text.slice(at + 1));
    }
  for (const text of q.getAll("require")) {
    const at = Math.max(text.lastIndexOf("<="), text.lastIndexOf(">=")) + 2;
    s.limits.set(text.slice(0, at), text.slice(at));
  }
  const shown = data.classes.indexOf(q.get("class") ?? "");
  if (shown >= 0) s.shown = shown;
  s.base = s.costs.size || s.measure === "cost" ? "cost" : s.measure && !ofPreference(s) ? "measure" : "prefer";
  s.mode = s.weights.size ? "weight" : s.base;
  return s;
}

// ofPreference tells whether the measure is one that is made of preferences.
const ofPreference = (s: State): boolean => s.measure.startsWith("pragma");

// setting is the query of what is asked for: the same for the page and for what it is asked.
export function setting(s: State): URLSearchParams {
  const q = new URLSearchParams();
  const by = s.mode === "weight" ? s.base : s.mode;
  if (by === "cost" && s.costs.size) for (const [name, cost] of s.costs) q.append("cost", `${name}=${cost}`);
  else if (by === "cost") q.append("measure", "cost");
  else if (by === "measure" || ofPreference(s)) q.append("measure", s.measure);
  if (by === "prefer") for (const [name, numbers] of s.prefer) q.append("prefer", quoted(name) + (numbers ? `:${numbers}` : ""));
  for (const [what, limit] of s.limits) q.append("require", what + limit);
  if (s.mode === "weight") for (const [name, weight] of s.weights) q.append("weight", `${name}=${weight}`);
  return q;
}

// keep writes the state into the address.
export function keep(s: State): void {
  const q = setting(s);
  if (s.shown !== data.first) q.append("class", data.classes[s.shown]);
  if (s.day) q.append("day", String(s.day));
  for (const pin of s.pins) q.append("pin", pin);
  history.replaceState(null, "", `?${q}`);
}

// words say what a setting asks for, as short as can be.
export function words(query: string): string {
  const s = read(query);
  const several = data.classes.length > 2;
  const parts: string[] = [];
  const few = (all: string[]) => (all.length > 3 ? `${all.slice(0, 2).join(", ")} and ${all.length - 2} more` : all.join(", "));
  if (s.mode === "weight") parts.push("weights " + few(Array.from(s.weights, ([name, w]) => `${name} ${+Number(w).toPrecision(3)}`)));
  else if (s.mode === "cost") parts.push("costs " + few(Array.from(s.costs, ([name, c]) => `${name} ${c}`)));
  else if (s.mode === "measure") parts.push(s.measure);
  else if (s.prefer.size) parts.push("find " + few(Array.from(s.prefer, ([name, numbers]) => (numbers ? `${name} (${numbers.replaceAll(",", ", ")})` : name))));
  for (const [what, limit] of s.limits) {
    const [name, rest] = parsed(what);
    const figure = { "recall>=": "found at least ", "precision>=": "right at least ", "alerts<=": "alarms at most ", "fpr<=": "false alarms at most " }[rest.slice(1)] ?? rest;
    parts.push((several ? `${name} ` : "") + figure + limit.replace("/", " in ").replace("%", "\u00a0%"));
  }
  return parts.join("; ") || "as few errors as possible";
}
