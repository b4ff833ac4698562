// The commands that the damage fuzz runs: every command that reads evidence, logs or specifications.
// Each entry lists variants of one command; a round runs one of them.
import { soundAttempts, soundRuns } from './sound-project.ts'

const run = `.zcl/runs/${soundRuns[0]}`
const attempt = `${run}/attempts/${soundAttempts[0]}`
const retried = `${run}/attempts/${soundAttempts[1]}`
const [first, other] = soundRuns

/** Log files by runner, for `zcl enrich`. */
const logOf: Readonly<Record<string, string>> = {
  codex: 'logs/codex/rollout-1.jsonl',
  claude: 'logs/claude/s1.jsonl',
  gemini: 'logs/gemini/session-1.jsonl',
  pi: 'logs/pi/session.jsonl',
  zdx: 'logs/zdx/session.jsonl',
  qwen: 'logs/qwen/session.jsonl',
  copilot: 'logs/copilot/events.jsonl',
  opencode: 'logs/opencode/export.json',
}

/** Files and folders by format, for `zcl import`. */
const sourceOf: Readonly<Record<string, string>> = {
  inspect: 'logs/inspect.json',
  harbor: 'logs/harbor',
  atif: 'logs/atif.json',
  promptfoo: 'logs/promptfoo.json',
  otlp: 'logs/otlp.json',
  codex: 'logs/codex',
  claude: 'logs/claude',
  opencode: 'logs/opencode/export.json',
  gemini: 'logs/gemini',
  pi: 'logs/pi',
}

/** Commands that start no program. */
export const readingCommands: readonly (readonly string[])[] = [
  [
    `validate ${run}`,
    `validate --strict --json ${run}`,
    `validate --semantic --semantic-rules rules.json --json ${run}`,
  ],
  [`show ${run}`, `show --json ${attempt}`],
  [`attempt explain ${attempt}`, `attempt explain --json --strict ${retried}`],
  [`attempt env ${attempt}`, `attempt env --format dotenv ${retried}`],
  ['attempt list --json', 'attempt latest', 'attempt list --status ok'],
  ['runs list --json', 'runs'],
  [`stats ${run}`, `stats --json ${run} ${other}`],
  [
    `compare ${run} ${other} --resamples 100 --fail-on worse --each-mission`,
    `compare ${run} ${other} --resamples 100 --any-profile --json`,
    `compare ${other} ${run} --resamples 100 --any-profile --format markdown`,
    `compare ${other} ${run} --resamples 100 --any-profile --format junit`,
  ],
  [`expect --json ${run}`, `expect --strict ${attempt}`],
  [`replay --json ${attempt}`, `replay --verify-only ${retried}`],
  [`judge ${attempt}`],
  ['otlp-json', 'atif', 'junit', 'csv', 'jsonl', 'inspect'].map(
    (format) => `export --format ${format} --out out.export ${run}`,
  ),
  [`view ${run}`, `view ${attempt}`, `view ${run} .zcl/runs/${other}`],
  Object.entries(logOf).map(
    ([runner, log]) => `enrich --runner ${runner} --rollout ${log} ${attempt}`,
  ),
  Object.entries(sourceOf).map(
    ([format, source]) => `import ${format} --out-root imported ${source}`,
  ),
  ['campaign status --campaign-id c --json', 'campaign status --campaign-id c'],
  ['campaign report --campaign-id c --force', 'campaign publish-check --campaign-id c --json'],
  [
    'campaign lint --spec campaign.json --json',
    'campaign doctor --spec campaign.json --json',
    'mission prompts build --spec campaign.json',
  ],
  [`pin --run-id ${first} --on`],
  ['gc --dry-run --json', 'doctor --json'],
  [`report --strict ${attempt}`, `report --json ${run}`, `report --level all --json ${attempt}`],
  [`attempt finish --json ${attempt}`, `attempt finish --strict --strict-expect ${retried}`],
]

/** Commands that start programs, write runs or load a database; each works on a copy of the project. */
export const startingCommands: readonly (readonly string[])[] = [
  [
    `suite resume --run-id ${first} --json`,
    `suite resume --run-id ${first} --json -- /bin/true`,
    'suite plan --file suite.json --json',
    `suite run --file suite.json --until-decided --against ${first} --json -- /bin/true`,
  ],
  ['worker --json', `worker --run-id ${first}`],
  [
    `fork ${attempt} --json -- /bin/true`,
    `fork ${attempt} --at 1 --patch patch.json -- /bin/true`,
    `fork ${retried} --each --patch patch.json --json -- /bin/true`,
  ],
  [
    `mcp serve-trace ${attempt}`,
    `http serve-trace ${attempt}`,
    `shim --serve-trace ${attempt} --dir shims`,
  ],
  [
    'gc --older-than 1s --json',
    'campaign resume --spec campaign.json --json',
    'campaign run --spec campaign.json --campaign-id d --json',
  ],
  [
    'query SELECT_*_FROM_attempts --format json',
    'query SELECT_*_FROM_calls --format csv',
    'query SELECT_count(*)_FROM_runs',
    `export --format parquet --out out.parquet ${run}`,
  ],
]

/**
 * Commands that end with this code over the sound project: an open call, a rule that fails, votes that
 * disagree, a plan of another specification, an agent without an answer, and a run with other settings.
 */
export const soundRefusals: Readonly<Record<string, string>> = {
  [`validate --strict --json ${run}`]: 'ZCL_E_OPEN_CALL',
  [`validate --semantic --semantic-rules rules.json --json ${run}`]: 'ZCL_E_SEMANTIC',
  [`attempt finish --strict --strict-expect ${retried}`]: 'ZCL_E_OPEN_CALL',
  [`judge ${attempt}`]: 'ZCL_E_JUDGE_FAILED',
  'campaign resume --spec campaign.json --json': 'ZCL_E_CAMPAIGN_STATE_DRIFT',
  'campaign run --spec campaign.json --campaign-id d --json': 'ZCL_E_CAMPAIGN_FLOW_FAILED',
  [`suite run --file suite.json --until-decided --against ${first} --json -- /bin/true`]:
    'ZCL_E_NOT_COMPARABLE',
}
