// Typed arrays that grow: a column has one value for each memory or each word.

type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array

/** The same column, or a larger copy of it, with room for `length` values; new ones are zero. */
export function withCapacity<Kind extends Column>(column: Kind, length: number): Kind {
  if (length <= column.length) return column
  const Kind = column.constructor as new (length: number) => Kind
  const larger = new Kind(Math.max(64, length, Math.ceil(column.length * 1.5)))
  larger.set(column)
  return larger
}
