// Growable typed arrays: a column holds one value per memory or per word.

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** The column itself, or a larger copy with capacity for `length` values; new values are zero. */
export function withCapacity<Kind extends Column>(column: Kind, length: number): Kind {
  if (length <= column.length) return column
  const Kind = column.constructor as new (length: number) => Kind
  const larger = new Kind(Math.max(64, length, Math.ceil(column.length * 1.5)))
  larger.set(column)
  return larger
}
