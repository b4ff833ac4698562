// What universal-ctags says a file defines, as far as it is a fair reference for extract_symbols. Left out,
// because nothing is defined there that a reader would look for by name:
// - things without a name (anonymous functions, types, lambdas) and names made up by ctags;
// - what only brings a name in or passes it on: imports, `use`, re-exports, here-document marks;
// - variables of loops and parameters, and places where ctags itself mistakes an expression for a
//   definition: the name must be declared on its line;
// - properties of object literals and variables that hold one, which ctags calls classes.
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

/** Kinds of a language that define nothing, and those that do only if the line says so. */
interface Fairness {
  drop?: readonly string[]
  /** What has to match the line; `NAME` stands for the name. */
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

const fairness: Readonly<Record<string, Fairness>> = {
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

/** The program, or undefined when it is not installed. */
export function ctagsVersion(): string | undefined {
  try {
    return execFileSync('ctags', ['--version'], { encoding: 'utf8' }).split('\n')[0]
  } catch {
    return undefined
  }
}

/** Definitions in these files; `as` names the language where the file's name does not tell it. */
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
    return fairOnes(language, tagsOf(output))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function tagsOf(output: string): Tag[] {
  return output.split('\n').flatMap((line) => {
    try {
      const tag = JSON.parse(line) as Tag
      return tag._type === 'tag' ? [tag] : []
    } catch {
      return []
    }
  })
}

function fairOnes(language: string, tags: readonly Tag[]): Definition[] {
  const { drop = [], only = {} } = fairness[language] ?? {}
  const lines = new Map<string, string[]>()
  const lineOf = (tag: Tag): string => {
    const known = lines.get(tag.path) ?? readFileSync(tag.path, 'utf8').split(/\r\n?|\n/)
    lines.set(tag.path, known)
    return known[tag.line - 1] ?? ''
  }
  return tags.flatMap((tag) => {
    if (drop.includes(tag.kind) || isMadeUp(tag.name)) return []
    const wanted = only[tag.kind]
    if (wanted !== undefined && !isOnLine(wanted, tag.name, lineOf(tag))) return []
    return [{ file: tag.path, line: tag.line, kind: tag.kind, name: tag.name }]
  })
}

function isMadeUp(name: string): boolean {
  return (
    !/^[\w$#~@:.!?=<>[\]+\-*/%&|^\\\u0080-\uffff ]+$/.test(name) ||
    /^(?:Anonymous|__anon|<)/.test(name)
  )
}

function isOnLine(wanted: string, name: string, line: string): boolean {
  const escaped = name.replace(/[^\w]/g, (char) => `\\${char}`)
  return new RegExp(wanted.replace('NAME', escaped)).test(line)
}
