// The column names of a table, read from its CREATE TABLE statement.

const tableConstraint = /^(?:constraint|primary|unique|check|foreign)\b/i

export interface Columns {
  names: string[]
  /** The column whose value is the rowid; -1 if there is none. */
  rowid: number
}

/** Undefined for a table that stores its rows in an index (`WITHOUT ROWID`) and for a virtual table. */
export function columnsOf(sql: string): Columns | undefined {
  const definitions = parts(sql)
  if (definitions === undefined || !/^\s*create\s+(temp\w*\s+)?table\b/i.test(sql)) return undefined
  const columns = definitions.filter((definition) => !tableConstraint.test(definition))
  const names = columns.map(nameOf)
  const isRowid = (definition: string) =>
    /^\s*integer\s+primary\s+key\b(?!\s+desc)/i.test(definition)
  const rowid = columns.findIndex((column, index) =>
    isRowid(column.slice(written(names[index], column))),
  )
  return { names, rowid }
}

/** The comma-separated definitions between the outer parentheses, without comments. */
function parts(sql: string): string[] | undefined {
  const found: string[] = []
  let depth = 0
  let part = ''
  let tail = ''
  for (const [token] of sql.matchAll(tokens)) {
    if (token.startsWith('--') || token.startsWith('/*')) continue
    if (token === ')') depth -= 1
    if (depth === 0) tail = token === ')' ? '' : tail + token
    else if (token === ',' && depth === 1) {
      found.push(part.trim())
      part = ''
    } else part += token
    if (token === '(') depth += 1
  }
  if (/\bwithout\s+rowid\b/i.test(tail)) return undefined
  return [...found, part.trim()].filter((each) => each !== '')
}

/** Quoted names and texts, comments, and single characters. */
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|"(?:[^"]|"")*"|'(?:[^']|'')*'|`(?:[^`]|``)*`|\[[^\]]*\]|[\s\S]/g

const quotes: Readonly<Record<string, string>> = { '"': '"', '`': '`', '[': ']', "'": "'" }

function nameOf(definition: string): string {
  const close = quotes[definition[0] ?? '']
  if (close === undefined) return /^[^\s(]+/.exec(definition)?.[0] ?? ''
  const [quoted = ''] = definition.match(tokens) ?? []
  return quoted.slice(1, -1).replaceAll(close + close, close)
}

/** The length of the name as it is written. */
function written(name: string | undefined, definition: string): number {
  if (quotes[definition[0] ?? ''] === undefined) return (name ?? '').length
  return definition.match(tokens)?.[0].length ?? 0
}
