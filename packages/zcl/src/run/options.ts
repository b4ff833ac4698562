// Reads the command line of `zcl run` without the parser, which would slow its start. Everything after
// `--` belongs to the wrapped command.
import { usageError } from '@zee/core/errors'
import { limits } from '@zee/evidence/limits'

export interface RunOptions {
  capture: boolean
  captureRaw: boolean
  captureMaxBytes: number
  /** Print one JSON object instead of passing the output through. */
  envelope: boolean
  /** The folder of the attempt; the environment names it by default. */
  attempt: string | undefined
  /** Regular expressions; a command line that matches one is counted apart. */
  ignoreArgv: readonly string[]
  command: string
  args: readonly string[]
}

const maxCaptureBytes = 1024 ** 3

const switches: ReadonlyMap<string, 'capture' | 'captureRaw' | 'envelope' | 'json'> = new Map([
  ['--capture', 'capture'],
  ['--capture-raw', 'captureRaw'],
  ['--envelope', 'envelope'],
  ['--json', 'json'],
])

const hint = "(see 'zcl run --help')"

export function readRunOptions(words: readonly string[]): RunOptions {
  const end = words.indexOf('--')
  const flags = { capture: false, captureRaw: false, envelope: false, json: false }
  let captureMaxBytes: number | undefined
  let attempt: string | undefined
  const ignoreArgv: string[] = []
  const flagWords = words.slice(0, end < 0 ? words.length : end)
  for (let at = 0; at < flagWords.length; at++) {
    const [flag = '', value] = splitFlag(flagWords[at] ?? '')
    const name = switches.get(flag)
    if (name !== undefined && value === undefined) flags[name] = true
    else if (flag === '--capture-max-bytes') captureMaxBytes = byteCount(value ?? flagWords[++at])
    else if (flag === '--attempt') attempt = textOf(flag, value ?? flagWords[++at])
    else if (flag === '--ignore-argv') ignoreArgv.push(textOf(flag, value ?? flagWords[++at]))
    else if (flag.startsWith('-')) throw usageError(`unknown option '${flag}' ${hint}`)
    else throw usageError(`put the command after '--': zcl run -- ${flag} ... ${hint}`)
  }
  const [command, ...args] = end < 0 ? [] : words.slice(end + 1)
  if (command === undefined) throw usageError(`no command after '--' ${hint}`)
  if (flags.json !== flags.envelope) throw usageError(`use --envelope and --json together ${hint}`)
  const needsCapture = flags.captureRaw || captureMaxBytes !== undefined
  if (needsCapture && !flags.capture) {
    throw usageError(`--capture-raw and --capture-max-bytes need --capture ${hint}`)
  }
  return {
    capture: flags.capture,
    captureRaw: flags.captureRaw,
    captureMaxBytes: captureMaxBytes ?? limits.captureBytes,
    envelope: flags.envelope,
    attempt,
    ignoreArgv,
    command,
    args,
  }
}

function splitFlag(word: string): [string, string | undefined] {
  const at = word.startsWith('--') ? word.indexOf('=') : -1
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)]
}

function textOf(flag: string, value: string | undefined): string {
  if (value !== undefined && value !== '') return value
  throw usageError(`${flag} needs a value ${hint}`)
}

function byteCount(text: string | undefined): number {
  const value = text !== undefined && /^\d{1,12}$/.test(text) ? Number(text) : 0
  if (value >= 1 && value <= maxCaptureBytes) return value
  throw usageError(`--capture-max-bytes needs a whole number from 1 to ${maxCaptureBytes} ${hint}`)
}
