// Regex patterns that find the definition of a name, one per language, in the dialect of the grep operation.

interface Language {
  extensions: readonly string[]
  /** `NAME` stands for the name. */
  pattern: string
}

const modifiers =
  '(?:(?:public|private|protected|internal|static|final|abstract|override|async)\\s+)*'

const languages: ReadonlyMap<string, Language> = new Map<string, Language>([
  [
    'typescript',
    {
      extensions: ['ts', 'tsx', 'mts', 'cts'],
      pattern:
        '\\b(?:function\\s*\\*?|class|interface|type|enum|namespace|const|let|var)\\s+NAME\\b' +
        `|^\\s*${modifiers}(?:(?:get|set|readonly)\\s+)*#?NAME\\s*(?:<[^>]*>)?\\([^;]*\\{\\s*$`,
    },
  ],
  [
    'javascript',
    {
      extensions: ['js', 'jsx', 'mjs', 'cjs'],
      pattern:
        '\\b(?:function\\s*\\*?|class|const|let|var)\\s+NAME\\b' +
        '|^\\s*(?:(?:static|async|get|set)\\s+)*\\*?#?NAME\\s*\\([^;]*\\{\\s*$' +
        '|\\bNAME\\s*[:=]\\s*(?:async\\s*)?(?:function\\b|\\()',
    },
  ],
  [
    'python',
    {
      extensions: ['py', 'pyi'],
      pattern: '^\\s*(?:(?:async\\s+)?def|class)\\s+NAME\\b|^NAME\\s*(?::[^=]+)?=',
    },
  ],
  [
    'go',
    {
      extensions: ['go'],
      pattern: '^func\\s+(?:\\([^)]*\\)\\s*)?NAME\\b|^\\s*(?:type|var|const)\\s+NAME\\b',
    },
  ],
  [
    'rust',
    {
      extensions: ['rs'],
      pattern:
        '\\b(?:fn|struct|enum|union|trait|type|mod|const|static)\\s+(?:mut\\s+)?NAME\\b' +
        '|\\bmacro_rules!\\s*NAME\\b|\\bimpl\\b.*\\bNAME\\b',
    },
  ],
  [
    'java',
    {
      extensions: ['java'],
      pattern:
        '\\b(?:class|interface|enum|record|@interface)\\s+NAME\\b' +
        `|^\\s*${modifiers}[\\w<>\\[\\],.? ]+\\s+NAME\\s*\\(`,
    },
  ],
  [
    'kotlin',
    {
      extensions: ['kt', 'kts'],
      pattern:
        '\\b(?:class|interface|object|typealias|val|var)\\s+NAME\\b|\\bfun\\b.*\\bNAME\\s*\\(',
    },
  ],
  [
    'c',
    {
      extensions: ['c', 'h'],
      pattern:
        '\\b(?:struct|union|enum)\\s+NAME\\b|^\\s*#\\s*define\\s+NAME\\b' +
        '|^[A-Za-z_][\\w\\s*]*\\bNAME\\s*\\([^;]*$|^\\s*typedef\\b.*\\bNAME\\s*;',
    },
  ],
  [
    'cpp',
    {
      extensions: ['cc', 'cpp', 'cxx', 'h', 'hh', 'hpp', 'hxx'],
      pattern:
        '\\b(?:class|struct|union|enum(?:\\s+class)?|namespace|using|concept)\\s+NAME\\b' +
        '|^\\s*#\\s*define\\s+NAME\\b|^[\\w:<>,~*&\\s]*\\b(?:\\w+::)*NAME\\s*\\([^;]*$',
    },
  ],
  [
    'csharp',
    {
      extensions: ['cs'],
      pattern:
        '\\b(?:class|struct|interface|enum|record|delegate)\\s+NAME\\b' +
        `|^\\s*${modifiers}[\\w<>\\[\\],.? ]+\\s+NAME\\s*[({]`,
    },
  ],
  [
    'swift',
    {
      extensions: ['swift'],
      pattern:
        '\\b(?:class|struct|enum|protocol|extension|actor|func|typealias|let|var)\\s+NAME\\b',
    },
  ],
  [
    'ruby',
    {
      extensions: ['rb', 'rake'],
      pattern: '^\\s*(?:class|module|def)\\s+(?:self\\.|\\w+(?:::\\w+)*::)?NAME\\b|^\\s*NAME\\s*=',
    },
  ],
  [
    'php',
    {
      extensions: ['php'],
      pattern: '\\b(?:class|interface|trait|enum|function|const)\\s+&?NAME\\b',
    },
  ],
  [
    'scala',
    {
      extensions: ['scala', 'sc'],
      pattern: '\\b(?:class|object|trait|enum|def|val|var|type)\\s+NAME\\b',
    },
  ],
  [
    'shell',
    {
      extensions: ['sh', 'bash', 'zsh'],
      pattern: '^\\s*(?:function\\s+)?NAME\\s*\\(\\)|^\\s*function\\s+NAME\\b',
    },
  ],
])

const aliases: ReadonlyMap<string, string> = new Map([
  ['ts', 'typescript'],
  ['js', 'javascript'],
  ['py', 'python'],
  ['golang', 'go'],
  ['rs', 'rust'],
  ['kt', 'kotlin'],
  ['c++', 'cpp'],
  ['c#', 'csharp'],
  ['cs', 'csharp'],
  ['rb', 'ruby'],
  ['sh', 'shell'],
  ['bash', 'shell'],
])

const anyLanguagePattern =
  '\\b(?:class|struct|enum|union|interface|protocol|trait|record|object|namespace|module|type' +
  '|typealias|extension|func|fun|fn|def|function\\s*\\*?|const|let|var|val|static|macro_rules!)' +
  '\\s+(?:\\([^)]*\\)\\s*)?(?:self\\.)?NAME\\b'

export const languageNames: readonly string[] = [...languages.keys()]

/** Resolves aliases and case of a language name; undefined for an unknown language. */
export function languageOf(name: string): string | undefined {
  const canonical = aliases.get(name.toLowerCase()) ?? name.toLowerCase()
  return languages.has(canonical) ? canonical : undefined
}

/** Returns a grep pattern that finds the definition of `name`. */
export function definitionPattern(name: string, language: string | undefined): string {
  const pattern =
    language === undefined
      ? anyLanguagePattern
      : (languages.get(language)?.pattern ?? anyLanguagePattern)
  return pattern.replaceAll('NAME', () => escapeRegex(name))
}

/** Returns one glob for the files of a language; undefined for all files. */
export function languageGlob(language: string | undefined): string | undefined {
  const extensions = language === undefined ? undefined : languages.get(language)?.extensions
  if (extensions === undefined) return undefined
  return extensions.length === 1 ? `**/*.${extensions[0]}` : `**/*.{${extensions.join(',')}}`
}

/** Escapes a name for a regex; placeholders such as `<SYMBOL>` stay unchanged. */
function escapeRegex(name: string): string {
  return /^<[A-Z_]+>$/.test(name) ? name : name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}
