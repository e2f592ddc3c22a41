/** Zoom and pan a drawing. It scrolls in its frame, so that touch, wheel and keyboard pan as in every other place. */

const SMALLEST = 0.3;
const LARGEST = 3;
const STEP = 1.25;
const APART = 16; // pixels between what is revealed and the edge

/** Return the viewport of an SVG element in a scrolling frame: size(width, height), fit(), zoomIn(), zoomOut(), reveal(). */
export function createViewport(frame, svg) {
  let size = { width: 1, height: 1 };
  let scale = 1;
  const apply = () => {
    svg.setAttribute("width", Math.ceil(size.width * scale));
    svg.setAttribute("height", Math.ceil(size.height * scale));
    frame.dataset.scale = scale.toFixed(3);
  };
  const zoom = (factor, x = frame.clientWidth / 2, y = frame.clientHeight / 2) => {
    const next = Math.min(LARGEST, Math.max(SMALLEST, scale * factor));
    const ratio = next / scale;
    scale = next;
    apply();
    frame.scrollLeft = (frame.scrollLeft + x) * ratio - x; // what is under the pointer stays there
    frame.scrollTop = (frame.scrollTop + y) * ratio - y;
  };
  frame.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // a plain wheel scrolls the page; a pinch on a trackpad comes with ctrl
      event.preventDefault();
      const box = frame.getBoundingClientRect();
      zoom(Math.exp(-event.deltaY / 200), event.clientX - box.left, event.clientY - box.top);
    },
    { passive: false },
  );
  dragToPan(frame);
  return {
    size(width, height) {
      size = { width, height };
      svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
      apply();
    },
    /** Make the drawing as large as its frame is wide, but neither tiny nor huge. */
    fit(smallest = 0.72, largest = 1.3) {
      scale = Math.min(largest, Math.max(smallest, frame.clientWidth / size.width));
      apply();
      frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
    },
    /** Scroll the frame, and only the frame, until a part of the drawing is inside. */
    reveal(part) {
      const [box, inner] = [frame.getBoundingClientRect(), part.getBoundingClientRect()];
      const beyond = (low, high, from, to) => (low < from ? low - from - APART : high > to ? high - to + APART : 0);
      frame.scrollLeft += beyond(inner.left, inner.right, box.left, box.right);
      frame.scrollTop += beyond(inner.top, inner.bottom, box.top, box.bottom);
    },
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
  };
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
