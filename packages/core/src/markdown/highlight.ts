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

/** The lines of `code` with colours; undefined if the language is unknown. */
export function highlightCode(
  code: string,
  language: string,
  paint: Colours,
): string[] | undefined {
  const api = registry()
  if (language === '' || api.getLanguage(language) === undefined) return undefined
  const { value } = api.highlight(code, { language, ignoreIllegals: true })
  return paintMarkup(value, paint)
}

/** Turns the spans of highlight.js into colours. Every line opens and closes its own colours. */
function paintMarkup(markup: string, paint: Colours): string[] {
  const lines: string[] = []
  const open: (Paint | undefined)[] = []
  let line = ''
  for (const piece of markup.split(/(<span class="[^"]*">|<\/span>|\n)/)) {
    if (piece === '\n') {
      lines.push(line)
      line = ''
    } else if (piece === '</span>') {
      open.pop()
    } else if (piece.startsWith('<span ')) {
      open.push(paintFor(/hljs-([a-z]+)/.exec(piece)?.[1] ?? '', paint))
    } else if (piece !== '') {
      const colour = open.findLast((each) => each !== undefined)
      const text = decodeEntities(piece)
      line += colour === undefined ? text : colour(text)
    }
  }
  lines.push(line)
  return lines
}

function paintFor(scope: string, paint: Colours): Paint | undefined {
  switch (scope) {
    case 'keyword':
    case 'selector':
    case 'doctag':
      return paint.magenta
    case 'string':
    case 'regexp':
    case 'addition':
      return paint.green
    case 'comment':
    case 'quote':
    case 'meta':
      return paint.dim
    case 'number':
    case 'literal':
    case 'symbol':
    case 'bullet':
      return paint.yellow
    case 'title':
    case 'section':
    case 'name':
      return paint.blue
    case 'type':
    case 'built':
    case 'attr':
    case 'attribute':
    case 'variable':
    case 'property':
      return paint.cyan
    case 'deletion':
      return paint.red
    default:
      return undefined
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
