/** Numbers as text, the same everywhere on the page. */

/** Return a share from 0 to 1 as a percentage. */
export function percent(share, digits = 1) {
  return share === null || share === undefined ? "–" : `${(100 * share).toFixed(digits)}%`;
}

/** Return a number with up to two decimals, as the drawings of `treesmu trace` have it. */
export function short(value) {
  if (value === null || value === undefined) return "–";
  if (typeof value !== "number") return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1000 || size < 0.005)) return value.toExponential(1).replace("-", "−").replace("+", "");
  return value.toFixed(2).replace("-", "−");
}

/** Return a number with as many digits as needed for reading a value: 0.7291, 12.04, 3.2e6. */
export function exact(value) {
  if (typeof value !== "number") return String(value ?? "–");
  const size = Math.abs(value);
  const text = size !== 0 && (size >= 1e6 || size < 1e-4) ? value.toExponential(3) : String(Number(value.toPrecision(6)));
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** Return a count with its noun: "1 node", "2 nodes". */
export function count(number, noun, plural = `${noun}s`) {
  return `${number.toLocaleString("en")} ${number === 1 ? noun : plural}`;
}

/** Return the mean of numbers, or null if there are none. */
export function mean(numbers) {
  return numbers.length ? numbers.reduce((sum, number) => sum + number, 0) / numbers.length : null;
}

/** Return up to `most` round numbers from low to high. */
export function ticks(low, high, most) {
  const rough = (high - low) / most;
  if (!(rough > 0) || !Number.isFinite(rough)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough);
  const first = Math.ceil(low / step);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}
