// The scenes of the tour, in order. Each runs real commands and checks every claim it prints.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Cast } from './folder.ts'
import { quoted, type Stage } from './stage.ts'
import { foreignSession, lesson, prompt, question } from './story.ts'

type Scene = (stage: Stage, cast: Cast) => Promise<void>

export const scenes: readonly Scene[] = [
  opening,
  protect,
  measure,
  act,
  judge,
  account,
  gather,
  read,
  stay,
  look,
]

const test = ['node', 'test/price.test.mjs']
const importedSession = `claude-${foreignSession}`

async function opening(stage: Stage, cast: Cast): Promise<void> {
  stage.print(`A tour of zee in ${stage.folder.base}`)
  stage.print(
    cast.scripted
      ? 'The model is SCRIPTED: it plays a screenplay. Everything else is real.'
      : `The model is ${cast.model} of ${cast.provider}, so its steps may differ.`,
  )
}

async function protect(stage: Stage, cast: Cast): Promise<void> {
  if (!cast.scripted) return
  stage.heading('zdx', `hides secrets: the model sees a placeholder.${scripted(cast)}`)
  const play = ['--provider', 'script', '--model', '../secret-play.jsonl', '--no-save']
  const answer = await stage.run(['zdx', ...play, 'exec', '-p', 'which token is in secret.env?'])
  stage.claim('the token stays on this machine', answer.includes('⟦secret:github-token:1⟧'))
}

async function measure(stage: Stage): Promise<void> {
  stage.heading('zcl', 'starts an attempt and records every command from here on.')
  await stage.run(['zcl', 'init'])
  const start = ['zcl', 'attempt', 'start', '--suite', 'tour', '--mission', 'fix-the-discount']
  await stage.run([...start, '--env-file', '../attempt.env', '--env-format', 'dotenv'], {
    show: (line) => /^(attempt|run|folder) /.test(line),
  })
  stage.folder.addVariables(stage.folder.read('attempt.env'))
  const output = await stage.run(['zcl', 'run', '--', ...test], {
    exits: 1,
    show: (line) => /AssertionError|^-?\d+ !== \d+/.test(line),
  })
  stage.claim('the failing test is recorded', output.includes('AssertionError'))
}

async function act(stage: Stage, cast: Cast): Promise<void> {
  stage.heading('zdx', `acts: it searches, reads, edits and runs the test.${scripted(cast)}`)
  const model = cast.scripted
    ? ['--provider', 'script', '--model', '../zdx-play.jsonl']
    : ['--provider', cast.provider, '--model', cast.model]
  const tools = ['--tools', 'bash,edit,read,search']
  await stage.run(['zdx', ...model, ...tools, 'exec', '-p', prompt])
  const calls = toolsIn(stage.folder.read('zdx/sessions', sessionFile(stage)), 'name')
  const recorded = toolsIn(readFileSync(traceFile(stage), 'utf8'), 'op')
  stage.claim(
    `zdx recorded its own ${calls.length} tool calls: ${calls.join(', ')}`,
    calls.length > 0 && calls.toSorted().join() === recorded.toSorted().join(),
  )
  const passed = await stage.run(['zcl', 'run', '--', ...test])
  stage.claim('the test passes', passed.includes('ok: prices'))
}

async function judge(stage: Stage): Promise<void> {
  const shown = path.relative(stage.folder.repository, attemptFolder(stage))
  stage.heading('zcl', 'reports on the attempt from the evidence alone.')
  await stage.run(['zcl', 'feedback', '--ok', '--result', 'the discount is divided by 100'])
  await stage.run(['zcl', 'report', shown])
  const verdict = await stage.run(['zcl', 'validate', '--strict', shown])
  stage.claim('the evidence is complete and in order', verdict.includes('0 errors'))
}

/** Verify, bill, undo and search: what a session can show about itself. */
async function account(stage: Stage, cast: Cast): Promise<void> {
  if (!cast.scripted) return
  stage.heading('zdx', 'accounts for it: claims, costs and changes.')
  const verified = await stage.run(['zdx', 'verify'])
  stage.claim('the answer claims nothing that the record contradicts', !verified.includes('✗'))
  await stage.run(['zdx', 'sessions', 'bill'], { show: (line) => /^total|tokens:/.test(line) })
  const undone = await stage.run(['zdx', 'sessions', 'undo'])
  const redone = await stage.run(['zdx', 'sessions', 'redo'])
  const isRestored = (text: string) => text.includes('Restored') && text.includes('price.mjs')
  stage.claim('the fix was taken back and restored', isRestored(undone) && isRestored(redone))
  const found = await stage.run(['zdx', 'sessions', 'search', 'price.mjs'], {
    show: (line) => /  read: /.test(line),
  })
  stage.claim('the archive finds the session', found.includes('price.mjs'))
}

/** Import: logs of another agent become sessions. */
async function gather(stage: Stage, cast: Cast): Promise<void> {
  if (!cast.scripted) return
  stage.heading('zdx', 'imports logs of other agents and checks their claims, too.')
  const imported = await stage.run(['zdx', 'sessions', 'import', 'claude'])
  const checked = await stage.run(['zdx', 'verify', importedSession], { exits: 3 })
  stage.claim(
    'the log of Claude Code contradicts its answer',
    imported.includes('1 imported') && checked.includes('✗'),
  )
}

async function read(stage: Stage): Promise<void> {
  stage.heading('zeno', 'reads: every slice has a hash, so a citation can be checked later.')
  const args = JSON.stringify({ path: 'src/price.mjs', start_line: 2, end_line: 4 })
  const send = ['zeno', 'send', '--root', '.', '--log', '../zeno-trace.jsonl', '--hash']
  const answer = await stage.run([...send, '--id', '1', '--op', 'read_file', '--args', args])
  const { result } = JSON.parse(answer) as { result: { sha256: string } }
  const row = { evidence_id: 'E1', kind: 'read', path: 'src/price.mjs', lines: [2, 4] }
  const ledger = stage.folder.path('citations.jsonl')
  writeFileSync(ledger, `${JSON.stringify({ ...row, hash: result.sha256 })}\n`)
  const verified = await stage.run([
    'zeno',
    'verify',
    '--root',
    '.',
    '--evidence',
    '../citations.jsonl',
  ])
  stage.claim('the cited lines are unchanged', /^ok\b/m.test(verified))
  const replayed = await stage.run([
    'zeno',
    'replay',
    '--root',
    '.',
    '--log',
    '../zeno-trace.jsonl',
  ])
  stage.claim('a replay returns the same answer', replayed.includes('0 different'))
}

async function stay(stage: Stage, cast: Cast): Promise<void> {
  stage.heading('zino', `stays: its memory survives a restart.${scripted(cast)}`)
  const model = cast.scripted
    ? ['--script', '../zino-play.jsonl']
    : ['--provider', cast.provider, '--model', cast.model]
  const init = ['zino', 'init', '../zino', '--sockets', '../zino/run', ...model]
  await stage.run(init, { show: (line) => line.includes('ZINO.toml') && line.startsWith('wrote') })
  await stage.run(['zino', 'up', '--detach'], { uninterrupted: true })
  await stage.run(['zino', 'memory', 'add', lesson, '--tag', 'shop'])
  await stage.run(['zino', 'stop'], { uninterrupted: true })
  await stage.run(['zino', 'up', '--detach'], { uninterrupted: true })
  const found = await stage.run(['zino', 'memory', 'search', question])
  stage.claim('the memory survived', found.includes(lesson))
  const answer = await stage.run(['zino', 'chat', question])
  stage.claim('the memory reached the model', !cast.scripted || answer.includes(lesson))
  await stage.run(['zino', 'stop'], { uninterrupted: true })
}

async function look(stage: Stage): Promise<void> {
  stage.heading('Pages', 'for people: each is one HTML file that loads nothing from the network.')
  const session = path.basename(sessionFile(stage), '.jsonl')
  const show = ['zdx', 'sessions', 'export', session, '--format', 'html']
  await stage.run([...show, '--out', '../session.html'])
  const trace = ['zeno', 'view', '--log', '../zeno-trace.jsonl', '--root', '.']
  await stage.run([...trace, '--evidence', '../citations.jsonl', '--out', '../reading.html'])
  const attempt = path.relative(stage.folder.repository, attemptFolder(stage))
  await stage.run(['zcl', 'view', attempt, '--out', '../attempt.html'])
  const pages = ['session.html', 'reading.html', 'attempt.html']
  const isPage = (name: string): boolean => stage.folder.read(name).includes('</html>')
  stage.claim('three pages are written', pages.every(isPage))
}

/** The end of a tour whose files stay. */
export function showFiles(stage: Stage): void {
  const { folder } = stage
  const session = sessionFile(stage)
  const attempt = attemptFolder(stage)
  stage.heading('All of it', `is in plain files in ${folder.base}`)
  stage.print(`  repository  ${folder.repository}`)
  stage.print(`  session     ${folder.path('zdx/sessions', session)}`)
  stage.print(`  evidence    ${traceFile(stage)}`)
  stage.print(`  report      ${path.join(attempt, 'attempt.report.json')}`)
  stage.print(`  citations   ${folder.path('citations.jsonl')}`)
  stage.print(`  memory      ${folder.path('zino/data/mem/hard_memories.json')}`)
  stage.print(`  pages       ${folder.path('session.html')}`)
  stage.print(`              ${folder.path('reading.html')}`)
  stage.print(`              ${folder.path('attempt.html')}`)
  stage.heading('Try next', `after  cd ${quoted(folder.repository)} && . ${quoted(folder.envFile)}`)
  stage.print(`  zdx sessions show ${path.basename(session, '.jsonl')}`)
  stage.print('  zcl attempt explain')
  stage.print(
    '  echo "// changed" >> src/price.mjs; zeno replay --root . --log ../zeno-trace.jsonl',
  )
  stage.print('  zino up --detach; zino memory search discount; zino stop')
  stage.print('  zdx --provider ollama exec -p "what does this shop do?"   (with a local model)')
  stage.print('\nzee ui  opens the dashboard of all this.')
  stage.print(`rm -r ${quoted(folder.base)}  removes everything.`)
}

/** The end of a tour whose files are removed. */
export function showNextSteps(stage: Stage): void {
  stage.heading('Try next', 'in a folder of your own')
  stage.print('  zee tour --keep          the same tour; its files stay for you to read')
  stage.print('  zee doctor               check this machine')
  stage.print('  zdx auth login           store a key for a model; then run zdx')
  stage.print('  zee setup claude         give Claude Code the tools of zeno and zcl')
}

function attemptFolder(stage: Stage): string {
  return stage.folder.env.ZCL_OUT_DIR ?? ''
}

function traceFile(stage: Stage): string {
  return path.join(attemptFolder(stage), 'tool.calls.jsonl')
}

function sessionFile(stage: Stage): string {
  const names = readdirSync(stage.folder.path('zdx/sessions'))
  const isOwn = (name: string) => name.endsWith('.jsonl') && !name.startsWith(importedSession)
  return names.find(isOwn) ?? ''
}

/** The tools that zdx used, in order, from a session (`name`) or a trace (`op`). */
function toolsIn(journal: string, field: 'name' | 'op'): string[] {
  const records = journal
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const calls = records.filter(({ type, tool }) => type === 'tool_use' || tool === 'zdx')
  return calls.map((record) => String(record[field]))
}

function scripted(cast: Cast): string {
  return cast.scripted ? ' (scripted model)' : ''
}
