// What is wrong with the page as it is drawn: an array of sentences.
(() => {
  const faults = [];
  const name = (e) => (e.textContent || e.tagName).slice(0, 40);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) faults.push(`the page is ${wide} px wider than the window`);
  if (document.querySelectorAll(".pointing:not([hidden])").length !== 1 || [...document.querySelectorAll(".readout")].some((p) => p.textContent)) faults.push("how a chart is read is not said once");
  const meets = (a, b, by) => a.left < b.right - by && b.left < a.right - by && a.top < b.bottom - by && b.top < a.bottom - by;
  for (const figure of document.querySelectorAll("figure.chart:not(details:not([open]) *)")) {
    const chart = figure.dataset.chart;
    const svgs = figure.querySelectorAll("svg");
    if (!svgs.length) faults.push(`${chart}: there is no chart`);
    const marks = figure.querySelectorAll("svg .line, svg .bar, svg .dot, svg .head");
    if (!marks.length) faults.push(`${chart}: the chart has no marks`);
    for (const path of figure.querySelectorAll("svg path")) if (/^$|NaN|undefined|Infinity/.test(path.getAttribute("d") ?? "")) faults.push(`${chart}: the path "${path.getAttribute("class")}" goes nowhere`);
    for (const mark of figure.querySelectorAll("svg *")) for (const { name, value } of mark.attributes) if (/^(c?[xy]|r|width|height|transform)$/.test(name) && /NaN|Infinity/.test(value)) faults.push(`${chart}: ${mark.tagName} has ${name} ${value}`);
    for (const slider of figure.querySelectorAll("input")) {
      const [own, whole] = [slider, svgs[0]].map((e) => e.getBoundingClientRect());
      if (own.left < whole.left - 1 || own.right > whole.right + 1) faults.push(`${chart}: the slider is wider than the chart`);
    }
    for (const svg of svgs) {
      const whole = svg.getBoundingClientRect();
      if (!svg.getAttribute("aria-label")) faults.push(`${chart}: the chart has no words for those who cannot see it`);
      const texts = [...svg.querySelectorAll("text")].filter((t) => t.textContent.trim());
      if (chart === "sweep" && svg === svgs[0] && !texts.some((t) => /^(tuned|given|middle of the folds|latest block)/.test(t.textContent))) faults.push("the weight in use has no name");
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
  // Numbers of rows that stand in a line are apart.
  const counts = [...document.querySelectorAll("#chart-reliability .word.faint")].filter((t) => /^\d/.test(t.textContent));
  counts.forEach((t, i) => {
    if (i && t.getBoundingClientRect().left < counts[i - 1].getBoundingClientRect().right + 2) faults.push(`reliability: "${name(counts[i - 1])}" touches "${name(t)}"`);
  });
  // Of few classes no arrow runs through the name of one.
  const arrows = [...document.querySelectorAll("#chart-moves .arrow")];
  if (arrows.length <= 4)
    for (const word of document.querySelectorAll("#chart-moves .word:not(.faint)")) {
      const box = word.getBoundingClientRect();
      const through = arrows.some((a) => {
        const long = a.getTotalLength();
        return Array.from({ length: Math.ceil(long / 2) + 1 }, (_, i) => a.getPointAtLength(Math.min(2 * i, long)).matrixTransform(a.getScreenCTM())).some(({ x, y }) => x > box.left + 2 && x < box.right - 2 && y > box.top + 2 && y < box.bottom - 2);
      });
      if (through) faults.push(`moves: an arrow runs through "${name(word)}"`);
    }
  // The name of an arrow says what its number is of.
  for (const word of document.querySelectorAll("#chart-moves .word:not(.faint)"))
    if (/, [\d.]+[kM]?$/.test(word.textContent)) faults.push(`moves: the number of "${name(word)}" is of nothing`);
  // Of few classes every arrow has one, perhaps with another that nearly coincides.
  const { classes } = JSON.parse(document.getElementById("data").textContent);
  const written = [...document.querySelectorAll("#chart-moves .word:not(.faint)")].map((t) => t.textContent);
  if (classes.length <= 8)
    for (const c of classes)
      if (c.plain.recall !== null && !written.some((t) => t.includes(c.name.slice(0, 4)))) faults.push(`moves: the arrow of "${c.name}" has no name: ${written.join(" | ")}`);
  // A name is nearer to an arrow of its colour than to one of the other, or a line leads from it.
  if (classes.length <= 8)
    for (const [kind, own, other] of [["a", "strong", "weak"], ["b", "weak", "strong"]])
      for (const word of document.querySelectorAll(`#chart-moves .word.${kind}`)) {
        const [a, b] = [own, other].map((of) => Math.min(...[...document.querySelectorAll(`#chart-moves :is(.head, .hollow).${of}`)].map((e) => {
          const [w, m] = [word, e].map((one) => one.getBoundingClientRect());
          return Math.hypot(Math.max(w.left - m.right, m.left - w.right, 0), Math.max(w.top - m.bottom, m.top - w.bottom, 0));
        })));
        if (b < a && !document.querySelector("#chart-moves .leader")) faults.push(`moves: "${name(word)}" stands by an arrow of another colour`);
      }
  // No axis runs through the name of one.
  const foot = document.querySelector("#chart-moves .axis.x .domain").getBoundingClientRect().top;
  for (const word of document.querySelectorAll("#chart-moves .word")) {
    const box = word.getBoundingClientRect();
    if (box.top + 2 < foot && foot < box.bottom - 2) faults.push(`moves: the axis runs through "${name(word)}"`);
  }
  // Dashed lines are of few rows; what they end in is whole.
  for (const mark of document.querySelectorAll("#chart-moves .few:not(.arrow)"))
    if (getComputedStyle(mark).strokeDasharray !== "none") faults.push("moves: the end of an arrow is dashed");
  // The axis of the loss begins a little below the least loss.
  const loss = document.querySelectorAll("#chart-sweep svg")[1];
  const [line, axis] = [".line.ink", ".axis.y path"].map((of) => loss.querySelector(of).getBoundingClientRect());
  const below = (axis.bottom - line.bottom) / axis.height;
  if (below < 0.04 || below > 0.2) faults.push(`sweep: the least loss stands at ${below} of the height of its axis`);
  // Each rule's name stands nearest to its own dot, or a line leads from it.
  for (const svg of document.querySelectorAll("#chart-roc svg, #chart-pr svg")) {
    const middle = (e) => { const r = e.getBoundingClientRect(); return [(r.left + r.right) / 2, (r.top + r.bottom) / 2]; };
    const off = (e, [x, y]) => { const r = e.getBoundingClientRect(); return Math.hypot(Math.max(r.left - x, 0, x - r.right), Math.max(r.top - y, 0, y - r.bottom)); };
    const leaders = [...svg.querySelectorAll(".leader")].map((l) => [0, l.getTotalLength()].map((at) => { const { x, y } = l.getPointAtLength(at).matrixTransform(l.getScreenCTM()); return [x, y]; }));
    const dots = { plain: svg.querySelector(".dot.ink.hollow"), tuned: svg.querySelector(".dot.ink:not(.hollow)") };
    const texts = [...svg.querySelectorAll(".word")];
    if (texts.some((t) => t.textContent === "tuned, as plain")) continue;
    for (const [rule, other] of [["plain", "tuned"], ["tuned", "plain"]]) {
      if (!dots[rule]) continue;
      const [chart, text, own] = [svg.closest("figure").dataset.chart, texts.find((t) => t.textContent === rule), middle(dots[rule])];
      const touch = dots[other] && Math.hypot(...middle(dots[other]).map((at, i) => at - own[i])) < 11; // which leaves no room for two names at each place
      if (!text && !touch) faults.push(`${chart}: the dot "${rule}" has no name`);
      if (!text) continue;
      if (dots[other] && off(text, own) >= off(text, middle(dots[other])) && !leaders.some(([from, to]) => off(text, from) < 2 && Math.hypot(to[0] - own[0], to[1] - own[1]) < 2)) faults.push(`${chart}: "${rule}" stands nearer to "${other}"`);
    }
  }
  // Tables show all of their columns, but for matrices of many classes.
  for (const scroll of document.querySelectorAll("[aria-label=Preferences], .table .scroll"))
    if (scroll.scrollWidth > scroll.clientWidth + 1) faults.push(`${scroll.getAttribute("aria-label")}: ${scroll.scrollWidth - scroll.clientWidth} px are hidden`);
  const range = document.createRange();
  for (const figure of document.querySelectorAll(".key dd:not(.was)")) {
    range.selectNodeContents(figure);
    if (range.getClientRects().length > 1 || range.getBoundingClientRect().right > figure.closest(".key").getBoundingClientRect().right + 1) faults.push(`the figure ${figure.textContent} is broken, or has no room`);
  }
  for (const cell of document.querySelectorAll("td")) {
    if (!/^[\d.−-]+( %)?$/.test(cell.textContent.replace(/\u00a0/g, " "))) continue;
    range.selectNodeContents(cell);
    if (range.getClientRects().length > 1) faults.push(`the figure ${cell.textContent} is broken`);
  }
  const room = document.querySelector("main").clientWidth;
  for (const table of document.querySelectorAll(".matrix .scroll"))
    if (table.scrollWidth > table.clientWidth + 1 && table.scrollWidth <= room) faults.push(`${table.getAttribute("aria-label")}: columns are hidden although there is room for them`);
  for (const table of document.querySelectorAll("table")) if (!table.getAttribute("aria-label")) faults.push(`the table of "${name(table.tHead)}" has no name`);
  for (const image of document.images) if (!image.complete || !image.naturalWidth) faults.push("a picture is missing");
  return faults;
})()
