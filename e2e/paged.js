// What is wrong where sheets cut the page: an array of sentences. Columns stand for the sheets, as the browser cuts both alike, and their places can be read.
(width, height) => {
  const faults = new Set();
  document.body.style.cssText = `width: ${width}px; height: ${height}px; columns: ${width}px; column-gap: 50px; column-fill: auto`;
  const left = document.body.getBoundingClientRect().left;
  const sheet = (box) => Math.floor((box.left - left) / (width + 50));
  const texts = []; // but those that are cut where they have no room
  const range = document.createRange();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.data.trim() || node.parentElement.closest("svg, script, style, th[title]") || !node.parentElement.checkVisibility()) continue;
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) if (box.width > 1 && box.height > 1) texts.push({ node, box, on: sheet(box) });
  }
  const name = ({ node }) => node.data.trim().slice(0, 40);
  const charts = [...document.querySelectorAll("figure svg")].map((svg) => ({ node: { data: svg.closest("figure").id }, box: svg.getBoundingClientRect() }));
  const all = [...texts, ...charts.map((c) => ({ ...c, on: sheet(c.box) }))].sort((a, b) => a.on - b.on || a.box.top - b.box.top);
  all.forEach((a, i) => {
    for (let j = i + 1; j < all.length && all[j].on === a.on && all[j].box.top < a.box.bottom - 4; j++) {
      const b = all[j];
      if (a.node !== b.node && a.box.left < b.box.right - 2 && b.box.left < a.box.right - 2) faults.add(`"${name(a)}" lies on "${name(b)}"`);
    }
  });
  for (const heading of document.querySelectorAll("h2, h3, .chooser, p:has(+ .scroll, + .charts)")) {
    const own = texts.filter((t) => heading.contains(t.node));
    const last = texts.indexOf(own[own.length - 1]);
    const next = texts.slice(last + 1).find((t) => !heading.contains(t.node));
    if (own.length && next && next.on > own[own.length - 1].on) faults.add(`"${name(own[0])}" ends a sheet, and what it is of is on the next`);
  }
  document.body.style.cssText = "";
  return [...faults];
}
