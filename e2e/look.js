// What is wrong with the page as it is drawn: an array of sentences.
(() => {
  const faults = [];
  const name = (e) => (e.textContent || e.tagName).slice(0, 40);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) faults.push(`the page is ${wide} px wider than the window`);
  const meets = (a, b, by) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  for (const figure of document.querySelectorAll("figure.chart")) {
    const chart = figure.dataset.chart;
    const svgs = figure.querySelectorAll("svg");
    if (!svgs.length) faults.push(`${chart}: there is no chart`);
    const marks = figure.querySelectorAll("svg .line, svg .bar, svg .dot, svg .head");
    if (!marks.length) faults.push(`${chart}: the chart has no marks`);
    for (const path of figure.querySelectorAll("svg [d]")) if (/NaN|undefined|Infinity/.test(path.getAttribute("d"))) faults.push(`${chart}: a path goes nowhere`);
    for (const slider of figure.querySelectorAll("input")) {
      const [own, whole] = [slider, svgs[0]].map((e) => e.getBoundingClientRect());
      if (own.left < whole.left - 1 || own.right > whole.right + 1) faults.push(`${chart}: the slider is wider than the chart`);
    }
    for (const svg of svgs) {
      const whole = svg.getBoundingClientRect();
      if (!svg.getAttribute("aria-label")) faults.push(`${chart}: the chart has no words for those who cannot see it`);
      const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim());
      if (chart === "sweep" && svg === svgs[0] && !texts.some((t) => t.textContent.startsWith("tuned"))) faults.push("the weight in use has no name");
      for (const t of texts) if (t.textContent.includes("…") && !t.querySelector("title")) faults.push(`${chart}: "${name(t)}" is cut, and nothing has the whole of it`);
      const ticks = [...svg.querySelectorAll(".axis.y .tick text")].map((t) => t.textContent);
      if (new Set(ticks).size < ticks.length) faults.push(`${chart}: ticks look the same: ${ticks.join(", ")}`);
      const boxes = texts.map((t) => t.getBoundingClientRect());
      texts.forEach((t, i) => {
        if (boxes[i].left < whole.left - 1 || boxes[i].right > whole.right + 1 || boxes[i].top < whole.top - 1 || boxes[i].bottom > whole.bottom + 1) faults.push(`${chart}: "${name(t)}" does not fit into its chart`);
        for (let j = 0; j < i; j++) if (meets(boxes[i], boxes[j], 2)) faults.push(`${chart}: "${name(t)}" covers "${name(texts[j])}"`);
      });
    }
  }
  for (const scroll of document.querySelectorAll("[aria-label=Preferences]"))
    if (scroll.scrollWidth > scroll.clientWidth + 1) faults.push("a column of the preferences is hidden");
  const range = document.createRange();
  for (const cell of document.querySelectorAll("td")) {
    if (!/^[\d.−-]+( %)?$/.test(cell.textContent.replace(/\u00a0/g, " "))) continue;
    range.selectNodeContents(cell);
    if (range.getClientRects().length > 1) faults.push(`the figure ${cell.textContent} is broken`);
  }
  const room = document.querySelector("main").clientWidth;
  for (const table of document.querySelectorAll("section > .scroll, .matrix .scroll"))
    if (table.scrollWidth > table.clientWidth + 1 && table.scrollWidth <= room) faults.push(`${table.getAttribute("aria-label")}: columns are hidden although there is room for them`);
  for (const image of document.images) if (!image.complete || !image.naturalWidth) faults.push("a picture is missing");
  return faults;
})()
