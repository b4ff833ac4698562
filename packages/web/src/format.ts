// Formats numbers, times and sizes, the same on every page.

const integerFormat = new Intl.NumberFormat('en')

export function count(value: number): string {
  return integerFormat.format(value)
}

/** `1 call`, `3 calls`. */
export function pluralize(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`
}

/** 940, 9.4k, 94k, 9.4M. */
export function compact(value: number): string {
  if (value < 1000) return String(Math.round(value))
  if (value < 999_500) return `${oneDecimal(value / 1000)}k`
  return `${oneDecimal(value / 1_000_000)}M`
}

export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${oneDecimal(ms / 1000)} s`
  // Round first: 119.6 s must not become 1 min 60 s.
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(ms / 60_000)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`
  if (value < 1023.5 * 1024) return `${oneDecimal(value / 1024)} KiB`
  if (value < 1023.5 * 1024 ** 2) return `${oneDecimal(value / 1024 ** 2)} MiB`
  return `${oneDecimal(value / 1024 ** 3)} GiB`
}

export function percent(share: number): string {
  return `${Math.round(share * 100)} %`
}

/** Percentage points as `zcl compare` prints them; positive values have a sign. */
export function points(difference: number): string {
  const text = (difference * 100).toFixed(1)
  if (Number(text) === 0) return '0.0'
  return Number(text) > 0 ? `+${text}` : text
}

export function dollars(value: number): string {
  return `$${value.toFixed(value >= 1 || value === 0 ? 2 : 4)}`
}

/** `15 Nov 2026, 11:02:09 UTC`; text that is not a time is returned as it is. */
export function formatInstant(text: string | undefined): string {
  if (text === undefined) return '–'
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) return text
  const day = date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  })
  return `${day}, ${date.toISOString().slice(11, 19)} UTC`
}

/** A code such as `unknown_flag_corrected` with spaces. */
export function humanize(code: string): string {
  return code.replaceAll('_', ' ')
}

function oneDecimal(value: number): string {
  return value >= 99.5 ? String(Math.round(value)) : value.toFixed(1).replace(/\.0$/, '')
}

/** The interval of a rate; undefined with fewer than two attempts. */
export function rangeText({
  low,
  high,
}: {
  low?: number | undefined
  high?: number | undefined
}): string | undefined {
  return low === undefined || high === undefined ? undefined : `${percent(low)} to ${percent(high)}`
}

/** Two RFC 3339 instants as days or, if they are of one day, as times with seconds. */
export function distinctInstants([first, last]: readonly [string, string]): [string, string] {
  const isOneDay = first.slice(0, 10) === last.slice(0, 10)
  const [from, to] = isOneDay && first !== last ? [11, 19] : [0, 10]
  return [first.slice(from, to), last.slice(from, to)]
}
