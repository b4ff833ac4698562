// Lists the definitions that universal-ctags finds in a file, as a reference for extract_symbols.
// It drops tags that a reader would not look up by name:
// - anonymous functions, types and lambdas, and names that ctags generates;
// - imports, `use`, re-exports and here-document marks;
// - loop variables, parameters and expressions that ctags mistakes for definitions: the line must
//   declare the name;
// - properties of object literals, and variables holding one, which ctags tags as classes.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'

export interface Definition {
  file: string
  line: number
  kind: string
  name: string
}

interface Tag {
  _type: string
  path: string
  line: number
  kind: string
  name: string
}

/** Which tags of a language count as definitions. */
interface TagFilter {
  /** Kinds that never count. */
  drop?: readonly string[]
  /** By kind: the expression that the line must match. `NAME` stands for the name. */
  only?: Readonly<Record<string, string>>
}

const declared = String.raw`(?<!for[^\n(]{0,9}\()\b(?:const|let|var|using)\b[^;]*\bNAME\b(?![\w$]*\s*[(.])`
const scriptLine = {
  constant: declared,
  variable: declared,
  alias: String.raw`\btype\s+NAME\s*(?:[<=]|$)`,
  class: String.raw`\bclass\s+NAME\b`,
  property: String.raw`(?:^|[;{(,]|\b(?:public|private|protected|static|readonly|abstract|override|declare)\s)\s*#?NAME\s*[?!]?\s*[:=;(]`,
  field: String.raw`^\s*(?:static\s+)?#?NAME\s*(?:[=;]|$)`,
  method: String.raw`(?:^|[\s*#])NAME\s*[<(?=:]`,
}

const filters: Readonly<Record<string, TagFilter>> = {
  typescript: { only: scriptLine },
  javascript: { drop: ['property'], only: scriptLine },
  python: { drop: ['unknown', 'namespace'] },
  go: { drop: ['packageName'] },
  kotlin: {
    only: {
      method: String.raw`\bfun\b.*NAME`,
      constant: String.raw`\bval\b.*\bNAME\b`,
      variable: String.raw`\bvar\b.*\bNAME\b`,
    },
  },
  php: { drop: ['alias'] },
  ruby: { drop: ['describe', 'context'] },
  shell: {
    drop: ['heredoc', 'script'],
    only: { function: String.raw`(?:NAME\s*\(\)|function\s)` },
  },
}

/** Undefined when ctags is not installed. */
export function ctagsVersion(): string | undefined {
  try {
    return execFileSync('ctags', ['--version'], { encoding: 'utf8' }).split('\n')[0]
  } catch {
    return undefined
  }
}

/** The definitions in `files`. `as` forces a ctags language where the extension is ambiguous. */
export function definitionsIn(
  language: string,
  files: readonly string[],
  as?: string,
): Definition[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'zee-ctags-'))
  try {
    const list = path.join(folder, 'files')
    writeFileSync(list, files.join('\n'))
    const force = as === undefined ? [] : [`--language-force=${as}`]
    const args = [
      '--output-format=json',
      '--fields=+nK',
      '--sort=no',
      ...force,
      '-f',
      '-',
      '-L',
      list,
    ]
    const output = execFileSync('ctags', args, {
      encoding: 'utf8',
      maxBuffer: 1 << 30,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return filterTags(language, parseTags(output))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function parseTags(output: string): Tag[] {
  return output.split('\n').flatMap((line) => {
    try {
      const tag = JSON.parse(line) as Tag
      return tag._type === 'tag' ? [tag] : []
    } catch {
      return []
    }
  })
}

function filterTags(language: string, tags: readonly Tag[]): Definition[] {
  const { drop = [], only = {} } = filters[language] ?? {}
  const lines = new Map<string, string[]>()
  const lineOf = (tag: Tag): string => {
    const text = lines.get(tag.path) ?? readFileSync(tag.path, 'utf8').split(/\r\n?|\n/)
    lines.set(tag.path, text)
    return text[tag.line - 1] ?? ''
  }
  return tags.flatMap((tag) => {
    if (drop.includes(tag.kind) || isGenerated(tag.name)) return []
    const pattern = only[tag.kind]
    if (pattern !== undefined && !isOnLine(pattern, tag.name, lineOf(tag))) return []
    return [{ file: tag.path, line: tag.line, kind: tag.kind, name: tag.name }]
  })
}

function isGenerated(name: string): boolean {
  return (
    !/^[\w$#~@:.!?=<>[\]+\-*/%&|^\\\u0080-\uffff ]+$/.test(name) ||
    /^(?:Anonymous|__anon|<)/.test(name)
  )
}

function isOnLine(pattern: string, name: string, line: string): boolean {
  const escaped = name.replace(/[^\w]/g, (char) => `\\${char}`)
  return new RegExp(pattern.replace('NAME', escaped)).test(line)
}
