// Tables for languages in which a definition starts with a keyword. `detailOnly` rows are not part
// of an outline.
import { row, starts } from '../starts.ts'

const name = String.raw`([A-Za-z_\x80-\xff][\w\x80-\xff]*)`

/** Any of these words before the keyword, each with arguments in parentheses or brackets. */
const lead = (words: string): string =>
  String.raw`(?:(?:${words.replaceAll(' ', '|')})(?:\([^)\n]{0,100}\)|\[[^\]\n]{0,100}\])?\s+){0,20}`

/** Attributes such as `@Name(arguments)`. */
const attributes = String.raw`(?:@[\w.:]+(?:\([^)\n]{0,300}\))?\s+){0,20}`

const rustLead = String.raw`(?:#\[[^\]\n]{0,300}\]\s*){0,20}(?:(?:pub(?:[ \t]*\([^)\n]{0,100}\))?|default|async|unsafe|const|extern(?:[ \t]*"[^"\n]{0,100}")?)\s+){0,20}`

export const rust = starts(
  'const fn struct enum union trait mod type static macro_rules',
  [
    row(String.raw`${rustLead}(fn|struct|enum|union|trait|mod|type)\s+(?:r#)?${name}`),
    row(String.raw`(?:#\[[^\]\n]{0,300}\]\s*){0,20}macro_rules!\s*${name}`, { kind: 'macro' }),
    row(String.raw`${rustLead}(const|static)\s+(?:mut\s+)?${name}(?=\s*:)`, { detailOnly: true }),
  ],
  { modifiers: 'pub default async unsafe extern', marks: '#' },
)

const swiftWords =
  'public private fileprivate internal open package static final override mutating nonmutating ' +
  'required convenience indirect lazy weak unowned dynamic optional nonisolated isolated distributed ' +
  'async prefix postfix infix consuming borrowing'
const swiftLead = attributes + lead(`class ${swiftWords}`)
const swiftName = String.raw`([A-Za-z_\x80-\xff\x60][\w\x80-\xff\x60]*)`

export const swift = starts(
  'class struct enum protocol extension actor typealias associatedtype macro func init deinit subscript let var case',
  [
    row(
      String.raw`${swiftLead}(class|struct|enum|protocol|extension|actor|typealias|associatedtype|macro)\s+(?!func\b|var\b|let\b|subscript\b)${swiftName}`,
    ),
    row(
      String.raw`${swiftLead}(func)\s+([A-Za-z_\x80-\xff\x60][\w\x80-\xff\x60]*|[-+*/%=<>!&|^~?.]+)`,
    ),
    row(String.raw`${swiftLead}(init|deinit|subscript)[?!]?(?=\s*[<({])()`),
    row(String.raw`${swiftLead}(let|var)\s+${swiftName}`, { detailOnly: true }),
    row(String.raw`(?:indirect\s+)?(case)\s+${swiftName}(?=\s*(?:$|[(,=]))`, { detailOnly: true }),
  ],
  { modifiers: swiftWords, marks: '@' },
)

const kotlinWords =
  'public private protected internal open final abstract sealed data inner inline noinline crossinline ' +
  'value annotation companion override lateinit const suspend tailrec operator infix external expect ' +
  'actual vararg reified'
const kotlinLead = attributes + lead(kotlinWords)
/** Type parameters and the receiver type of an extension. */
const receiver = String.raw`(?:<[^({\n]{0,200}>\s*)?(?:[\w.]{1,200}(?:<[^({\n]{0,200}>)?\??\.|\((?:[^()\n]|\([^()\n]*\)){0,200}\)\.)?`

export const kotlin = starts(
  'class interface object typealias enum fun val var package',
  [
    row(String.raw`${kotlinLead}companion\s+(object)(?=\s*[:{])()`, { name: 'Companion' }),
    row(String.raw`${kotlinLead}(class|interface|object|typealias)\s+${name}`),
    row(String.raw`${kotlinLead}(enum)\s+class\s+${name}`),
    row(String.raw`${kotlinLead}fun\s+(interface)\s+${name}`),
    row(String.raw`${kotlinLead}(fun)\s+${receiver}\x60([^\x60\n]+)(?=\x60)`),
    row(String.raw`${kotlinLead}(fun)(?:\s+|(?=<))${receiver}${name}`),
    row(String.raw`${kotlinLead}(val|var)\s+${receiver}${name}`, { detailOnly: true }),
    row(String.raw`(package)\s+([\w.]+)`, { detailOnly: true }),
  ],
  { modifiers: kotlinWords, marks: '@' },
)

const scalaWords =
  'private protected final sealed abstract implicit lazy override case inline opaque open transparent infix'
const scalaLead = attributes + lead(scalaWords)
const scalaName = String.raw`([A-Za-z_$\x80-\xff\x60][\w$\x80-\xff\x60]*|[-+*/%=<>!&|^~?:#@\\]+)`

export const scala = starts(
  'class object trait enum package def type given val var',
  [
    row(String.raw`${scalaLead}(class|object|trait|enum)\s+${name}`),
    row(String.raw`package\s+(object)\s+${name}`),
    row(String.raw`${scalaLead}(def|type)\s+${scalaName}`),
    row(String.raw`${scalaLead}(given)\s+${name}(?=\s*[[:(])`),
    row(String.raw`${scalaLead}(val|var)\s+${name}(?=\s*[:=])`, { detailOnly: true }),
  ],
  { modifiers: scalaWords, marks: '@' },
)

const phpWords = 'public private protected static abstract final readonly var'
const phpLead = String.raw`(?:#\[[^\]\n]{0,300}\]\s*){0,20}${lead(phpWords)}`

export const php = starts(
  `${phpWords} class interface trait enum function namespace const`,
  [
    row(String.raw`${phpLead}(class|interface|trait|enum)\s+(?!extends\b)${name}`),
    row(String.raw`${phpLead}(function)\s+&?\s*${name}`),
    row(String.raw`(namespace)\s+([A-Za-z_][\w\\]*)`, { detailOnly: true }),
    row(String.raw`${phpLead}(const)\s+(?:[A-Za-z_]\w*\s+)?${name}(?=\s*=)`, { detailOnly: true }),
    row(String.raw`${lead(phpWords)}(?:\??[\w\\|&]+\s+)?\$${name}`, {
      kind: 'property',
      detailOnly: true,
    }),
  ],
  { marks: '#$' },
)

const rubyWords = 'private protected public module_function private_class_method memoize'
const rubyName = String.raw`([A-Za-z_\x80-\xff][\w\x80-\xff]*[!?=]?|\[\]=?|[-+~!]@|\*\*|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[-+*/%<>&|^\x60])`

export const ruby = starts(`${rubyWords} class module def define_method alias alias_method`, [
  row(String.raw`(class|module)[ \t]+(?:[A-Z]\w*::)*([A-Z]\w*)`),
  row(
    String.raw`(?:(?:${rubyWords.replaceAll(' ', '|')})[ \t(]+)?(def)[ \t]+(?:[A-Za-z_]\w*(?:\.|::))?${rubyName}`,
  ),
  row(String.raw`(?:(?:public|private|protected)[ \t]+)?define_method[ \t(]+:${name}`, {
    kind: 'def',
  }),
  row(String.raw`(alias_method|alias)[ \t(]+:?${rubyName}`, { kind: 'alias', detailOnly: true }),
])

export const python = starts(
  'async def class cdef cpdef',
  [row(String.raw`(?:async[ \t]+)?(?:(?:cdef|cpdef)[ \t]+)?(def|class)[ \t]+${name}`)],
  { inline: false },
)

export const go = starts(
  'func type const var package',
  [
    row(String.raw`(func)[ \t]+(?:\([^)\n]{0,300}\)[ \t]*)?${name}`),
    row(String.raw`(type)[ \t]+${name}`),
    row(String.raw`(const|var)[ \t]+${name}`, { detailOnly: true }),
    row(String.raw`(package)[ \t]+${name}`, { detailOnly: true }),
  ],
  { inline: false },
)

export const shell = starts('function alias', [
  row(String.raw`function[ \t]+([^\s()={}<>|&;"'$]+)(?=\s*(?:\(\s*\))?\s*[({\n])`, {
    kind: 'function',
  }),
  row(String.raw`alias[ \t]+(?:-\w+[ \t]+)*([\w.:+-]+)(?==)`, { kind: 'alias', detailOnly: true }),
])
