// What keeps the page from being read, by eye or aloud: an array of sentences.
(() => {
  const faults = [];
  const name = (e) => (e.textContent || e.tagName).slice(0, 40);
  for (const th of document.querySelectorAll("th")) if (!th.scope || !th.textContent.trim()) faults.push(`the heading "${name(th)}" of ${th.closest("table").getAttribute("aria-label")} is empty, or of nothing`);
  const levels = [...document.querySelectorAll("h1, h2, h3, h4, h5, h6")];
  levels.forEach((h, i) => {
    if (i ? h.tagName[1] - levels[i - 1].tagName[1] > 1 || h.tagName === "H1" : h.tagName !== "H1") faults.push(`the heading "${name(h)}" leaves out a level`);
  });
  // Words stand out from what is behind them (WCAG 2.2, 1.4.3: 4.5 to 1).
  const parsed = (colour) => colour.match(/[\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], under) => [r, g, b].map((v, i) => a * v + (1 - a) * under[i]);
  const grounds = new Map([[null, [255, 255, 255]]]);
  const behind = (e) => {
    if (!grounds.has(e)) grounds.set(e, over(parsed(getComputedStyle(e).backgroundColor), behind(e.parentElement)));
    return grounds.get(e);
  };
  const light = (rgb) => rgb.map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4)).reduce((sum, v, i) => sum + [0.2126, 0.7152, 0.0722][i] * v, 0);
  const contrast = (colour, ground) => {
    const [low, high] = [ground, over(colour, ground)].map(light).sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const weak = new Set();
  for (const e of document.querySelectorAll("body :not(script, noscript, title, .nil, .key)")) {
    if (![...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()) || !e.checkVisibility()) continue;
    const ground = behind(e), style = getComputedStyle(e);
    const ratio = contrast(parsed(e instanceof SVGElement ? style.fill : style.color), ground);
    if (ratio < 4.5) weak.add(`${e.tagName} ${e.getAttribute("class") ?? ""} is written at a contrast of ${ratio.toFixed(1)}`);
  }
  // So do the marks of charts, by their colour or by their edge (1.4.11: 3 to 1).
  const kinds = new Map([...document.querySelectorAll("svg :is(.bar, .line, .dot, .arrow, .head, .interval, .rule, .hatch, .leader)")].map((e) => [e.getAttribute("class"), e]));
  for (const e of kinds.values()) {
    const ground = behind(e), style = getComputedStyle(e);
    const ratios = [style.fill, style.stroke].filter((paint) => /^rgb/.test(paint)).map((paint) => {
      const [r, g, b, a = 1] = parsed(paint);
      return contrast([r, g, b, a * style.opacity], ground);
    });
    const ratio = Math.max(...ratios);
    if (ratio < 3) weak.add(`${e.tagName} ${e.getAttribute("class")} is drawn at a contrast of ${ratio.toFixed(1)}`);
  }
  return [...faults, ...weak];
})()
