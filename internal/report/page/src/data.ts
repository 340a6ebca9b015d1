// The JSON of a report, as package report writes it; report.go says what the fields mean.

export interface Rule {
  recall: number | null;
  recall_interval: [number, number] | null;
  precision: number | null;
  precision_interval: [number, number] | null;
  specificity: number | null;
  false_positive_rate: number | null;
  negative_predictive_value: number | null;
  support: number;
  predicted: number;
}

export interface Bin {
  low: number;
  high: number;
  count: number;
  mean: number;
  share: number;
  from: number;
  to: number;
}

export interface Sweep {
  weights: number[];
  found: number[];
  named: number[];
  wrong: number[];
  loss: (number | null)[];
  votes?: number[];
  broken?: number[][];
  plateau: [number, number | null];
  trained: [number | null, number | null] | null;
}

export interface Votes {
  width: number;
  found: number[];
  missed: number[];
  alarms: number[];
  others: number[];
}

export interface Charts {
  votes: Votes;
  sweep: Sweep;
  reliability: Bin[];
  curve: Bin[];
  cuts: { prob: number[]; recall: number[]; false_positive: (number | null)[]; precision: number[] };
  benefit: { from: number[]; model: number[]; all: number[]; tuned: number | null; worth: number | null };
  share: number;
  says: Record<string, string>;
}

export interface Class {
  name: string;
  preference: { theta: number; x: number; y: number };
  alpha: number;
  beta: number;
  weight: number;
  few: boolean;
  plain: Rule;
  tuned: Rule;
  charts: Charts | null;
}

// A row, from the mean share of the votes to its own.
export interface Waterfall {
  base: number;
  share: number;
  cells: { column: string; value: string; part: number }[];
  others: number;
  columns: number;
}

export interface Parts {
  class: string;
  base: number;
  rows: number;
  columns: { name: string; mean: number; share: number; parts?: number[]; places?: number[] }[];
  examples: (Waterfall & { row: number; outcome: string })[];
}

export interface Report {
  measure: string;
  rule: string;
  used: string;
  required: string[];
  trees: number;
  unit: string;
  rows: number;
  money: number;
  take: { flag: string; classes: string[] };
  classes: Class[];
  first: number;
  folds: { repeat: number; fold: number; weights: Record<string, number> }[];
  search: { chain: number; temperature: number; loss: number; lowest: number }[];
  importance: { name: string; part: number }[];
  parts?: Parts;
}

// What is to be drawn: the report, and the class that was chosen.
export interface View {
  report: Report;
  shown: Class;
  charts: Charts;
}
