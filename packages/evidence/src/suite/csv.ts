// Reads CSV (RFC 4180): quoted fields, doubled quotes, and line breaks inside quotes.

/** The rows as objects by the names of the first line; throws a message with the row number. */
export function parseCsv(text: string): Record<string, string>[] {
  const [head, ...rows] = csvRows(text.replace(/^\uFEFF/, ''))
  if (head === undefined) return []
  const names = head.map((name) => name.trim())
  const repeated = names.find((name, column) => names.indexOf(name) < column)
  if (repeated !== undefined) throw new Error(`two columns are called '${repeated}'`)
  return rows.map((cells, index) => {
    if (cells.length !== names.length) {
      throw new Error(`row ${index + 2} has ${cells.length} cells, not ${names.length}`)
    }
    return Object.fromEntries(names.map((name, column) => [name, cells[column] ?? '']))
  })
}

function csvRows(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  cell.lastIndex = 0
  while (cell.lastIndex < text.length || row.length > 0) {
    const found = cell.exec(text)
    if (found === null) throw new Error(`row ${rows.length + 1} has a quote in the wrong place`)
    row.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
    if (found[3] === ',') continue
    // An empty line is no row.
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
    if (found[3] === '') break
  }
  return rows
}
