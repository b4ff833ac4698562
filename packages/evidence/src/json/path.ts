// JSON paths such as `$.rows[0]["full name"]`.

const step = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]/y

/** The keys of a JSON path; undefined if the text is none. */
export function pathKeys(path: string): string[] | undefined {
  const text = path.startsWith('$') ? path.slice(1) : `.${path}`
  const keys: string[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (found === null) return undefined
    const quoted = found[3] ?? found[4]
    keys.push(quoted?.replace(/\\(.)/g, '$1') ?? found[1] ?? found[2] ?? '')
  }
  return keys
}

/** Whether the text is a JSON path or a JSON pointer. */
export function isJsonPlace(text: string): boolean {
  return text === '' || text.startsWith('/') || pathKeys(text) !== undefined
}
