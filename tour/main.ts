// npm run tour: runs all four programs together, offline, in a new folder. This file reads the
// command line, plays the scenes in order and stops every process at the end.
import { parseArgs } from 'node:util'
import { findProvider, providers } from '@zee/llm'
import { coloursFor, wantsColour } from '@zee/core/colour'
import { usageError, ZeeError } from '@zee/core/errors'
import { prepareFolder, type Cast } from './folder.ts'
import { scenes } from './scenes.ts'
import { Stage, TourStopped } from './stage.ts'

const help = `usage: npm run tour -- [options]

Runs zdx, zeno, zino and zcl on a small repository in a new temporary folder. The model plays a
screenplay, so the tour needs no key and no network. The folder stays there for inspection.

  --provider <name>  use a real model: ${providers.map(({ name }) => name).join(', ')}
  --model <name>     the model, where the provider has no default
  --keep             leave zino running, and keep the folder if the tour is interrupted
  --help             print this text
`

void main().then((code) => {
  process.exitCode = code
})

async function main(): Promise<number> {
  try {
    const options = readOptions(process.argv.slice(2))
    if (options === undefined) {
      process.stdout.write(help)
      return 0
    }
    return await play(options)
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    process.stderr.write(`tour: ${error.message}\n`)
    return error.exitCode
  }
}

interface TourOptions {
  keep: boolean
  cast: Cast
}

function readOptions(args: string[]): TourOptions | undefined {
  const values = parseFlags(args)
  if (values.help) return undefined
  const { provider, model, keep } = values
  if (provider === undefined) {
    if (model !== undefined) throw usageError('--model needs --provider')
    return { keep, cast: { scripted: true } }
  }
  const row = findProvider(provider)
  if (row === undefined || row.wire === 'script') {
    const known = providers.filter(({ wire }) => wire !== 'script').map(({ name }) => name)
    throw usageError(`unknown provider '${provider}' (known: ${known.join(', ')})`)
  }
  const chosen = model ?? row.defaultModel
  if (chosen === undefined) throw usageError(`${provider} has no default model: add --model <name>`)
  return { keep, cast: { scripted: false, provider, model: chosen } }
}

function parseFlags(args: string[]) {
  try {
    return parseArgs({
      args,
      options: {
        provider: { type: 'string' },
        model: { type: 'string' },
        keep: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    }).values
  } catch (error) {
    throw usageError(`${error instanceof Error ? error.message : error} (see --help)`)
  }
}

async function play({ keep, cast }: TourOptions): Promise<number> {
  const stop = new AbortController()
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  process.stdout.on('error', () => stop.abort('SIGPIPE'))
  const folder = prepareFolder(process.env, cast)
  // The steps write to pipes and cannot detect the terminal.
  if (wantsColour(process.stdout, process.env)) folder.env.FORCE_COLOR = '1'
  const stage = new Stage({
    folder,
    out: process.stdout,
    paint: coloursFor(process.stdout, process.env),
    signal: stop.signal,
  })
  let finished = false
  try {
    for (const scene of scenes) await scene(stage, { cast, keep })
    finished = true
    return 0
  } catch (error) {
    if (!(error instanceof TourStopped)) throw error
    process.stderr.write(`\ntour: ${error.message}\n`)
    return error.exitCode
  } finally {
    const keepsFolder = finished || keep
    if (!(keep && finished)) await stage.stopZino()
    if (!keepsFolder) folder.remove()
    else if (!finished) process.stderr.write(`tour: the unfinished tour is in ${folder.base}\n`)
    for (const signal of signals) process.off(signal, onSignal)
  }
}
