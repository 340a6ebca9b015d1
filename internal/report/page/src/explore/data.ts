// The JSON of the page and of its answers, as package explore writes it.
import type { Waterfall } from "../data";

export interface Column {
  name: string;
  levels?: string[];
}

export interface Figures {
  recall: number | null;
  recall_interval: [number, number] | null;
  precision: number | null;
  precision_interval: [number, number] | null;
}

export interface Data {
  name: string;
  classes: string[];
  rows: number[];
  first: number;
  amounts: boolean;
  table: boolean;
  columns: Column[] | null;
  count: number;
  start: string;
  saves: boolean;
  nested: { confusion: number[][]; figures: Figures[] } | null;
  trained: boolean;
}

export interface Point {
  weight: number;
  found: number;
  named: number;
}

export interface Answer {
  measure: string;
  loss: number;
  preferences: Record<string, { theta: number; x: number; y: number }>;
  classes: { class: string; weight: number; plateau: [number, number | null]; cutoff: number }[];
  confusion: number[][];
  figures: Figures[];
  costs?: { tuned: number; plain: number };
  curve?: Point[];
  line: string;
  expected?: { loss: number; classes?: (Figures & { class: string; false_positive_rate: number | null })[] };
  rough?: boolean;
  words: string[];
  warnings: string[];
}

export interface Part extends Figures {
  name: string;
  rows: number;
  support: number;
  named: number;
}

export interface Decided {
  row: number;
  truth: string;
  decision: string;
  probabilities: number[];
  votes: number[];
  cells: { name: string; value: string; was: string }[];
  reasons: { column: string; value: string; votes: number }[];
  parts: Waterfall | null;
  warnings: string[];
}

export const data = JSON.parse(document.getElementById("data")!.textContent!) as Data;
export const total = data.rows.reduce((a, b) => a + b, 0);

// ask gets an answer from where the page comes from, or throws what is wrong.
export async function ask<T>(what: string, signal?: AbortSignal, body?: unknown): Promise<T> {
  const got = await fetch(what, { signal, method: body === undefined ? "GET" : "POST", body: body === undefined ? undefined : JSON.stringify(body) });
  const answer = await got.json();
  if (!got.ok) throw new Error(answer.error);
  return answer as T;
}

// el makes an element with attributes and what is in it.
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string | number | boolean> = {}, ...inside: (Node | string)[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== false) e.setAttribute(key, value === true ? "" : String(value));
  e.append(...inside);
  return e;
}

export const named = (id: string): HTMLElement => document.getElementById(id)!;
