// Replaces values in every text of a JSON value, such as a token that a server sends back.

/** The same value if it contains none of `values`. */
export function replaceInTexts<Value>(
  value: Value,
  values: ReadonlySet<string>,
  replacement: string,
): Value {
  if (values.size === 0) return value
  return replaced(value, values, replacement) as Value
}

function replaced(value: unknown, values: ReadonlySet<string>, replacement: string): unknown {
  if (typeof value === 'string') {
    let text = value
    for (const each of values) text = text.replaceAll(each, replacement)
    return text
  }
  if (Array.isArray(value)) return value.map((item) => replaced(item, values, replacement))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, replaced(item, values, replacement)]),
  )
}
