// Compiles the patterns of expectations.

/** Compiles with the `u` flag, which `\\u{...}` needs, or else without it for legacy syntax. */
export function compilePattern(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      continue
    }
  }
  return undefined
}
