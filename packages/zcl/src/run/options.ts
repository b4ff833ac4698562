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
  /** Answer from this trace instead of running the command. */
  serveTrace: string | undefined
  /** The journal of served calls, for calls outside an attempt. */
  serveState: string | undefined
  /** Rules of injected faults, as typed. */
  inject: readonly string[]
  injectSeed: string | undefined
  /** The configuration of the project, instead of `zcl.config.json`. */
  config: string | undefined
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

type TextName = 'attempt' | 'serveTrace' | 'serveState' | 'injectSeed' | 'config'

const textNames: ReadonlyMap<string, TextName> = new Map([
  ['--attempt', 'attempt'],
  ['--serve-trace', 'serveTrace'],
  ['--serve-state', 'serveState'],
  ['--inject-seed', 'injectSeed'],
  ['--config', 'config'],
])

const hint = "(see 'zcl run --help')"

export function readRunOptions(words: readonly string[]): RunOptions {
  const end = words.indexOf('--')
  const flags = { capture: false, captureRaw: false, envelope: false, json: false }
  let captureMaxBytes: number | undefined
  const texts: Record<TextName, string | undefined> = {
    attempt: undefined,
    serveTrace: undefined,
    serveState: undefined,
    injectSeed: undefined,
    config: undefined,
  }
  const inject: string[] = []
  const ignoreArgv: string[] = []
  const flagWords = words.slice(0, end < 0 ? words.length : end)
  for (let at = 0; at < flagWords.length; at++) {
    const [flag = '', value] = splitFlag(flagWords[at] ?? '')
    const name = switches.get(flag)
    if (name !== undefined && value === undefined) flags[name] = true
    else if (flag === '--capture-max-bytes') captureMaxBytes = byteCount(value ?? flagWords[++at])
    else if (textNames.has(flag)) {
      texts[textNames.get(flag) ?? 'attempt'] = textOf(flag, value ?? flagWords[++at])
    } else if (flag === '--ignore-argv') ignoreArgv.push(textOf(flag, value ?? flagWords[++at]))
    else if (flag === '--inject') inject.push(textOf(flag, value ?? flagWords[++at]))
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
    ...texts,
    ignoreArgv,
    inject,
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
