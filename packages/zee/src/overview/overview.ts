// `zee` on a terminal: what is here, and what to do next. On a first run it offers three ways to begin.
import path from 'node:path'
import { createInterface } from 'node:readline/promises'
import { coloursFor } from '@zee/core/colour'
import { alignColumns } from '@zee/core/columns'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { streamWriter } from '@zee/core/lossless'
import { projectRoot } from '@zee/agent/project'
import { runFolders } from '@zee/evidence/runs'
import { modelsAvailable, type AvailableModels } from '../models/models.ts'
import { findPlaces, type Places, type StoredSession } from '../places/places.ts'
import { runInTerminal } from '../programs/programs.ts'
import { zinoState, type ZinoState } from '../zino/zino.ts'

const maxTitleLength = 50

export async function showOverview(host: Host): Promise<number> {
  const places = findPlaces(host)
  const [models, zino] = await Promise.all([modelsAvailable(host), zinoState(host)])
  const runs = places.outRoots.flatMap((outRoot) => runFolders(outRoot))
  const write = streamWriter(host.stdout)
  const { bold, cyan } = coloursFor(host.stdout, host.env)
  const rows = [
    ['sessions', describeSessions(places, host)],
    [
      'runs',
      runs.length === 0 ? 'none' : `${runs.length}, newest ${path.basename(runs[0]?.path ?? '')}`,
    ],
    ['zino', describeZino(zino)],
    ['models', describeModels(models)],
  ]
  await write(`${bold('zee')} in ${projectRoot(host.cwd)}\n\n`)
  await write(`${fitLines(alignColumns(rows), host.stdout).join('\n')}\n`)
  const isFirstRun = places.sessions.length === 0 && runs.length === 0 && zino.state === 'absent'
  if (isFirstRun && host.stdin.isTTY) return begin(models.servers, host)
  const steps = nextSteps(places, runs.length, models)
  const lines = alignColumns(steps).map((line, at) => {
    const command = steps[at]?.[0] ?? ''
    return `  ${cyan(command)}${line.slice(command.length)}\n`
  })
  await write(`\n${bold('Next')}\n${lines.join('')}`)
  return 0
}

function describeSessions({ sessions }: Places, host: Host): string {
  const here = projectRoot(host.cwd)
  const [newest] = sessions
  if (newest === undefined) return 'none'
  const count = sessions.filter(({ root }) => root === undefined || root === here).length
  const age = formatAge(host.clock.now().getTime() - newest.modifiedMs)
  return `${count} here, ${sessions.length} in all; newest ${age}: ${titleOf(newest)}`
}

function titleOf({ id, title }: StoredSession): string {
  const text = oneLine(title ?? '') || id
  return text.length <= maxTitleLength ? text : `${text.slice(0, maxTitleLength - 1)}…`
}

function formatAge(ms: number): string {
  const minutes = Math.max(0, Math.floor(ms / 60_000))
  if (minutes === 0) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  if (minutes < 48 * 60) return `${Math.floor(minutes / 60)} h ago`
  return `${Math.floor(minutes / 1440)} days ago`
}

function describeZino(zino: ZinoState): string {
  if (zino.state === 'absent') return 'not set up'
  if (zino.state === 'broken') return `cannot start: ${zino.reason}`
  return zino.state === 'running' ? `running, ${zino.services} services` : 'not running'
}

function describeModels({ keys, servers }: AvailableModels): string {
  const all = [...keys.map((name) => `${name} (key)`), ...servers]
  return all.length === 0 ? 'none: no key and no local server' : all.join(', ')
}

function nextSteps(places: Places, runs: number, models: AvailableModels): string[][] {
  const hasModel = models.keys.length + models.servers.length > 0
  return [
    hasModel
      ? ['zdx', 'work in this folder with a model']
      : ['zdx auth login', 'store a key for a model'],
    runs > 0
      ? ['zee open latest', 'look at what was recorded last']
      : ['zee tour', 'see all four programs, offline'],
    places.sessions.some(({ root }) => root === places.projects[0])
      ? ['zdx -c', 'continue the newest session of this project']
      : ['zee doctor', 'check this machine'],
  ]
}

async function begin([server]: readonly string[], host: Host): Promise<number> {
  const provider = server?.split(' ')[0]
  const local = provider
    ? `${provider}, which runs here (zdx --provider ${provider})`
    : 'start Ollama, LM Studio or llama.cpp, then run zdx'
  host.stdout.write(
    '\nThree ways to begin:\n' +
      '  1  store a key of a model provider (zdx auth login)\n' +
      `  2  use a local model server: ${local}\n` +
      '  3  see a demo of all four programs, offline (zee tour)\n',
  )
  const lines = createInterface({ input: host.stdin, output: host.stdout })
  const answer = await lines.question('Choose 1, 2 or 3, or press Enter to leave: ').catch(() => '')
  lines.close()
  switch (answer.trim()) {
    case '1':
      return runInTerminal('zdx', ['auth', 'login'], host)
    case '2':
      if (provider) return runInTerminal('zdx', ['--provider', provider], host)
      host.stdout.write('For example: ollama serve, then: ollama pull qwen3, then: zdx\n')
      return 0
    case '3': {
      const { playTour } = await import('../tour/tour.ts')
      return playTour({ scripted: true }, false, host)
    }
    default:
      return 0
  }
}
