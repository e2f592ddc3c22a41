/** A drawing of the page as a file of its own: SVG whose colours are written out, or PNG. */

import { save } from "../core/download.js";
import { shape } from "../core/dom.js";

const LINES = [
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linecap",
  "stroke-linejoin",
  "stroke-opacity",
  "paint-order",
];
const LETTERS = ["font-family", "font-size", "font-weight", "text-anchor"];
const PLAIN = {
  "fill-opacity": "1",
  "stroke-opacity": "1",
  opacity: "1",
  "stroke-dasharray": "none",
  "stroke-linecap": "butt",
  "stroke-linejoin": "miter",
  "paint-order": "normal",
  "text-anchor": "start",
};
const MARGIN = 16;
const LINE = 20; // the height of a line of the legend
const CHARACTER = 6.4; // the mean width of a character of title and legend
const SHARPNESS = 2; // pixels of a PNG for each of the drawing

/** Return a complete SVG document: title, facts, the drawing, and the legend. It refers to no other file. */
export function pictureOf(svg, { title, facts = "", legend = [] }) {
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const whole = Math.max(width, 460) + 2 * MARGIN;
  const top = MARGIN + (facts ? 44 : 26);
  const lines = arranged(legend, whole - 2 * MARGIN);
  const size = { width: whole, height: top + height + (lines.length ? 12 + LINE * lines.length : 0) + MARGIN };
  const paper = shape("svg", {
    xmlns: "http://www.w3.org/2000/svg",
    class: "picture",
    ...size,
    viewBox: `0 0 ${size.width} ${size.height}`,
  });
  const drawing = shape(
    "g",
    { transform: `translate(${(whole - width) / 2} ${top})` },
    ...[...svg.childNodes].map((node) => node.cloneNode(true)),
  );
  paper.append(
    shape("title", {}, title),
    shape("rect", { class: "paper", width: "100%", height: "100%" }),
    shape("text", { class: "picture-title ink", x: MARGIN, y: MARGIN + 12 }, cut(title, (whole - 2 * MARGIN) / 8.6)),
    shape("text", { class: "picture-facts faint", x: MARGIN, y: MARGIN + 30 }, facts),
    drawing,
    ...lines.map((line, i) => shape("g", { transform: `translate(${MARGIN} ${top + height + 16 + LINE * i})` }, ...line)),
  );
  return withColours(paper);
}

function cut(text, most) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** Return the legend in lines that are not wider than the picture. */
function arranged(entries, room) {
  const lines = [];
  let x = Infinity;
  for (const { sign, width, text } of entries) {
    const needed = width + 6 + CHARACTER * text.length;
    if (x + needed > room) {
      lines.push([]);
      x = 0;
    }
    const words = shape("text", { class: "picture-facts faint", x: width + 6, y: 10 }, text);
    lines.at(-1).push(shape("g", { transform: `translate(${x} 0)` }, sign.cloneNode(true), words));
    x += needed + 18;
  }
  return lines;
}

/** Write the colours and fonts of the style sheet into a drawing, and leave out what only the page needs. */
function withColours(paper) {
  paper.classList.add("off-screen");
  document.body.append(paper); // only what is in the page has computed styles
  const all = [...paper.querySelectorAll("*")];
  const styles = all.map(styleOf);
  paper.remove();
  for (const node of [paper, ...all]) {
    const aria = node.getAttributeNames().filter((name) => name.startsWith("aria-"));
    for (const name of ["class", "tabindex", "role", "data-key", ...aria]) node.removeAttribute(name);
  }
  all.forEach((node, i) => styles[i].forEach(([name, value]) => node.setAttribute(name, value)));
  for (const title of paper.querySelectorAll("g title")) title.remove();
  return paper;
}

/** Return the names and values of the style of a shape, without those that every reader of SVG assumes. */
function styleOf(node) {
  if (["g", "title", "clipPath"].includes(node.tagName)) return [];
  const style = getComputedStyle(node);
  const names = ["fill", "fill-opacity", "opacity"];
  if (style.stroke !== "none") names.push(...LINES);
  if (node.tagName === "text") names.push(...LETTERS);
  return names.map((name) => [name, style.getPropertyValue(name)]).filter(([name, value]) => value !== PLAIN[name]);
}

/** Save a picture as an SVG file. */
export function saveSvg(picture, name) {
  save(new Blob([text(picture)], { type: "image/svg+xml" }), name);
}

/** Save a picture as a PNG file. */
export async function savePng(picture, name) {
  const address = URL.createObjectURL(new Blob([text(picture)], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Number(picture.getAttribute("width")) * SHARPNESS;
  canvas.height = Number(picture.getAttribute("height")) * SHARPNESS;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(address);
  save(await new Promise((resolve) => canvas.toBlob(resolve, "image/png")), name);
}

function text(picture) {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(picture)}\n`;
}
