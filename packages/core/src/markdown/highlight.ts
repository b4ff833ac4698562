// Colours source code by language with highlight.js. Only the languages of this table are bundled.
import type { HLJSApi, LanguageFn } from 'highlight.js'
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import type { Colours, Paint } from '../cli/colour.ts'

/** highlight.js registers the usual aliases of each name, such as `ts`, `sh` and `toml`. */
const languages: Readonly<Record<string, LanguageFn>> = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

let registered: HLJSApi | undefined

function registry(): HLJSApi {
  if (registered !== undefined) return registered
  for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)
  hljs.registerAliases(['console', 'shell', 'shellsession'], { languageName: 'bash' })
  hljs.registerAliases(['jsonl', 'jsonc', 'json5'], { languageName: 'json' })
  registered = hljs
  return hljs
}

/** A group of the scopes of highlight.js that have one colour. */
export type CodeColour = 'keyword' | 'string' | 'comment' | 'number' | 'title' | 'type' | 'deletion'

/** Text of one colour within a line. */
export interface CodeRun {
  text: string
  colour: CodeColour | undefined
}

/** The lines of `code` with colours; undefined if the language is unknown. */
export function highlightCode(
  code: string,
  language: string,
  paint: Colours,
): string[] | undefined {
  return codeLines(code, language)?.map((runs) =>
    runs
      .map(({ text, colour }) => (colour === undefined ? text : paintFor(colour, paint)(text)))
      .join(''),
  )
}

/** The lines of `code` as runs of one colour; undefined if the language is unknown. */
export function codeLines(code: string, language: string): CodeRun[][] | undefined {
  const api = registry()
  if (language === '' || api.getLanguage(language) === undefined) return undefined
  const { value } = api.highlight(code, { language, ignoreIllegals: true })
  return parseMarkup(value)
}

/** Parses the spans of highlight.js. The innermost span with a colour wins. */
function parseMarkup(markup: string): CodeRun[][] {
  let line: CodeRun[] = []
  const lines = [line]
  const open: (CodeColour | undefined)[] = []
  for (const piece of markup.split(/(<span class="[^"]*">|<\/span>|\n)/)) {
    if (piece === '\n') {
      line = []
      lines.push(line)
    } else if (piece === '</span>') {
      open.pop()
    } else if (piece.startsWith('<span ')) {
      open.push(colours[/hljs-([a-z]+)/.exec(piece)?.[1] ?? ''])
    } else if (piece !== '') {
      const colour = open.findLast((each) => each !== undefined)
      line.push({ text: decodeEntities(piece), colour })
    }
  }
  return lines
}

/** Colours by the first word of a scope. */
const colours: Readonly<Record<string, CodeColour>> = {
  ...{ keyword: 'keyword', selector: 'keyword', doctag: 'keyword' },
  ...{ string: 'string', regexp: 'string', addition: 'string' },
  ...{ comment: 'comment', quote: 'comment', meta: 'comment' },
  ...{ number: 'number', literal: 'number', symbol: 'number', bullet: 'number' },
  ...{ title: 'title', section: 'title', name: 'title' },
  ...{ type: 'type', built: 'type', attr: 'type', attribute: 'type' },
  ...{ variable: 'type', property: 'type' },
  deletion: 'deletion',
}

function paintFor(colour: CodeColour, paint: Colours): Paint {
  switch (colour) {
    case 'keyword':
      return paint.magenta
    case 'string':
      return paint.green
    case 'comment':
      return paint.dim
    case 'number':
      return paint.yellow
    case 'title':
      return paint.blue
    case 'type':
      return paint.cyan
    case 'deletion':
      return paint.red
  }
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#x27);/g, (entity) => entities[entity] ?? entity)
}
