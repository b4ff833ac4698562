// Formats a request or event of a trace as a one-line title.

type Args = Readonly<Record<string, unknown>>

const maxChars = 300

export function stepTitle(name: string, args: Args): string {
  const text = (titles[name] ?? jsonTitle)(args).replaceAll(/\s*[\r\n]+\s*/g, ' ⏎ ')
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text
}

const titles: Readonly<Record<string, (args: Args) => string>> = {
  list_files: ({ glob, regex }) => formatValue(glob ?? regex ?? 'all files'),
  read_file: sliceTitle,
  extract_symbols: ({ path }) => formatValue(path),
  peek: ({ path }) => formatValue(path),
  grep: ({ pattern, paths, regex }) => {
    const where =
      Array.isArray(paths) && paths.length > 0 ? ` in ${paths.map(formatValue).join(', ')}` : ''
    return `${regex === true ? `/${formatValue(pattern)}/` : `"${formatValue(pattern)}"`}${where}`
  },
  stat: ({ path, paths }) =>
    Array.isArray(paths) ? paths.map(formatValue).join(', ') : formatValue(path),
  read_many: ({ reads }) =>
    Array.isArray(reads) ? reads.map((read) => sliceTitle(read as Args)).join(', ') : '',
  claim: ({ claim }) => formatValue(claim),
  evidence: ({ evidence_id: id, path, lines, pattern, hit }) => {
    const range = Array.isArray(lines) ? `:${lines.map(formatValue).join('-')}` : ''
    return `${formatValue(id)} ${hit === undefined ? formatValue(path) + range : `"${formatValue(pattern)}" at ${formatValue(hit)}`}`
  },
  subcall_start: ({ call_id: id, prompt, paths }) =>
    [
      formatValue(id),
      formatValue(prompt),
      Array.isArray(paths) ? paths.map(formatValue).join(', ') : '',
    ]
      .filter(Boolean)
      .join(' '),
  subcall_end: ({ call_id: id, ok }) => `${formatValue(id)}${ok === false ? ' failed' : ''}`,
}

function sliceTitle({
  path,
  start_line: start,
  end_line: end,
  start_byte: byte,
  start_char: char,
}: Args): string {
  if (start !== undefined)
    return `${formatValue(path)}:${formatValue(start)}${end === undefined ? '' : `-${formatValue(end)}`}`
  if (byte !== undefined || char !== undefined)
    return `${formatValue(path)} from ${byte === undefined ? 'character' : 'byte'} ${formatValue(byte ?? char)}`
  return formatValue(path)
}

function jsonTitle(args: Args): string {
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args)
}

function formatValue(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}
