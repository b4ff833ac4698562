// Languages in which a definition begins with a keyword, as tables of patterns. Every pattern ends with
// the name; a kind that is not given is the keyword itself. `all` marks rows beyond an outline.

export interface KeywordRow {
  /** Flags `gm`; group 1 is the keyword unless `kind` is given, the last group the name. */
  pattern: RegExp
  kind?: string
  all?: true
}

const name = String.raw`([A-Za-z_\x80-\xff][\w\x80-\xff]*)`
/** Where a definition may begin: a line, or behind a brace or semicolon on it. */
const start = String.raw`(?:^|[{};])[ \t]*`

function row(source: string, extra: Omit<KeywordRow, 'pattern'> = {}): KeywordRow {
  return { pattern: new RegExp(source, 'gm'), ...extra }
}

const rustLead = String.raw`${start}(?:(?:pub(?:[ \t]*\([^)\n]{0,300}\))?|default|async|unsafe|const|extern(?:[ \t]*"[^"\n]{0,100}")?)\s+)*`

export const rustRows: readonly KeywordRow[] = [
  row(String.raw`${rustLead}(fn|struct|enum|union|trait|mod|type)\s+(?:r#)?${name}`),
  row(String.raw`${start}(?:#\[[^\]\n]{0,300}\]\s*)*(macro_rules)!\s*${name}`, { kind: 'macro' }),
  row(String.raw`${rustLead}(const|static)\s+(?:mut\s+)?${name}\s*(?=:)`, { all: true }),
]

const swiftLead = String.raw`${start}(?:@\w+(?:\([^)\n]{0,300}\))?\s+)*(?:(?:public|private|fileprivate|internal|open|package|static|class|final|override|mutating|nonmutating|required|convenience|indirect|lazy|weak|unowned|dynamic|optional|nonisolated|isolated|distributed|async|prefix|postfix|infix|consuming|borrowing)(?:\([a-z]+\))?\s+)*`
const swiftName = String.raw`([A-Za-z_\x80-\xff\x60][\w\x80-\xff\x60]*)`

export const swiftRows: readonly KeywordRow[] = [
  row(String.raw`${swiftLead}(class|struct|enum|protocol|extension|actor|typealias|associatedtype|macro)\s+(?!func\b|var\b|let\b|subscript\b)${swiftName}`),
  row(String.raw`${swiftLead}(func)\s+([A-Za-z_\x80-\xff\x60][\w\x80-\xff\x60]*|[-+*/%=<>!&|^~?.]+)`),
  row(String.raw`${swiftLead}(init|deinit|subscript)[?!]?(?=\s*[<({])()`),
  row(String.raw`${swiftLead}(let|var)\s+${swiftName}`, { all: true }),
  row(String.raw`${start}(?:indirect\s+)?(case)\s+${swiftName}(?=\s*(?:$|[(,=\n]))`, { all: true }),
]

const kotlinLead = String.raw`${start}(?:@[\w.:]+(?:\([^)\n]{0,300}\))?\s+)*(?:(?:public|private|protected|internal|open|final|abstract|sealed|data|inner|inline|noinline|crossinline|value|annotation|companion|override|lateinit|const|suspend|tailrec|operator|infix|external|expect|actual|vararg|reified)\s+)*`
/** A name that the file writes between backticks is blank by then; its ticks remain. */
const kotlinReceiver = String.raw`(?:<[^({\n]{0,300}>\s*)?(?:[\w.]{1,200}(?:<[^({\n]{0,300}>)?\??\.)?`

export const kotlinRows: readonly KeywordRow[] = [
  row(String.raw`${kotlinLead}(class|interface|object|typealias)\s+${name}`),
  row(String.raw`${kotlinLead}(enum)\s+class\s+${name}`),
  row(String.raw`${kotlinLead}fun\s+(interface)\s+${name}`),
  row(String.raw`${kotlinLead}(fun)\s+(?!interface\b)${kotlinReceiver}${name}`),
  row(String.raw`${kotlinLead}(fun)\s+${kotlinReceiver}\x60([^\x60\n]+)(?=\x60)`),
  row(String.raw`${kotlinLead}(val|var)\s+${kotlinReceiver}${name}`, { all: true }),
]

const scalaLead = String.raw`${start}(?:@[\w.]{1,200}(?:\([^)\n]{0,300}\))?\s+)*(?:(?:private|protected)(?:\[[^\]\n]{0,300}\])?\s+|(?:final|sealed|abstract|implicit|lazy|override|case|inline|opaque|open|transparent|infix)\s+)*`
const scalaName = String.raw`([A-Za-z_$\x80-\xff\x60][\w$\x80-\xff\x60]*|[-+*/%=<>!&|^~?:#@\\]+)`

export const scalaRows: readonly KeywordRow[] = [
  row(String.raw`${scalaLead}(class|object|trait|enum)\s+${name}`),
  row(String.raw`${scalaLead}package\s+(object)\s+${name}`),
  row(String.raw`${scalaLead}(def|type)\s+${scalaName}`),
  row(String.raw`${scalaLead}(given)\s+${name}(?=\s*(?:\[|:|\())`),
  row(String.raw`${scalaLead}(val|var)\s+${name}(?=\s*[:=])`, { all: true }),
]

const phpLead = String.raw`${start}(?:#\[[^\]\n]{0,300}\]\s*)*(?:(?:public|private|protected|static|abstract|final|readonly|var)\s+)*`

export const phpRows: readonly KeywordRow[] = [
  row(String.raw`${phpLead}(class|interface|trait|enum)\s+${name}`),
  row(String.raw`${phpLead}(function)\s+&?\s*${name}`),
  row(String.raw`${start}(namespace)\s+([A-Za-z_][\w\\]*)`, { all: true }),
  row(String.raw`${phpLead}(const)\s+(?:[A-Za-z_]\w*\s+)?${name}(?=\s*=)`, { all: true }),
  row(String.raw`(?:^|[{};])[ \t]*(?:(?:public|private|protected|static|readonly|var)\s+)+(?:\??[\w\\|&]+\s+)?\$${name}`, { kind: 'property', all: true }),
  row(String.raw`^[ \t]*\$${name}(?=\s*=[^=>])`, { kind: 'variable', all: true }),
]

const rubyName = String.raw`([A-Za-z_\x80-\xff][\w\x80-\xff]*[!?=]?|\[\]=?|[-+~!]@|\*\*|<=>|===?|=~|![=~]?|<<|>>|<=|>=|[-+*/%<>&|^\x60])`

export const rubyRows: readonly KeywordRow[] = [
  row(String.raw`${start}(class|module)[ \t]+(?:[A-Z]\w*::)*([A-Z]\w*)`),
  row(String.raw`${start}(?:(?:private|protected|public|module_function|private_class_method|memoize)[ \t(]+)?(def)[ \t]+(?:[A-Za-z_]\w*(?:\.|::))?${rubyName}`),
  row(String.raw`^[ \t]*(?:(?:public|private|protected)[ \t]+)?define_method[ \t(]+:${name}`, { kind: 'def' }),
  row(String.raw`^[ \t]*(alias(?:_method)?)[ \t(]+:?${rubyName}`, { kind: 'alias', all: true }),
  row(String.raw`^[ \t]*([A-Z]\w*)[ \t]*(?=(?:\|\|)?=[^=~>])`, { kind: 'const', all: true }),
]

export const shellRows: readonly KeywordRow[] = [
  row(String.raw`(?:^|[;&|{}])[ \t]*function[ \t]+([^\s()={}<>|&;"'$]+)(?=\s*(?:\(\s*\))?\s*[({\n])`, { kind: 'function' }),
  row(String.raw`(?:^|[;&|{}])[ \t]*([^\s()={}<>|&;"'$#]+)[ \t]*(?=\([ \t]*\))`, { kind: 'function' }),
  row(String.raw`^[ \t]*alias[ \t]+(?:-\w+[ \t]+)*([\w.:+-]+)(?==)`, { kind: 'alias', all: true }),
]
