/** Zoom and pan a drawing. It scrolls in its frame, so that touch, wheel and keyboard pan as in every other place. */

const SMALLEST = 0.3;
const LARGEST = 3;
const BORDERS = 4; // of the frame, and what is lost by rounding
const STEP = 1.25;
const APART = 16; // pixels between what is revealed and the edge

export class Viewport {
  #frame;
  #svg;
  #size = { width: 1, height: 1 };
  #scale = 1;

  constructor(frame, svg) {
    this.#frame = frame;
    this.#svg = svg;
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    dragToPan(frame);
  }

  /** Take the size of another drawing. */
  resize(width, height) {
    this.#size = { width, height };
    this.#svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.#apply();
  }

  /** Show all of the drawing; if it would be smaller than `smallest`, let it be as wide as its frame, and higher. */
  fit(smallest, largest = 1.3) {
    const wide = this.#frame.clientWidth / this.#size.width;
    const high = (parseFloat(getComputedStyle(this.#frame).maxHeight) - BORDERS) / this.#size.height;
    const all = Math.min(wide, high);
    this.#scale = Math.min(largest, all >= smallest ? all : Math.max(smallest, wide));
    this.#apply();
    this.#frame.scrollLeft = (this.#frame.scrollWidth - this.#frame.clientWidth) / 2;
  }

  zoomIn() {
    this.#zoom(STEP);
  }

  zoomOut() {
    this.#zoom(1 / STEP);
  }

  /** Scroll the frame, and only the frame, until a part of the drawing is inside. */
  reveal(part) {
    const [box, inner] = [this.#frame.getBoundingClientRect(), part.getBoundingClientRect()];
    const beyond = (low, high, from, to) => (low < from ? low - from - APART : high > to ? high - to + APART : 0);
    this.#frame.scrollLeft += beyond(inner.left, inner.right, box.left, box.right);
    this.#frame.scrollTop += beyond(inner.top, inner.bottom, box.top, box.bottom);
  }

  #apply() {
    this.#svg.setAttribute("width", Math.ceil(this.#size.width * this.#scale));
    this.#svg.setAttribute("height", Math.ceil(this.#size.height * this.#scale));
    this.#frame.dataset.scale = this.#scale.toFixed(3);
  }

  #zoom(factor, x = this.#frame.clientWidth / 2, y = this.#frame.clientHeight / 2) {
    const next = Math.min(LARGEST, Math.max(SMALLEST, this.#scale * factor));
    const ratio = next / this.#scale;
    this.#scale = next;
    this.#apply();
    this.#frame.scrollLeft = (this.#frame.scrollLeft + x) * ratio - x; // what is under the pointer stays there
    this.#frame.scrollTop = (this.#frame.scrollTop + y) * ratio - y;
  }

  #wheel(event) {
    if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page; a pinch on a trackpad comes with ctrl
    event.preventDefault();
    const box = this.#frame.getBoundingClientRect();
    this.#zoom(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
  }
}

/** Pan with the mouse; touch scrolls by itself. */
function dragToPan(frame) {
  let from = null;
  frame.addEventListener("pointerdown", (event) => {
    if (event.pointerType !== "mouse" || event.button !== 0) return;
    from = { x: event.clientX + frame.scrollLeft, y: event.clientY + frame.scrollTop };
  });
  addEventListener("pointermove", (event) => {
    if (from === null) return;
    frame.scrollLeft = from.x - event.clientX;
    frame.scrollTop = from.y - event.clientY;
  });
  addEventListener("pointerup", () => (from = null));
}
