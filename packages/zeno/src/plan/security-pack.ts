// Patterns of the security audit. A match is code that deserves a review, not a finding.
import { readBoundedFile } from '@zee/core/bounded-file'
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
    'code built from a string',
  ),
  pattern(
    'exec-script',
    'code-exec',
    'high',
    scriptLanguages,
    script,
    '\\beval\\s*\\(|\\bnew\\s+Function\\s*\\(|\\bvm\\.run',
    'code built from a string',
  ),
  pattern(
    'exec-ruby-php',
    'code-exec',
    'high',
    ['ruby', 'php'],
    ['**/*.{rb,php}'],
    '\\b(?:eval|instance_eval|class_eval|assert|create_function)\\s*\\(',
    'code built from a string',
  ),
  pattern(
    'command-python',
    'command-injection',
    'high',
    ['python'],
    python,
    'shell\\s*=\\s*True|\\bos\\.(?:system|popen)\\s*\\(',
    'command line passed to a shell',
  ),
  pattern(
    'command-script',
    'command-injection',
    'high',
    scriptLanguages,
    script,
    '\\bexec(?:Sync)?\\s*\\(\\s*[`"\']|shell\\s*:\\s*true',
    'command line passed to a shell',
  ),
  pattern(
    'command-go-java',
    'command-injection',
    'high',
    ['go', 'java'],
    ['**/*.{go,java,kt}'],
    'exec\\.Command\\s*\\(\\s*"(?:sh|bash|cmd)"|getRuntime\\(\\)\\.exec|new\\s+ProcessBuilder',
    'command line passed to a shell',
  ),
  pattern(
    'command-ruby-php',
    'command-injection',
    'high',
    ['ruby', 'php'],
    ['**/*.{rb,php}'],
    '\\b(?:system|shell_exec|passthru|popen|proc_open)\\s*\\(|%x[{(\\[]',
    'command line passed to a shell',
  ),
  pattern(
    'unpickle',
    'deserialization',
    'high',
    ['python'],
    python,
    '\\b(?:c?[pP]ickle|dill|shelve|marshal)\\.(?:loads?|open)\\s*\\(|yaml\\.load\\s*\\((?!.*SafeLoader)',
    'deserialization of untrusted bytes',
  ),
  pattern(
    'object-stream',
    'deserialization',
    'high',
    ['java', 'kotlin'],
    ['**/*.{java,kt}'],
    '\\bObjectInputStream\\b|\\bXMLDecoder\\b|\\breadObject\\s*\\(',
    'deserialization of untrusted bytes',
  ),
  pattern(
    'unserialize',
    'deserialization',
    'high',
    ['php', 'ruby', ...scriptLanguages],
    ['**/*.{php,rb,js,ts}'],
    '\\bunserialize\\s*\\(|\\bMarshal\\.load\\b|\\bYAML\\.load\\s*\\(',
    'deserialization of untrusted bytes',
  ),
  pattern(
    'tls-off',
    'auth',
    'high',
    [],
    all,
    'verify\\s*=\\s*False|rejectUnauthorized\\s*:\\s*false|InsecureSkipVerify\\s*:\\s*true|NODE_TLS_REJECT_UNAUTHORIZED',
    'certificate checks disabled',
  ),
  pattern(
    'jwt-none',
    'auth',
    'high',
    [],
    all,
    '(?i)jwt.*(?:verify\\s*[:=]\\s*false|\\bnone\\b)|algorithms?\\s*[:=]\\s*\\[?\\s*["\']none',
    'token signature not checked',
  ),
  pattern(
    'auth-bypass',
    'auth',
    'medium',
    [],
    all,
    '(?i)(?:skip|bypass|disable|no)[_-]?auth(?:entication|orization)?\\b|csrf_exempt|AllowAnonymous|permitAll',
    'authentication or authorization skipped',
  ),
  pattern(
    'weak-hash',
    'auth',
    'medium',
    [],
    all,
    '(?i)\\b(?:md5|sha1)\\s*\\(|createHash\\(["\'](?:md5|sha1)["\']',
    'broken hash function',
  ),
  pattern(
    'sql-joined',
    'sql-injection',
    'high',
    [],
    all,
    '(?i)["\'`]\\s*(?:select|insert|update|delete)\\b[^"\'`]*["\'`]\\s*(?:\\+|%|\\.format)',
    'query built from strings',
  ),
  pattern(
    'sql-interpolated',
    'sql-injection',
    'high',
    [],
    all,
    '(?i)(?:f["\']|`)\\s*(?:select|insert|update|delete)\\b[^"\'`]*(?:\\$?\\{)',
    'query built from strings',
  ),
  pattern(
    'secret-assigned',
    'secrets',
    'high',
    [],
    all,
    '(?i)\\b(?:api[_-]?key|secret|passw(?:or)?d|token)\\b\\s*[:=]\\s*["\'][^"\'\\s]{8,}["\']',
    'hard-coded secret',
  ),
  pattern(
    'secret-key',
    'secrets',
    'critical',
    [],
    all,
    '-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----|\\bAKIA[0-9A-Z]{16}\\b|\\bgh[pousr]_[A-Za-z0-9]{36}\\b',
    'hard-coded key',
  ),
]

/** Reads a user's pack: `{version, patterns: [...]}`. */
export function readPack(file: string): SecurityPattern[] {
  let pack: unknown
  try {
    pack = JSON.parse(readBoundedFile(file).toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) throw usageError(`${oneLine(file)} is not JSON`)
    const { code, message } = fileError('read', file, error)
    throw new ZeeError(code, message, { exitCode: 2, cause: error })
  }
  if (!isObject(pack) || !Array.isArray(pack.patterns)) {
    throw usageError(`${oneLine(file)} has no list 'patterns'`)
  }
  return pack.patterns.map((row: unknown, index) => parsePattern(file, row, index))
}

function parsePattern(file: string, row: unknown, index: number): SecurityPattern {
  if (!isObject(row) || typeof row.pattern !== 'string' || row.pattern === '') {
    throw usageError(`${oneLine(file)}: pattern ${index + 1} has no pattern`)
  }
  const stringOr = (value: unknown, defaultValue: string): string =>
    typeof value === 'string' ? value : defaultValue
  return {
    id: stringOr(row.id, `pattern-${index + 1}`),
    category: stringOr(row.category, 'other'),
    severity: stringOr(row.severity, 'medium'),
    pattern: row.pattern,
    regex: row.regex === true,
    languages: stringsIn(row.languages),
    globs: stringsIn(row.globs),
    description: stringOr(row.description, ''),
  }
}

function stringsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
