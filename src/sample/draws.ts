/**
 * All chance of the sample: a draw is a hash of what it is drawn for, never a random number, so that neither threads nor the
 * order of work matter. All arithmetic is of integers, since the last digit of a logarithm differs between machines.
 */
export function drawMacros(seed: number): string[] {
  return [
    // A whole number in [0, n), one for each (key, salt).
    `create macro draw(key, salt, n) as cast(hash(key, salt, ${seed}) % n as bigint)`,
    `create macro draw2(key, other, salt, n) as cast(hash(key, other, salt, ${seed}) % n as bigint)`,
    // A value spread as `marks` say: u in [0, 65536) runs evenly through them, linearly between two.
    `create macro between_marks(marks, p) as marks[(p >> 16) + 1]
       + (((marks[(p >> 16) + 2] - marks[(p >> 16) + 1]) * (p & 65535)) >> 16)`,
    "create macro spread(u, marks) as between_marks(marks, u * (len(marks) - 1))",
    `create macro hex_id(key, salt) as lower(lpad(to_hex(hash(key, salt, ${seed})), 16, '0'))`,
    // Version 4 of RFC 9562 by its marks, from two hashes.
    `create macro as_uuid(key, other) as cast(cast(
       to_hex((hash(key, other, ${seed}) | 9223372036854775808) & 18446744073709490175 | 16384)
       || to_hex(hash(other, key, ${seed + 1}) & 4611686018427387903 | 9223372036854775808) as uuid) as varchar)`,
  ];
}
