// Which scanner a file gets, by its name.
import { createBlanker, erase } from '../blank.ts'
import type { Lexicon } from '../blank.ts'
import { addC, preprocess } from './c/c.ts'
import type { CFlavour } from './c/c.ts'
import { addGo } from './go.ts'
import { addJava } from './java-family.ts'
import { addConstructorProperties } from './kotlin-properties.ts'
import { looseStarts, plainStarts } from './plain.ts'
import type { PlainKeyword } from './plain.ts'
import { addPythonNames } from './python-names.ts'
import { addRubyNames } from './ruby-names.ts'
import { addRust } from './rust.ts'
import { addScript, scriptStarts } from './script/script.ts'
import { addShellFunctions } from './shell-functions.ts'
import type { SymbolSink } from '../sink.ts'
import { createStartsAdder } from '../starts.ts'
import type { Starts } from '../starts.ts'
import * as keywords from './keyword-languages.ts'
import * as lexicons from './lexicons.ts'

/** Adds the symbols of a file and gives its text, one character per byte, for counting lines. */
export type Scanner = (sink: SymbolSink, bytes: Buffer) => string

interface Language {
  lexicon: Lexicon
  /** Definitions that begin with a known word. */
  starts?: Starts | undefined
  /** Whatever else there is to find. */
  more?: (sink: SymbolSink, text: string, bytes: Buffer) => void
  /** Keywords of the plain patterns that are handled better, or mean something else. */
  handled: readonly PlainKeyword[]
}

function scanner({ lexicon, starts, more, handled }: Language): Scanner {
  const plain = plainStarts(handled)
  const addStarts = createStartsAdder(...[starts, plain].filter((one) => one !== undefined))
  const blank = createBlanker(lexicon)
  return (sink, bytes) => {
    blank(bytes)
    const text = bytes.toString('latin1')
    addStarts(sink, bytes, text)
    more?.(sink, text, bytes)
    return text
  }
}

const nothing: readonly PlainKeyword[] = [
  ...(['class', 'struct', 'enum', 'protocol', 'extension', 'func', 'def'] as const),
  ...(['function', 'interface', 'type', 'const'] as const),
]

const blankC = createBlanker(lexicons.cLexicon)

/** In C a keyword and a name at the beginning of a line are as often a use as a definition. */
function cScanner(flavour: CFlavour): Scanner {
  const plain = plainStarts(['struct', 'enum', 'class', 'type', 'const', 'interface']) as Starts
  const addPlain = createStartsAdder(plain)
  return (sink, bytes) => {
    blankC(bytes)
    for (const macro of preprocess(bytes)) {
      if (macro.callable || sink.wantsAll) sink.add('macro', macro.name, macro.at)
    }
    const text = bytes.toString('latin1')
    addC(sink, bytes, text, flavour)
    addPlain(sink, bytes, text)
    return text
  }
}

function javaScanner(lexicon: Lexicon, handled: readonly PlainKeyword[]): Scanner {
  const blank = createBlanker(lexicon)
  const addPlain = createStartsAdder(plainStarts(handled) as Starts)
  return (sink, bytes) => {
    blank(bytes)
    const text = bytes.toString('latin1')
    addJava(sink, text, bytes)
    addPlain(sink, bytes, text)
    return text
  }
}

const phpProgram = scanner({
  lexicon: lexicons.phpLexicon,
  starts: keywords.php,
  handled: ['class', 'interface', 'enum', 'function'],
})

/** Text before the first piece of program is not program. */
const php: Scanner = (sink, bytes) => {
  const start = bytes.indexOf('<?')
  erase(bytes, 0, start === -1 ? bytes.length : start)
  return phpProgram(sink, bytes)
}

const script = scanner({
  lexicon: lexicons.scriptLexicon,
  starts: scriptStarts,
  more: addScript,
  handled: ['class', 'enum', 'function', 'interface', 'type'],
})
const java = javaScanner(lexicons.javaLexicon, ['class', 'enum', 'interface'])
const csharp = javaScanner(lexicons.csharpLexicon, ['class', 'enum', 'interface', 'struct'])
const swift = scanner({
  lexicon: lexicons.swiftLexicon,
  starts: keywords.swift,
  handled: ['class', 'struct', 'enum', 'protocol', 'extension', 'func'],
})
const kotlin = scanner({
  lexicon: lexicons.kotlinLexicon,
  starts: keywords.kotlin,
  more: (sink, text) => sink.wantsAll && addConstructorProperties(sink, text),
  handled: ['class', 'enum', 'interface'],
})
const scala = scanner({
  lexicon: lexicons.kotlinLexicon,
  starts: keywords.scala,
  handled: ['class', 'enum', 'def', 'type', 'extension'],
})
const ruby = scanner({
  lexicon: lexicons.rubyLexicon,
  starts: keywords.ruby,
  more: addRubyNames,
  handled: ['class', 'def'],
})
const shell = scanner({
  lexicon: lexicons.shellLexicon,
  starts: keywords.shell,
  more: addShellFunctions,
  handled: nothing,
})
const python = scanner({
  lexicon: lexicons.pythonLexicon,
  starts: keywords.python,
  more: (sink, text) => sink.wantsAll && addPythonNames(sink, text),
  handled: ['class', 'def'],
})
const go = scanner({
  lexicon: lexicons.goLexicon,
  starts: keywords.go,
  more: addGo,
  handled: ['func', 'type'],
})
const rust = scanner({
  lexicon: lexicons.rustLexicon,
  starts: keywords.rust,
  more: addRust,
  handled: ['struct', 'enum', 'type'],
})
const plain = scanner({ lexicon: {}, handled: [] })
/** Text that may be anything: lines that read like sentences are left out. */
const loose = scanner({ lexicon: {}, starts: looseStarts(), handled: nothing })
/** Prose and data define nothing. */
const prose: Scanner = () => ''

const byExtension: Readonly<Record<string, Scanner>> = {
  ...each('ts tsx mts cts js jsx mjs cjs', script),
  ...each('py pyi pyw pyx', python),
  ...each('go', go),
  ...each('rs', rust),
  ...each('java', java),
  ...each('kt kts', kotlin),
  ...each('c', cScanner({ plus: false, header: false })),
  ...each('h hh hpp hxx inl ipp', cScanner({ plus: true, header: true })),
  ...each('cc cpp cxx c++ cu ino', cScanner({ plus: true, header: false })),
  ...each('cs', csharp),
  ...each('swift', swift),
  ...each('rb rake gemspec ru', ruby),
  ...each('php phtml php5 php7', php),
  ...each('scala sc', scala),
  ...each('sh bash zsh ksh bats', shell),
  ...each('md markdown mdx rst adoc asciidoc org tex textile wiki log csv tsv html htm', prose),
  ...each('json jsonl lock svg xml map', prose),
  ...each('txt text', loose),
}

function each(extensions: string, scan: Scanner): Record<string, Scanner> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, scan]))
}

/** The scanner for a file, by its name; what is not known gets the plain patterns. */
export function scannerFor(path: string): Scanner {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension] as Scanner
  return /^(?:Rakefile|Gemfile|Vagrantfile|Podfile|Fastfile)$/.test(name) ? ruby : plain
}
