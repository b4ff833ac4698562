// The table of languages: selects the scanner for a file by the extension of its name.
import { createBlanker, erase } from '../blank.ts'
import type { Lexicon } from '../blank.ts'
import { addC, preprocess } from './c/c.ts'
import type { CFlavour } from './c/c.ts'
import { addGo } from './go.ts'
import { addJava } from './java-family.ts'
import { addConstructorProperties } from './kotlin-properties.ts'
import { scanner } from './language.ts'
import type { Scanner } from './language.ts'
import { looseStarts, plainStarts } from './plain.ts'
import type { PlainKeyword } from './plain.ts'
import { addPythonNames } from './python-names.ts'
import { addRubyNames } from './ruby-names.ts'
import { addRust } from './rust.ts'
import { addScript, scriptStarts } from './script/script.ts'
import { addShellFunctions } from './shell-functions.ts'
import { createStartsAdder } from '../starts.ts'
import type { Starts } from '../starts.ts'
import * as keywords from './keyword-languages.ts'
import * as lexicons from './lexicons.ts'

const everyKeyword: readonly PlainKeyword[] = [
  ...(['class', 'struct', 'enum', 'protocol', 'extension', 'func', 'def'] as const),
  ...(['function', 'interface', 'type', 'const'] as const),
]

const blankC = createBlanker(lexicons.cLexicon)

/** In C, a keyword and a name at a line start are as often a use as a definition. */
function cScanner(flavour: CFlavour): Scanner {
  const plain = plainStarts(['struct', 'enum', 'class', 'type', 'const', 'interface']) as Starts
  const addPlain = createStartsAdder(plain)
  return (sink, bytes) => {
    blankC(bytes)
    for (const macro of preprocess(bytes)) {
      if (macro.takesArguments || sink.wantsAll) sink.add('macro', macro.name, macro.at)
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

/** Blanks the text before the first `<?`. */
const php: Scanner = (sink, bytes) => {
  const start = bytes.indexOf('<?')
  erase(bytes, 0, start === -1 ? bytes.length : start)
  return phpProgram(sink, bytes)
}

const script = scanner({
  lexicon: lexicons.scriptLexicon,
  starts: scriptStarts,
  addMore: addScript,
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
  addMore: (sink, text) => sink.wantsAll && addConstructorProperties(sink, text),
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
  addMore: addRubyNames,
  handled: ['class', 'def'],
})
const shell = scanner({
  lexicon: lexicons.shellLexicon,
  starts: keywords.shell,
  addMore: addShellFunctions,
  handled: everyKeyword,
})
const python = scanner({
  lexicon: lexicons.pythonLexicon,
  starts: keywords.python,
  addMore: (sink, text) => sink.wantsAll && addPythonNames(sink, text),
  handled: ['class', 'def'],
})
const go = scanner({
  lexicon: lexicons.goLexicon,
  starts: keywords.go,
  addMore: addGo,
  handled: ['func', 'type'],
})
const rust = scanner({
  lexicon: lexicons.rustLexicon,
  starts: keywords.rust,
  addMore: addRust,
  handled: ['struct', 'enum', 'type'],
})
const plain = scanner({ lexicon: {}, handled: [] })
/** Text of unknown kind: lines that read like sentences are skipped. */
const loose = scanner({ lexicon: {}, starts: looseStarts(), handled: everyKeyword })
/** Prose and data define nothing. */
const prose: Scanner = () => ''

const byExtension: Readonly<Record<string, Scanner>> = {
  ...forExtensions('ts tsx mts cts js jsx mjs cjs', script),
  ...forExtensions('py pyi pyw pyx', python),
  ...forExtensions('go', go),
  ...forExtensions('rs', rust),
  ...forExtensions('java', java),
  ...forExtensions('kt kts', kotlin),
  ...forExtensions('c', cScanner({ isCpp: false, isHeader: false })),
  ...forExtensions('h hh hpp hxx inl ipp', cScanner({ isCpp: true, isHeader: true })),
  ...forExtensions('cc cpp cxx c++ cu ino', cScanner({ isCpp: true, isHeader: false })),
  ...forExtensions('cs', csharp),
  ...forExtensions('swift', swift),
  ...forExtensions('rb rake gemspec ru', ruby),
  ...forExtensions('php phtml php5 php7', php),
  ...forExtensions('scala sc', scala),
  ...forExtensions('sh bash zsh ksh bats', shell),
  ...forExtensions(
    'md markdown mdx rst adoc asciidoc org tex textile wiki log csv tsv html htm',
    prose,
  ),
  ...forExtensions('json jsonl lock svg xml map', prose),
  ...forExtensions('txt text', loose),
}

function forExtensions(extensions: string, scan: Scanner): Record<string, Scanner> {
  return Object.fromEntries(extensions.split(' ').map((extension) => [extension, scan]))
}

/** The scanner for a file name; unknown extensions get the plain patterns. */
export function scannerFor(path: string): Scanner {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const extension = dot === -1 ? '' : name.slice(dot + 1).toLowerCase()
  if (Object.hasOwn(byExtension, extension)) return byExtension[extension] as Scanner
  return /^(?:Rakefile|Gemfile|Vagrantfile|Podfile|Fastfile)$/.test(name) ? ruby : plain
}
