/** Unit of times that are stored as whole numbers. */
export type TimeUnit = "s" | "ms" | "us" | "ns";

/** floor(x / divisor): SQL's own division cuts towards zero, which is up for times before 1970. */
export function floorDivide(x: string, divisor: number): string {
  return `CASE WHEN ${x} < 0 THEN (${x} + 1) // ${divisor} - 1 ELSE ${x} // ${divisor} END`;
}

/** A whole number of a unit as ms. Seconds beyond what a BIGINT of ms holds are null. `divide`: the engine's own floorDivide. */
export function unitToMs(x: string, unit: TimeUnit, divide: typeof floorDivide = floorDivide): string {
  switch (unit) {
    case "s":
      return `CASE WHEN ${x} BETWEEN -9223372036854775 AND 9223372036854775 THEN ${x} * 1000 END`;
    case "ms":
      return x;
    case "us":
      return divide(`(${x})`, 1000);
    case "ns":
      return divide(`(${x})`, 1_000_000);
  }
}
