// What a first security pass looks for: calls and texts that deserve a second look, not findings.
import { readFileSync } from 'node:fs'
import { fileError, oneLine, usageError, ZeeError } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

export interface SecurityPattern {
  id: string
  category: string
  severity: string
  pattern: string
  regex: boolean
  languages: readonly string[]
  globs: readonly string[]
  description: string
}

const pattern = (
  id: string,
  category: string,
  severity: string,
  languages: readonly string[],
  globs: readonly string[],
  text: string,
  description: string,
): SecurityPattern => ({
  id,
  category,
  severity,
  pattern: text,
  regex: true,
  languages,
  globs,
  description,
})

const python = ['**/*.py']
const script = ['**/*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}']
const scriptLanguages = ['javascript', 'typescript']
const all: readonly string[] = []

export const builtInPack: readonly SecurityPattern[] = [
  pattern(
    'exec-python',
    'code-exec',
    'high',
    ['python'],
    python,
    '\\b(?:eval|exec|compile)\\s*\\(',
    'code made from text',
  ),
  pattern(
    'exec-script',
    'code-exec',
    'high',
    scriptLanguages,
    script,
    '\\beval\\s*\\(|\\bnew\\s+Function\\s*\\(|\\bvm\\.run',
    'code made from text',
  ),
  pattern(
    'exec-ruby-php',
    'code-exec',
    'high',
    ['ruby', 'php'],
    ['**/*.{rb,php}'],
    '\\b(?:eval|instance_eval|class_eval|assert|create_function)\\s*\\(',
    'code made from text',
  ),
  pattern(
    'command-python',
    'command-injection',
    'high',
    ['python'],
    python,
    'shell\\s*=\\s*True|\\bos\\.(?:system|popen)\\s*\\(',
    'a shell gets a line',
  ),
  pattern(
    'command-script',
    'command-injection',
    'high',
    scriptLanguages,
    script,
    '\\bexec(?:Sync)?\\s*\\(\\s*[`"\']|shell\\s*:\\s*true',
    'a shell gets a line',
  ),
  pattern(
    'command-go-java',
    'command-injection',
    'high',
    ['go', 'java'],
    ['**/*.{go,java,kt}'],
    'exec\\.Command\\s*\\(\\s*"(?:sh|bash|cmd)"|getRuntime\\(\\)\\.exec|new\\s+ProcessBuilder',
    'a shell gets a line',
  ),
  pattern(
    'command-ruby-php',
    'command-injection',
    'high',
    ['ruby', 'php'],
    ['**/*.{rb,php}'],
    '\\b(?:system|shell_exec|passthru|popen|proc_open)\\s*\\(|%x[{(\\[]',
    'a shell gets a line',
  ),
  pattern(
    'unpickle',
    'deserialization',
    'high',
    ['python'],
    python,
    '\\b(?:c?[pP]ickle|dill|shelve|marshal)\\.(?:loads?|open)\\s*\\(|yaml\\.load\\s*\\((?!.*SafeLoader)',
    'objects made from bytes',
  ),
  pattern(
    'object-stream',
    'deserialization',
    'high',
    ['java', 'kotlin'],
    ['**/*.{java,kt}'],
    '\\bObjectInputStream\\b|\\bXMLDecoder\\b|\\breadObject\\s*\\(',
    'objects made from bytes',
  ),
  pattern(
    'unserialize',
    'deserialization',
    'high',
    ['php', 'ruby', ...scriptLanguages],
    ['**/*.{php,rb,js,ts}'],
    '\\bunserialize\\s*\\(|\\bMarshal\\.load\\b|\\bYAML\\.load\\s*\\(',
    'objects made from bytes',
  ),
  pattern(
    'tls-off',
    'auth',
    'high',
    [],
    all,
    'verify\\s*=\\s*False|rejectUnauthorized\\s*:\\s*false|InsecureSkipVerify\\s*:\\s*true|NODE_TLS_REJECT_UNAUTHORIZED',
    'certificates are not checked',
  ),
  pattern(
    'jwt-none',
    'auth',
    'high',
    [],
    all,
    '(?i)jwt.*(?:verify\\s*[:=]\\s*false|\\bnone\\b)|algorithms?\\s*[:=]\\s*\\[?\\s*["\']none',
    'a token is not checked',
  ),
  pattern(
    'auth-bypass',
    'auth',
    'medium',
    [],
    all,
    '(?i)(?:skip|bypass|disable|no)[_-]?auth(?:entication|orization)?\\b|csrf_exempt|AllowAnonymous|permitAll',
    'a check is left out',
  ),
  pattern(
    'weak-hash',
    'auth',
    'medium',
    [],
    all,
    '(?i)\\b(?:md5|sha1)\\s*\\(|createHash\\(["\'](?:md5|sha1)["\']',
    'a hash that is broken',
  ),
  pattern(
    'sql-joined',
    'sql-injection',
    'high',
    [],
    all,
    '(?i)["\'`]\\s*(?:select|insert|update|delete)\\b[^"\'`]*["\'`]\\s*(?:\\+|%|\\.format)',
    'a query put together from text',
  ),
  pattern(
    'sql-interpolated',
    'sql-injection',
    'high',
    [],
    all,
    '(?i)(?:f["\']|`)\\s*(?:select|insert|update|delete)\\b[^"\'`]*(?:\\$?\\{)',
    'a query put together from text',
  ),
  pattern(
    'secret-assigned',
    'secrets',
    'high',
    [],
    all,
    '(?i)\\b(?:api[_-]?key|secret|passw(?:or)?d|token)\\b\\s*[:=]\\s*["\'][^"\'\\s]{8,}["\']',
    'a secret in the source',
  ),
  pattern(
    'secret-key',
    'secrets',
    'critical',
    [],
    all,
    '-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\\bAKIA[0-9A-Z]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{36}\\b',
    'a key in the source',
  ),
]

/** A user's own pack: `{version, patterns: [...]}`. */
export function readPack(file: string): SecurityPattern[] {
  let pack: unknown
  try {
    pack = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageError(`${oneLine(file)} is not JSON`)
    const { code, message } = fileError('read', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
  if (!isObject(pack) || !Array.isArray(pack.patterns)) {
    throw usageError(`${oneLine(file)} has no list of patterns`)
  }
  return pack.patterns.map((row: unknown, index) => parsePattern(file, row, index))
}

function parsePattern(file: string, row: unknown, index: number): SecurityPattern {
  if (!isObject(row) || typeof row.pattern !== 'string' || row.pattern === '') {
    throw usageError(`${oneLine(file)}: pattern ${index + 1} has no pattern`)
  }
  const word = (value: unknown, usual: string): string =>
    typeof value === 'string' ? value : usual
  return {
    id: word(row.id, `pattern-${index + 1}`),
    category: word(row.category, 'other'),
    severity: word(row.severity, 'medium'),
    pattern: row.pattern,
    regex: row.regex === true,
    languages: stringsIn(row.languages),
    globs: stringsIn(row.globs),
    description: word(row.description, ''),
  }
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
