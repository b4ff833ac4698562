// The front matter of a Markdown file: the plain values between two `---` lines. Understands the part of
// YAML that such files use: `key: value`, quotes, and block texts with `>` or `|`.

export interface FrontMatter {
  values: ReadonlyMap<string, string>
  /** The text after the front matter. */
  body: string
}

/** Undefined if the text has no front matter. */
export function parseFrontMatter(text: string): FrontMatter | undefined {
  const match = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text)
  if (match === null) return undefined
  const [whole, head = ''] = match
  return { values: parseValues(head.split(/\r?\n/)), body: text.slice(whole.length) }
}

function parseValues(lines: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  for (let index = 0; index < lines.length; index++) {
    const [, key, rest = ''] = /^([A-Za-z][\w-]*):(?:[ \t]+(.*))?$/.exec(lines[index] ?? '') ?? []
    if (key === undefined) continue
    const more: string[] = []
    while (/^([ \t]+\S|[ \t]*$)/.test(lines[index + 1] ?? 'x'))
      more.push(lines[++index]?.trim() ?? '')
    values.set(key, valueOf(rest.trim(), more))
  }
  return values
}

/** `more` holds the indented lines below the key. */
function valueOf(first: string, more: readonly string[]): string {
  if (/^[|>][+-]?$/.test(first)) return more.join(first.startsWith('|') ? '\n' : ' ').trim()
  const text = [first, ...more].join(' ').trim()
  if (/^".*"$/.test(text)) return text.slice(1, -1).replace(/\\(["\\])/g, '$1')
  if (/^'.*'$/.test(text)) return text.slice(1, -1).replaceAll("''", "'")
  return text.replace(/\s+#.*$/, '')
}
