// The change that an `edit` or `write` call makes to a file: line counts, and a diff for people.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'

export interface ChangeCounts {
  added: number
  removed: number
}

export interface FileTexts {
  /** Null if the file does not exist. */
  before: string | null
  after: string
}

/** The change of a larger file is not shown. */
const maxBytes = 1024 * 1024

/** The texts before and after the call, read before it runs; undefined if it changes no text file. */
export function textsOfChange(
  name: string,
  input: Readonly<Record<string, unknown>>,
  root: string,
): FileTexts | undefined {
  if (typeof input.path !== 'string') return undefined
  if (name === 'write' && typeof input.content === 'string') {
    const before = readText(path.resolve(root, input.path))
    return before === undefined ? undefined : { before, after: input.content }
  }
  const { old, new: replacement } = input
  if (name !== 'edit' || typeof old !== 'string' || typeof replacement !== 'string')
    return undefined
  const before = readText(path.resolve(root, input.path))
  if (before === undefined || before === null || old === '') return undefined
  return { before, after: before.replaceAll(old, () => replacement) }
}

/** Null for a missing file, undefined for one that cannot be shown. */
function readText(file: string): string | null | undefined {
  try {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats === undefined) return null
    if (!stats.isFile() || stats.size > maxBytes) return undefined
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** The lines of the diff without file names, and the counts of added and removed lines. */
export async function diffLines({
  before,
  after,
}: FileTexts): Promise<{ lines: string[]; counts: ChangeCounts }> {
  const [{ unifiedDiff }, { createRedactor }] = await Promise.all([
    import('@zee/agent/undo'),
    import('@zee/core/redact'),
  ])
  const diff = createRedactor().text(unifiedDiff('', before, after)).text
  const lines = diff.split('\n').slice(2, -1)
  const body = lines.filter((line) => !line.startsWith('@@') && !line.startsWith('\\'))
  const count = (mark: string) => body.filter((line) => line.startsWith(mark)).length
  return { lines, counts: { added: count('+'), removed: count('-') } }
}
