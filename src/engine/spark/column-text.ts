/** A column's value as text (R17): null where it is empty, a whole number without a fraction however it is stored. */
export function columnText(source: string, type: string): string {
  if (type === "float" || type === "double") return numberText(`cast(${source} as double)`);
  if (type !== "binary") return `nullif(cast(${source} as string), '')`;
  return `nullif(try_validate_utf8(cast(${source} as string)), '')`;
}

/** Java writes 12345678.5 as 1.23456785E7; decimals have no exponent, and as many zeros as their scale says. */
function numberText(source: string): string {
  const whole = `cast(${source} as bigint)`;
  const isWhole = `${source} = rint(${source}) and abs(${source}) < 9223372036854775808D`;
  const decimal = `rtrim('0', cast(cast(${source} as decimal(38, 18)) as string))`;
  return `case when isnan(${source}) then null when ${isWhole} then cast(${whole} as string) when abs(${source}) between 1e-4 and 1e15 then ${decimal} else cast(${source} as string) end`;
}
