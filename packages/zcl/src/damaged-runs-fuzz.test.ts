// No command that reads evidence answers with the text of a JavaScript error, whatever the evidence
// holds. Every round damages some files and runs every reading command; ZEE_ROUNDS sets their number.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seededRandom } from '@zee/core/random'
import { zclHere } from '../test/command-here.ts'
import { damageProject } from '../test/damage.ts'
import {
  soundAttempts,
  soundProject,
  soundRuns,
  soundTime,
  writeFiles,
} from '../test/sound-project.ts'

const rounds = Number(process.env.ZEE_ROUNDS ?? 1)
const firstRound = Number(process.env.ZEE_FIRST_ROUND ?? 0)
/** Rounds that found a defect: an outcome that nests too deep, which `suite resume` read forever. */
const knownRounds = [100_143]
const files = soundProject()
const names = [...files.keys()].filter((name) => !name.startsWith(`.zcl/runs/${soundRuns[1]}/`))

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(tmpdir(), 'zcl-damage-')))
  writeFiles(root, files)
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('commands over damaged evidence end with a typed line and no JavaScript error', async () => {
  const found = new Map<string, string>()
  const newRounds = Array.from({ length: rounds }, (_, index) => firstRound + index)
  for (const round of [...knownRounds, ...newRounds]) {
    const damaged = damageProject(root, names, seededRandom(round))
    for (const variants of commands) {
      const command = variants[round % variants.length] ?? ''
      const { out, err } = await zclHere(command, root, soundTime)
      const said = command.startsWith('view') ? err : out + err
      if (!javaScriptError.test(said)) continue
      found.set(`${command}: ${excerpt(said)}`, `round ${round}`)
    }
    for (const variants of startingCommands) {
      const command = variants[round % variants.length] ?? ''
      const said = await inCopy(command)
      if (!javaScriptError.test(said)) continue
      found.set(`${command}: ${excerpt(said)}`, `round ${round}`)
    }
    for (const name of [...damaged, ...written]) restore(name)
    rmSync(path.join(root, 'imported'), { recursive: true, force: true })
  }
  expect(Object.fromEntries(found)).toEqual({})
}, 3_600_000)

const javaScriptError =
  /unexpected error|(?:Type|Range|Syntax|Reference|URI|Aggregate)Error|undefined is not|Cannot (?:read|set|access|destructure|convert|mix)|is not (?:iterable|a function|a constructor|an Object|extensible|defined|valid JSON)|Unexpected (?:token|end|string|number|non-white)|in JSON at|Invalid (?:array|string|time|date|count|regular|Date)|Maximum call stack|\[object Object\]|ERR_[A-Z]|\bNaN\b|node:internal|\.[cm]?[jt]s:\d+/

const run = `.zcl/runs/${soundRuns[0]}`
const attempt = `${run}/attempts/001-m-r1`
const retried = `${run}/attempts/002-m-r2`
const [, other] = soundRuns

/** Every command that reads evidence and starts no program; a round runs one variant of each. */
const commands: readonly (readonly string[])[] = [
  [`validate ${run}`, `validate --strict --json ${run}`, `validate --semantic --json ${run}`],
  [`show ${run}`, `show --json ${attempt}`],
  [`attempt explain ${attempt}`, `attempt explain --json --strict ${retried}`],
  [`attempt env ${attempt}`],
  ['attempt list --json', 'attempt latest'],
  ['runs list --json', 'runs'],
  [`stats ${run}`, `stats --json ${run} ${other}`],
  [
    `compare ${run} ${other} --resamples 50 --fail-on worse --each-mission`,
    `compare ${run} ${other} --resamples 50 --any-profile --json`,
    `compare ${other} ${run} --resamples 50 --any-profile --format markdown`,
    `compare ${other} ${run} --resamples 50 --any-profile --format junit`,
  ],
  [`expect --json ${run}`, `expect --strict ${attempt}`],
  [`replay --json ${attempt}`, `replay --verify-only ${retried}`],
  [`judge ${attempt}`],
  ['otlp-json', 'atif', 'junit', 'csv', 'jsonl', 'inspect'].map(
    (format) => `export --format ${format} --out out.export ${run}`,
  ),
  [`view ${run}`, `view ${attempt}`, `view ${run} .zcl/runs/${other}`],
  ['codex', 'claude', 'gemini', 'pi', 'zdx'].map(
    (runner) => `enrich --runner ${runner} --rollout rollout.jsonl ${attempt}`,
  ),
  ['codex', 'claude', 'atif', 'otlp', 'promptfoo'].map(
    (format) => `import ${format} --out-root imported rollout.jsonl`,
  ),
  ['campaign status --campaign-id c --json', 'campaign status --campaign-id c'],
  ['campaign report --campaign-id c --force', 'campaign publish-check --campaign-id c --json'],
  ['campaign lint --spec campaign.json --json', 'mission prompts build --spec campaign.json'],
  [`pin --run-id ${soundRuns[0]} --on`],
  ['gc --dry-run --json', 'doctor --json'],
  [`report --strict ${attempt}`, `report --json ${run}`, `report --level all --json ${attempt}`],
  [`attempt finish --json ${attempt}`, `attempt finish --strict --strict-expect ${retried}`],
]

/** Commands that start the runner or write runs; each works on a copy of the damaged project. */
const startingCommands: readonly (readonly string[])[] = [
  [
    `suite resume --run-id ${soundRuns[0]} --json`,
    `suite resume --run-id ${soundRuns[0]} --json -- /bin/true`,
  ],
  ['worker --json', `worker --run-id ${soundRuns[0]}`],
  [
    `fork ${attempt} --json -- /bin/true`,
    `fork ${attempt} --at 1 --patch patch.json -- /bin/true`,
    `fork ${retried} --each --patch patch.json --json -- /bin/true`,
  ],
  [`mcp serve-trace ${attempt}`, `http serve-trace ${attempt}`],
  [`shim --serve-trace ${attempt} --dir shims`, `run --serve-trace ${attempt} -- ls --help`],
  [
    'query SELECT_*_FROM_attempts --format json',
    'query SELECT_*_FROM_calls --format csv',
    'query SELECT_count(*)_FROM_runs',
  ],
]

/** Everything that the command prints. A server ends with its input or, over HTTP, with a signal. */
async function inCopy(command: string): Promise<string> {
  const copy = `${root}-copy`
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true })
  try {
    const before = new Set(process.listeners('SIGHUP'))
    const ran = zclHere(command, copy, soundTime, mcpRequests)
    const endServer = () => {
      for (const each of process.listeners('SIGHUP')) if (!before.has(each)) each('SIGHUP')
    }
    const ending = command.startsWith('http') ? setInterval(endServer, 20) : undefined
    const { out, err } = await ran.finally(() => clearInterval(ending))
    return out + err
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const request = (id: number, method: string, params: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`
const mcpRequests =
  request(1, 'initialize', {}) +
  request(2, 'tools/list', {}) +
  request(3, 'tools/call', { name: 't', arguments: { a: 1 } })

/** Files that the commands write. */
const written: readonly string[] = [
  ...['run.json', 'run.report.json'].map((name) => `${run}/${name}`),
  ...['attempt.report.json', 'runner.metrics.json', 'runner.ref.json', 'messages.jsonl'].flatMap(
    (name) => soundAttempts.map((id) => `${run}/attempts/${id}/${name}`),
  ),
  ...['campaign.report.json', 'campaign.summary.json', 'RESULTS.md', 'mission.prompts.json'].map(
    (name) => `.zcl/campaigns/c/${name}`,
  ),
]

/** The text around the match. */
function excerpt(said: string): string {
  const at = javaScriptError.exec(said)?.index ?? 0
  return said.slice(Math.max(0, at - 80), at + 120).trim()
}

function restore(name: string): void {
  const file = path.join(root, name)
  rmSync(file, { recursive: true, force: true })
  const text = files.get(name)
  if (text === undefined) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, text)
}
