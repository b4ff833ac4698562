// One line per event: `<name> LEVEL message key=value`. The log collector adds time stamps.
// Values are escaped, bounded and redacted; logging never throws.
import { reasonOf } from '../errors/errors.ts'
import type { Redactor } from '../redact/redact.ts'
import { cutToBytes } from '../text/text.ts'

export type LogLevel = 'DEBUG' | 'INFO' | 'WARNING' | 'ERROR'

/** Fields of an event; undefined values are omitted. */
export type LogFields = Readonly<Record<string, unknown>>

export interface Logger {
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
}

export interface LoggerOptions {
  /** First word of each line, such as `zino.ctx`. */
  name: string
  /** Events below this level are dropped. */
  level: LogLevel
  /** Receives the line with its newline. Exceptions (a closed stderr) are ignored. */
  write: (line: string) => void
  redactor?: Redactor
}

const levels: readonly LogLevel[] = ['DEBUG', 'INFO', 'WARNING', 'ERROR']
const limits = { message: 16_384, value: 2_048 }

export function createLogger({ name, level, write, redactor }: LoggerOptions): Logger {
  const minIndex = levels.indexOf(level)
  const logAt =
    (eventLevel: LogLevel) =>
    (message: string, fields: LogFields = {}): void => {
      if (levels.indexOf(eventLevel) < minIndex) return
      try {
        const words = [name, eventLevel, messageText(message, redactor)]
        for (const [key, value] of Object.entries(fields)) {
          if (value !== undefined) words.push(fieldText(key, value, redactor))
        }
        write(`${words.join(' ')}\n`)
      } catch {
        // A failing log must not fail the program.
      }
    }
  return {
    debug: logAt('DEBUG'),
    info: logAt('INFO'),
    warn: logAt('WARNING'),
    error: logAt('ERROR'),
  }
}

/** Parses a level in any letter case; INFO when it is unknown or missing. */
export function parseLevel(text: string | undefined): LogLevel {
  const wanted = text?.trim().toUpperCase()
  if (wanted === 'WARN') return 'WARNING'
  return levels.find((level) => level === wanted) ?? 'INFO'
}

function messageText(message: string, redactor: Redactor | undefined): string {
  return escaped(bounded(redactor?.text(message).text ?? message, limits.message))
}

function fieldText(key: string, value: unknown, redactor: Redactor | undefined): string {
  const plain = asText(redacted(key, value, redactor))
  const text = bounded(plain, limits.value)
  const needsQuotes = text === '' || /[\s"=\\]/.test(text) || escaped(text) !== text
  const safeKey = escaped(key).replace(/[\s"=]/g, '_')
  return `${safeKey}=${needsQuotes ? quotedText(text) : text}`
}

/** Redacts the value as an object member, so that secret-looking keys count. */
function redacted(key: string, value: unknown, redactor: Redactor | undefined): unknown {
  const plain = value instanceof Error ? reasonOf(value) : value
  if (redactor === undefined) return plain
  const member = redactor.value({ [key]: plain }).value as Record<string, unknown>
  return Object.values(member)[0]
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return String(value)
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return '[unprintable]'
  }
}

function bounded(text: string, maxBytes: number): string {
  const cut = cutToBytes(text, maxBytes)
  if (!cut.truncated) return text
  return `${cut.text}...(+${cut.bytes - Buffer.byteLength(cut.text)} bytes)`
}

function quotedText(text: string): string {
  return `"${escaped(text.replace(/["\\]/g, String.raw`\$&`))}"`
}

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ['\n', String.raw`\n`],
  ['\r', String.raw`\r`],
  ['\t', String.raw`\t`],
])

/** Escapes control and format characters and lone surrogates: they could break or forge a line. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16)
    return shortEscapes.get(character) ?? String.raw`\u` + code.padStart(4, '0')
  })
}
