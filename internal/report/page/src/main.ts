// Draws the charts of a report from the JSON in its page, and draws them anew where the class or the width changes.
import { benefit } from "./benefit";
import type { Report, View } from "./data";
import { empty, failed, paper, widthOf } from "./frame";
import { folds, importance } from "./lists";
import { reached, summary, waterfall } from "./parts";
import { corp, moves, pr, reliability, roc } from "./shares";
import { whole } from "./text";
import { sweep } from "./sweep";
import { votes } from "./votes";

const charts: Record<string, (host: HTMLElement, alt: string, v: View) => void> = { votes, sweep, moves, reliability, curve: corp, roc, pr, benefit, folds, importance, summary, waterfall: example };

const report = JSON.parse(document.getElementById("data")!.textContent!) as Report;
let shown = report.first;
const rows = document.querySelector<HTMLSelectElement>("#example");

// example draws the row that is chosen, and says where it ends.
function example(host: HTMLElement, alt: string, v: View): void {
  const { class: name, examples } = v.report.parts!;
  const one = examples[Number(rows!.value)];
  const says = host.closest("figure")!.querySelector(".says")!;
  says.textContent = whole(reached(name, one));
  waterfall(host, `${alt}${rows!.selectedOptions[0].text}. ${says.textContent}`, name, one);
}

function draw(figure: HTMLElement): void {
  const shownClass = report.classes[shown];
  if (!shownClass || figure.closest("details:not([open])")) return; // what is folded away has no size, and is drawn when it gets one
  const view: View = { report, shown: shownClass, charts: shownClass.charts! }; // a page without them has no chart that needs them
  const name = figure.dataset.chart!;
  const host = figure.querySelector<HTMLElement>(".canvas")!;
  const text = shownClass.charts?.says[name];
  if (text) figure.querySelector(".says")!.textContent = whole(text);
  empty(host);
  host.dataset.width = String(widthOf(host));
  try {
    charts[name](host, `${figure.dataset.alt}. ${text ?? ""}`, view);
  } catch (fault) {
    // The others are drawn all the same.
    console.error(name, fault);
    failed(host);
  }
}

const figures = Array.from(document.querySelectorAll<HTMLElement>("figure.chart"));
figures.forEach(draw);
document.querySelector<HTMLElement>(".pointing")!.hidden = false;

const chooser = document.querySelector<HTMLElement>(".chooser");
if (chooser) {
  chooser.hidden = false;
  const select = chooser.querySelector("select")!;
  shown = Number(select.value);
  select.addEventListener("change", () => {
    shown = Number(select.value);
    figures.forEach(draw);
  });
  if (shown !== report.first) figures.forEach(draw);
}

if (rows) {
  rows.closest<HTMLElement>(".which")!.hidden = false;
  rows.addEventListener("change", () => draw(rows.closest<HTMLElement>("figure")!));
}

// What was folded away may be of another class.
addEventListener("toggle", ({ target }) => (target as HTMLElement).classList.contains("folded") && (target as HTMLElement).querySelectorAll<HTMLElement>("figure.chart").forEach(draw), true);

// The slider moves by another unit.
addEventListener("unit", ({ target }) => draw((target as HTMLElement).closest<HTMLElement>("figure")!));

// For paper all is drawn anew, so that words can be read there.
for (const [event, on] of [["beforeprint", true], ["afterprint", false]] as const)
  addEventListener(event, () => {
    paper(on);
    figures.forEach(draw);
  });

const watch = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const host = target as HTMLElement;
    if (host.dataset.width !== String(widthOf(host)) && !matchMedia("print").matches) draw(host.closest<HTMLElement>("figure")!);
  }
});
for (const figure of figures) watch.observe(figure.querySelector(".canvas")!);
