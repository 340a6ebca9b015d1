// The controls: for each class what is wanted of it, and limits of the class that is shown.
import { short } from "../text";
import { Answer, data, el, named } from "./data";
import { limitKey, Mode, State } from "./state";

type Changed = (what?: "mode" | "class") => void;

const modes: [Mode, string][] = [["prefer", "What matters"], ["cost", "What errors cost"], ["measure", "A measure"], ["weight", "The weights themselves"]];
const measures = ["accuracy", "balanced", "f1", "gmean", "mcc", "kappa"];
const digits = (x: number): string => String(+x.toPrecision(4));

// The rarest first.
const order = data.classes.map((_, c) => c).sort((a, b) => data.rows[a] - data.rows[b]);

export function modeControls(s: State, last: () => Answer | undefined, changed: Changed): void {
  named("mode").replaceChildren(
    ...modes.map(([mode, text]) => {
      const input = el("input", { type: "radio", name: "mode", value: mode, checked: s.mode === mode });
      input.addEventListener("change", () => {
        s.mode = mode;
        if (mode !== "weight") s.base = mode;
        begin(s, last());
        changed("mode");
      });
      return el("label", {}, input, " " + text);
    }),
  );
}

// begin gives a way of asking its first values, if it has none.
function begin(s: State, last?: Answer): void {
  if (s.mode === "prefer" && !s.prefer.size) s.prefer.set(data.classes[data.first], "");
  if (s.mode === "measure" && !measures.includes(s.measure)) s.measure = "mcc";
  if (s.mode === "prefer" && !s.measure.startsWith("pragma")) s.measure = "";
  if (s.mode === "cost" && !s.costs.size && !data.table) for (const c of order) s.costs.set(data.classes[c], c === order[order.length - 1] ? "1" : "10");
  if (s.mode === "cost" && !s.costs.size) s.measure = "cost";
  if (s.mode === "weight" && last) for (const c of last.classes) s.weights.set(c.class, digits(c.weight));
}

// number makes an input for a number, and a slider for the same on a logarithmic scale where it has ends.
function number(label: string, value: string, set: (text: string) => void, ends?: [number, number]): HTMLElement[] {
  const input = el("input", { type: "number", min: 0, step: "any", value, "aria-label": label });
  input.addEventListener("input", () => input.value !== "" && input.validity.valid && set(input.value));
  if (!ends) return [input];
  const [low, high] = ends.map(Math.log10);
  const slider = el("input", { type: "range", min: low, max: high, step: 0.01, "aria-label": label });
  const follow = () => {
    slider.value = String(Math.log10(Math.max(Number(input.value), ends[0])));
    slider.setAttribute("aria-valuetext", input.value);
  };
  follow();
  slider.addEventListener("input", () => {
    input.value = digits(Math.pow(10, Number(slider.value)));
    slider.setAttribute("aria-valuetext", input.value);
    set(input.value);
  });
  input.addEventListener("input", follow);
  return [input, slider];
}

const numbersOf = (text: string): Record<string, number> =>
  Object.fromEntries(text.split(",").map((part) => part.split("=")).map(([key, v]) => [key.trim(), v?.endsWith("%") ? Number(v.slice(0, -1)) / 100 : Number(v)]));

function preferControl(s: State, name: string, last: Answer | undefined, changed: Changed): HTMLElement {
  const on = s.prefer.has(name);
  const typed = s.prefer.get(name) ?? "";
  const now = last?.preferences[name];
  const use = typed.includes("theta") ? (numbersOf(typed) as { theta: number; x: number; y: number }) : now ?? { theta: on ? 10 : 1, x: on ? 0.1 : 0.8, y: on ? 0.6 : 0.8 };
  const set = (key: "theta" | "x" | "y", v: number) => {
    use[key] = v;
    s.prefer.set(name, `theta=${digits(use.theta)},x=${digits(use.x)},y=${digits(use.y)}`);
    box.checked = true;
    changed();
  };
  const box = el("input", { type: "checkbox", checked: on });
  box.addEventListener("change", () => {
    if (box.checked) s.prefer.set(name, "");
    else s.prefer.delete(name);
    if (!s.prefer.size) s.prefer.set("*", "theta=1,x=0.8,y=0.8");
    else if (s.prefer.size > 1 && s.prefer.get("*") === "theta=1,x=0.8,y=0.8") s.prefer.delete("*");
    changed("mode");
  });
  const share = (text: string, key: "x" | "y") => {
    const input = el("input", { type: "number", min: 0, max: 99, step: "any", value: digits(100 * use[key]) });
    input.addEventListener("input", () => input.value !== "" && input.validity.valid && set(key, Number(input.value) / 100));
    return el("label", { class: "limit" }, el("span", {}, text), input, el("span", {}, "%"));
  };
  const [input, slider] = number(`Importance of ${name}`, digits(use.theta), (v) => set("theta", Number(v)), [0.1, 100]);
  const more = el("details", { class: "wide" }, el("summary", {}, "How much"), share("To find all, it is enough that of the alarms are right", "x"), share("Without a false alarm, it is enough to find", "y"));
  more.open = opened.has(name);
  more.addEventListener("toggle", () => void (more.open ? opened.add(name) : opened.delete(name)));
  return el("div", { class: "cls" }, el("label", {}, box, ` find ${short(name)}`), input, slider, more);
}

const opened = new Set<string>();

function costControl(s: State, name: string, changed: Changed): HTMLElement {
  const by = s.costs.get(name) ?? "1";
  const input = el("input", { type: "number", min: 0, step: "any", value: by.endsWith("amount") ? "" : by, disabled: by.endsWith("amount"), "aria-label": `Cost of an error on ${name}` });
  const set = (v: string) => {
    for (const other of data.classes) if (!s.costs.has(other)) s.costs.set(other, "1");
    s.costs.set(name, v);
    changed();
  };
  input.addEventListener("input", () => input.value !== "" && input.validity.valid && set(input.value));
  const line = el("div", { class: "cls" }, el("span", { class: "named" }, `an error on ${short(name)} costs`), input);
  if (data.amounts) {
    const box = el("input", { type: "checkbox", checked: by.endsWith("amount") });
    box.addEventListener("change", () => {
      set(box.checked ? "amount" : "1");
      changed("mode");
    });
    line.append(el("label", { class: "wide" }, box, " its amount"));
  }
  return line;
}

// classControls draws what is asked of each class.
export function classControls(s: State, last: Answer | undefined, changed: Changed): void {
  const each = named("each");
  if (s.mode === "measure") {
    const select = el("select", { "aria-label": "Measure" }, ...Array.from(new Set([s.measure, ...measures]), (m) => el("option", { value: m, selected: m === s.measure }, m)));
    select.addEventListener("change", () => {
      s.measure = select.value;
      changed();
    });
    each.replaceChildren(select);
    return;
  }
  if (s.mode === "cost" && s.measure === "cost" && !s.costs.size) {
    each.replaceChildren(el("p", { class: "note" }, "The table of costs that the command was given."));
    return;
  }
  const scroll = each.scrollTop;
  each.replaceChildren(
    ...[s.shown, ...order.filter((c) => c !== s.shown)].map((c) => {
      const name = data.classes[c];
      if (s.mode === "prefer") return preferControl(s, name, last, changed);
      if (s.mode === "cost") return costControl(s, name, changed);
      const now = last?.classes[c];
      const set = (v: string) => Number(v) > 0 && (s.weights.set(name, v), changed());
      const [input, slider] = number(`Weight of ${name}`, s.weights.get(name) ?? "1", set, [0.01, 1000]);
      const note = now && s.weights.get(name) === digits(now.weight) ? `${digits(now.plateau[0])} to ${now.plateau[1] === null ? "any" : digits(now.plateau[1])} decide alike` : "";
      return el("div", { class: "cls" }, el("span", { class: "named" }, short(name)), input, slider, el("p", { class: "note wide" }, note));
    }),
  );
  each.scrollTop = scroll;
}

// limitControls draws what must hold of the class that is shown.
export function limitControls(s: State, changed: Changed): void {
  const name = data.classes[s.shown];
  const lines = ([["alerts<=", "Alarms, at most", "per 1,000", "/1000", 1000], ["recall>=", "Found, at least", "%", "%", 100], ["precision>=", "Alarms right, at least", "%", "%", 100]] as const).map(([figure, text, unit, suffix, scale]) => {
    const key = limitKey(name, figure);
    const had = s.limits.get(key);
    const share = had === undefined ? undefined : had.includes("/") ? Number(had.split("/")[0]) / Number(had.split("/")[1]) : had.endsWith("%") ? Number(had.slice(0, -1)) / 100 : Number(had);
    const input = el("input", { type: "number", min: 0, max: scale, step: "any", value: share === undefined ? "" : digits(scale * share), placeholder: "no limit", "data-limit": figure });
    input.addEventListener("input", () => {
      if (!input.validity.valid) return;
      if (input.value === "") s.limits.delete(key);
      else s.limits.set(key, input.value + suffix);
      changed();
    });
    return el("label", { class: "limit" }, el("span", {}, text), input, el("span", {}, unit));
  });
  const others = Array.from(s.limits).filter(([key]) => !key.startsWith(limitKey(name, "")));
  const box = named("limits");
  box.replaceChildren(el("legend", {}, `Before all, of ${short(name)}`));
  if (data.classes.length > 2) {
    const select = el("select", { id: "class", "aria-label": "Class shown" }, ...order.map((c) => el("option", { value: c, selected: c === s.shown }, short(data.classes[c]))));
    select.addEventListener("change", () => {
      s.shown = Number(select.value);
      changed("class");
    });
    box.append(select);
  }
  box.append(...lines);
  for (const [key, limit] of others) {
    const remove = el("button", { type: "button", "aria-label": `Drop ${key}${limit}` }, "×");
    remove.addEventListener("click", () => {
      s.limits.delete(key);
      changed("mode");
    });
    box.append(el("p", { class: "line" }, `${key}${limit} `, remove));
  }
}
