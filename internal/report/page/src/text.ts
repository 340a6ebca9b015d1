// How figures are written.

export function digits(x: number | null, n = 3): string {
  if (x === null || !isFinite(x)) return "n/a";
  if (x !== 0 && Math.abs(x) < 0.001) return x.toExponential(1);
  if (Math.abs(x) >= 1e6) return x.toPrecision(4);
  return Math.abs(x) >= 1000 ? x.toFixed(0) : String(+x.toPrecision(n));
}

// percent writes a share as the texts of the report do (english.Percent in Go): nothing looks like none or all that is not.
export function percent(x: number | null): string {
  if (x === null || !isFinite(x)) return "n/a";
  if (x === 0 || x === 1) return `${100 * x}\u00a0%`;
  const least = 100 * Math.min(x, 1 - x) * (1 + 1e-9);
  for (let n = x < 0.1 ? 1 : 0; n <= 3; n++) if (least >= Math.pow(10, -n)) return (100 * x).toFixed(n) + "\u00a0%";
  return (x < 0.5 ? "< 0.001" : "> 99.999") + "\u00a0%";
}

// points writes a part of the votes in points of their percentage, with its sign.
export function points(part: number, n = 1): string {
  const text = (100 * Math.abs(part)).toFixed(n);
  return Number(text) === 0 ? text : (part < 0 ? "\u2212" : "+") + text;
}

export function count(n: number): string {
  return Number.isInteger(n) ? String(n) : n.toFixed(1);
}

// several has a noun agree with its number.
export function several(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? "" : "s"}`;
}

// few writes a number of rows in four characters, of which so many are digits.
export function few(n: number, most = 4): string {
  if (n < Math.pow(10, most)) return String(Math.round(n));
  return n < 1e6 ? `${n < 9950 ? digits(n / 1000, 2) : Math.round(n / 1000)}k` : `${digits(n / 1e6, 2)}M`;
}

// shortened are the first and the last of the letters around the sign of what is left out, so many in all.
function shortened(letters: string[], most: number): string {
  const tail = Math.floor((most - 1) / 2);
  return [...letters.slice(0, most - 1 - tail), "…", ...letters.slice(letters.length - tail)].join("");
}

// The most letters of a name; in a drawing it may have room for less.
export const longest = 60;

// short is a name, cut in its middle if it is longer.
export function short(name: string, most = longest): string {
  const letters = Array.from(name);
  return letters.length > most ? shortened(letters, most) : name;
}

// quoted keeps the direction of a name from changing that of the sentence (first strong isolate).
export function quoted(name: string, most = longest): string {
  return '"\u2068' + short(name, most) + '\u2069"';
}

// pieces are the parts of a name that may stand on lines of their own, as in the tables that are there from the start.
export function pieces(name: string): string[] {
  return name.match(/(?:[^_./-]|[.-]+[0-9])+[_./-]*|[_./-]+/g) ?? [];
}

// whole keeps numbers and their percent signs on one line, and ranges of numbers, and names of scripts that run from right to left from turning what follows
// them; the page does the same to what it says from the start.
export function whole(text: string): string {
  return text.replaceAll(" %", "\u00a0%").replace(/(\d)–(?=\d)/g, "$1\u2060–\u2060").replace(/"([^"]*[\u0590-\u08ff][^"]*)"/g, '"\u2068$1\u2069"');
}
