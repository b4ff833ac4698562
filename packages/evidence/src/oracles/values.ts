// Normalizes values before comparison: by the normalizers that an oracle names, and loosely, which
// separates a correct answer in another form from a wrong one.

export const normalizers = [
  'trim',
  'lower',
  'strip_trailing_slash',
  'css_px_to_number',
  'csv_to_array',
  'shell_prompt_strip',
] as const
export type Normalizer = (typeof normalizers)[number]

const byName: Record<Normalizer, (text: string) => unknown> = {
  trim: (text) => text.trim(),
  lower: (text) => text.toLowerCase(),
  strip_trailing_slash: (text) => (text.length > 1 ? text.replace(/\/$/, '') : text),
  css_px_to_number: (text) => {
    const found = /^\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))px\s*$/i.exec(text)
    return found === null ? text : Number(found[1])
  },
  csv_to_array: (text) => text.split(',').map((item) => item.trim()),
  shell_prompt_strip: (text) => text.replace(/^\s*(?:[\w.@~:/-]*[$#%>]|❯|➜)\s+/u, ''),
}

/** Applies each normalizer in turn to every string in the value. */
export function normalize(value: unknown, names: readonly Normalizer[]): unknown {
  return names.reduce((current, name) => {
    // Only a string is split; a list stays as it is.
    if (name === 'csv_to_array' && typeof current !== 'string') return current
    return mapTexts(current, byName[name])
  }, value)
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  return value
}

/** The value without differences in case, white space and number format. */
export function looseValue(value: unknown): unknown {
  if (typeof value === 'string') {
    const text = value.trim().toLowerCase().replace(/\s+/g, ' ')
    const number = parseNumber(text)
    return number ?? text
  }
  if (Array.isArray(value)) return value.map(looseValue)
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, looseValue(each)]))
  }
  return value
}

/** The number, also from a string that contains nothing else; undefined otherwise. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  return Number(text)
}

/** The URL with https and a sorted query, without `www.`, trailing slash and fragment. */
export function looseUrl(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  let url: URL
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`)
  } catch {
    return undefined
  }
  const host = url.host.replace(/^www\./, '')
  const path = url.pathname.replace(/\/+$/, '')
  url.searchParams.sort()
  const query = url.searchParams.toString()
  const scheme = url.protocol === 'http:' ? 'https:' : url.protocol
  return `${scheme}//${host}${path}${query === '' ? '' : `?${query}`}`
}
