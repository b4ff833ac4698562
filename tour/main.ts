// npm run tour: all four programs do real work together, offline, in a fresh folder.
// This file reads the command line, plays the scenes in order and leaves nothing running.
import { parseArgs } from 'node:util'
import { findProvider, providers } from '@zee/llm'
import { coloursFor, wantsColour } from '@zee/core/colour'
import { usageError, ZeeError } from '@zee/core/errors'
import { prepareFolder, type Cast } from './folder.ts'
import { scenes } from './scenes.ts'
import { Stage, TourStopped } from './stage.ts'

const help = `usage: npm run tour -- [options]

Shows zdx, zeno, zino and zcl at work on a small repository, in a fresh folder below the temp folder.
The model is a screenplay, so it needs no key and no network. What it made stays there to be looked at.

  --provider <name>  let a real model do it: ${providers.map(({ name }) => name).join(', ')}
  --model <name>     which one, where the provider has no usual one
  --keep             leave zino running, and keep the folder also when the tour is broken off
  --help             print this text
`

void main().then((code) => {
  process.exitCode = code
})

async function main(): Promise<number> {
  try {
    const asked = readOptions(process.argv.slice(2))
    if (asked === undefined) {
      process.stdout.write(help)
      return 0
    }
    return await play(asked)
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    process.stderr.write(`tour: ${error.message}\n`)
    return error.exitCode
  }
}

interface Asked {
  keep: boolean
  cast: Cast
}

function readOptions(args: string[]): Asked | undefined {
  const values = parsed(args)
  if (values.help) return undefined
  const { provider, model, keep } = values
  if (provider === undefined) {
    if (model !== undefined) throw usageError('--model goes with --provider')
    return { keep, cast: { scripted: true } }
  }
  const row = findProvider(provider)
  if (row === undefined || row.wire === 'script') {
    const known = providers.filter(({ wire }) => wire !== 'script').map(({ name }) => name)
    throw usageError(`unknown provider '${provider}' (known: ${known.join(', ')})`)
  }
  const chosen = model ?? row.defaultModel
  if (chosen === undefined) throw usageError(`which model of ${provider}? Name one with --model`)
  return { keep, cast: { scripted: false, provider, model: chosen } }
}

function parsed(args: string[]) {
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

async function play({ keep, cast }: Asked): Promise<number> {
  const stop = new AbortController()
  const onSignal = (signal: NodeJS.Signals): void => stop.abort(signal)
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
  for (const signal of signals) process.on(signal, onSignal)
  process.stdout.on('error', () => stop.abort('SIGPIPE'))
  const folder = prepareFolder(process.env, cast)
  // The steps write into our pipes and cannot see where it ends.
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
    const stays = finished || keep
    if (!(keep && finished)) await stage.stopZino()
    if (!stays) folder.remove()
    else if (!finished) process.stderr.write(`tour: what there is so far: ${folder.base}\n`)
    for (const signal of signals) process.off(signal, onSignal)
  }
}
