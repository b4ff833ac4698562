// What was asked, in a line.

type Args = Readonly<Record<string, unknown>>

const longest = 300

export function stepTitle(name: string, args: Args): string {
  const text = (titles[name] ?? other)(args).replaceAll(/\s*[\r\n]+\s*/g, ' ⏎ ')
  return text.length > longest ? `${text.slice(0, longest)}…` : text
}

const titles: Readonly<Record<string, (args: Args) => string>> = {
  list_files: ({ glob, regex }) => text(glob ?? regex ?? 'all files'),
  read_file: slice,
  extract_symbols: ({ path }) => text(path),
  peek: ({ path }) => text(path),
  grep: ({ pattern, paths, regex }) => {
    const where =
      Array.isArray(paths) && paths.length > 0 ? ` in ${paths.map(text).join(', ')}` : ''
    return `${regex === true ? `/${text(pattern)}/` : `"${text(pattern)}"`}${where}`
  },
  stat: ({ path, paths }) => (Array.isArray(paths) ? paths.map(text).join(', ') : text(path)),
  read_many: ({ reads }) =>
    Array.isArray(reads) ? reads.map((read) => slice(read as Args)).join(', ') : '',
  claim: ({ claim }) => text(claim),
  evidence: ({ evidence_id: id, path, lines, pattern, hit }) => {
    const range = Array.isArray(lines) ? `:${lines.map(text).join('-')}` : ''
    return `${text(id)} ${hit === undefined ? text(path) + range : `"${text(pattern)}" at ${text(hit)}`}`
  },
  subcall_start: ({ call_id: id, prompt, paths }) =>
    [text(id), text(prompt), Array.isArray(paths) ? paths.map(text).join(', ') : '']
      .filter(Boolean)
      .join(' '),
  subcall_end: ({ call_id: id, ok }) => `${text(id)}${ok === false ? ' failed' : ''}`,
}

function slice({
  path,
  start_line: start,
  end_line: end,
  start_byte: byte,
  start_char: char,
}: Args): string {
  if (start !== undefined)
    return `${text(path)}:${text(start)}${end === undefined ? '' : `-${text(end)}`}`
  if (byte !== undefined || char !== undefined)
    return `${text(path)} from ${byte === undefined ? 'character' : 'byte'} ${text(byte ?? char)}`
  return text(path)
}

function other(args: Args): string {
  return Object.keys(args).length === 0 ? '' : JSON.stringify(args)
}

function text(value: unknown): string {
  return value === undefined || value === null
    ? ''
    : typeof value === 'string'
      ? value
      : JSON.stringify(value)
}
