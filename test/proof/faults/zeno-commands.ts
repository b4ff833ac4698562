// Commands of zeno in the sweep: a small corpus, the ledgers of a thread, a trace and a skill.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseObject } from '@zee/core/json'
import type { Scene } from './scene.ts'
import type { SweptCommand } from './sweep.ts'

async function withCorpus(scene: Scene): Promise<void> {
  mkdirSync(path.join(scene.project, '.git'))
  for (const name of ['a', 'b', 'c']) {
    writeFileSync(
      path.join(scene.project, `${name}.ts`),
      `export function ${name}() {\n  return 'needle'\n}\n`,
    )
  }
}

const notification = (turn: string) =>
  JSON.stringify({
    type: 'agent-turn-complete',
    'thread-id': 't1',
    'turn-id': turn,
    'last-assistant-message': [
      'Done.',
      '===ZENO_STATE_UPDATE_JSON===',
      JSON.stringify({ high_level_summary: `turn ${turn}`, open_questions: [], mode: 'read-only' }),
      '===/ZENO_STATE_UPDATE_JSON===',
      '===ZENO_CLAIM_LEDGER_JSONL===',
      JSON.stringify({ claim_id: `C${turn}`, claim: `claim of turn ${turn}`, evidence: [] }),
      '===/ZENO_CLAIM_LEDGER_JSONL===',
    ].join('\n'),
  })

async function withThread(scene: Scene): Promise<void> {
  await withCorpus(scene)
  await scene.do('zeno', ['persist', notification('1')])
}

const claims = (scene: Scene) =>
  readFileSync(path.join(scene.project, '.codex/zeno/claims/t1.jsonl'), 'utf8')

async function checkThread(scene: Scene): Promise<void> {
  if (!claims(scene).includes('claim of turn 1')) throw new Error('the first claim is gone')
  const { code, stdout, stderr } = await scene.try('zeno', ['bridge'])
  if (code !== 0 || !/turn \d/.test(stdout)) throw new Error(`bridge fails: ${stderr}`)
}

/** The commands resolve paths against the folder of their process. */
const base = { program: 'zeno', needsProcess: true } as const

const trace = (scene: Scene) => path.join(scene.project, 'trace.jsonl')
const search = [
  'send',
  '--root',
  '.',
  '--private',
  '--op',
  'grep',
  '--args',
  '{"pattern":"needle"}',
]

async function withTrace(scene: Scene): Promise<void> {
  await withCorpus(scene)
  await scene.do('zeno', [...search, '--log', 'trace.jsonl', '--id', 'first'])
}

/** The events of the trace. As for every reader of it, a torn line is none. */
function events(scene: Scene): Record<string, unknown>[] {
  const lines = readFileSync(trace(scene), 'utf8').split('\n')
  return lines.flatMap((line) => {
    const event = parseObject(line)
    return event === undefined ? [] : [event]
  })
}

async function checkTrace(scene: Scene): Promise<void> {
  if (!existsSync(trace(scene))) return
  if (!readFileSync(trace(scene), 'utf8').includes('"first"')) throw new Error('the trace is gone')
  await scene.do('zeno', ['tail', '--log', trace(scene)])
}

export const zenoCommands: readonly SweptCommand[] = [
  {
    ...base,
    name: 'persist',
    args: ['persist', notification('2')],
    prepare: withThread,
    checkKept: checkThread,
    isDone: async (scene) => claims(scene).includes('claim of turn 2'),
  },
  {
    ...base,
    name: 'send with a trace',
    args: [...search, '--log', 'trace.jsonl', '--id', 'second'],
    prepare: withTrace,
    checkKept: checkTrace,
    isDone: async (scene) => events(scene).filter(({ id }) => id === 'second').length >= 2,
    answersErrors: true,
  },
  {
    ...base,
    name: 'skill install',
    args: ['skill', 'install', '--for', 'claude'],
    prepare: withCorpus,
    checkKept: async () => {},
    isDone: async ({ project }) =>
      existsSync(path.join(project, '.mcp.json')) &&
      existsSync(path.join(project, '.claude/skills/zeno/SKILL.md')),
  },
  {
    ...base,
    name: 'rotate',
    args: ['rotate', '--path', 'trace.jsonl', '--max-bytes', '1'],
    prepare: withTrace,
    checkKept: async () => {},
    isDone: async (scene) => !existsSync(trace(scene)) || readFileSync(trace(scene), 'utf8') === '',
  },
  ...[
    ['grep', 'needle'],
    ['read', 'a.ts'],
    ['list'],
    ['symbols', 'a.ts'],
    ['locate', 'needle'],
    ['lint', '--claims', '.codex/zeno/claims/t1.jsonl'],
    ['bridge'],
  ].map((args): SweptCommand => ({
    ...base,
    name: args[0] ?? '',
    args,
    prepare: withThread,
    checkKept: checkThread,
  })),
]
