// What two values have in common before they are compared: normalisers that an oracle names, and the
// loose reading by which a right answer in another form is told from a wrong one.

export const normalisers = [
  'trim',
  'lower',
  'strip_trailing_slash',
  'css_px_to_number',
  'csv_to_array',
  'shell_prompt_strip',
] as const
export type Normaliser = (typeof normalisers)[number]

const byName: Record<Normaliser, (text: string) => unknown> = {
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

/** Applies each in turn to every text in the value; other things stay as they are. */
export function normalise(value: unknown, names: readonly Normaliser[]): unknown {
  return names.reduce((current, name) => {
    // What is a list already has no commas to be cut at.
    if (name === 'csv_to_array' && typeof current !== 'string') return current
    return mapTexts(current, byName[name])
  }, value)
}

function mapTexts(value: unknown, change: (text: string) => unknown): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change))
  return value
}

/** Case, spaces and the form of numbers do not matter: texts that mean the same become the same. */
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

/** A number, or a text that is one and nothing else. */
export function parseNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined
  return Number(text)
}

/** Scheme and host in lower case, no `www.`, default port, trailing slash, fragment or order of the query. */
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
