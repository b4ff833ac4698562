// The tour's own folder: a small repository, screenplays, and an environment that leads every
// program into this folder and nowhere else.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { agentPlay, repositoryFiles, zinoPlay } from './story.ts'

/** Who plays the model. */
export type Cast = { scripted: true } | { scripted: false; provider: string; model: string }

export interface TourFolder {
  base: string
  repository: string
  /** What every step sees. */
  env: Record<string, string | undefined>
  /** A shell file that gives a reader the same environment. */
  envFile: string
  path(...names: string[]): string
  read(...names: string[]): string
  /** Takes `NAME=value` lines into the environment. */
  take(variables: string): void
  remove(): void
}

type Environment = Readonly<Record<string, string | undefined>>

const programs = path.resolve(process.cwd(), 'node_modules/.bin')

export function prepareFolder(outside: Environment, cast: Cast): TourFolder {
  const base = mkdtempSync(path.join(realpathSync(os.tmpdir()), 'zee-tour-'))
  const place = (...names: string[]): string => path.join(base, ...names)
  for (const [name, text] of Object.entries(repositoryFiles)) put(place('shop', name), text)
  if (cast.scripted) {
    put(place('zdx-play.jsonl'), linesOf(agentPlay))
    put(place('zino-play.jsonl'), linesOf(zinoPlay))
  }
  mkdirSync(place('home'))
  const own: Record<string, string> = {
    PATH: `${programs}${path.delimiter}${outside.PATH ?? ''}`,
    ZDX_HOME: place('zdx'),
    ZINO_CONFIG: place('zino/ZINO.toml'),
  }
  const env: Record<string, string | undefined> = { ...withoutZee(outside), ...own }
  env.HOME = place('home')
  const envFile = place('env.sh')
  const save = (): void => writeFileSync(envFile, shellLines(own))
  save()
  return {
    base,
    repository: place('shop'),
    env,
    envFile,
    path: place,
    read: (...names) => readFileSync(place(...names), 'utf8'),
    take(variables) {
      for (const [, name = '', text = ''] of variables.matchAll(/^([A-Z_]+)=(.*)$/gm)) {
        const isQuoted = text.startsWith('"')
        own[name] = env[name] = isQuoted ? text.slice(1, -1).replaceAll(/\\(.)/g, '$1') : text
      }
      save()
    },
    remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** Nothing of the user's own zee may mix with the tour; keys of providers stay. */
function withoutZee(outside: Environment): Record<string, string | undefined> {
  const foreign = /^(ZDX_|ZENO_|ZINO_|ZCL_|XDG_|NODE_OPTIONS$|npm_|NODE_EXTRA_CA_CERTS$)/
  return Object.fromEntries(Object.entries(outside).filter(([name]) => !foreign.test(name)))
}

function put(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}

function linesOf(steps: readonly object[]): string {
  return steps.map((step) => `${JSON.stringify(step)}\n`).join('')
}

function shellLines(variables: Record<string, string>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", String.raw`'\''`)}'\n`)
    .join('')
}
