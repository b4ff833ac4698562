// The first set in the words of another author. Each phrasing is judged with evidence for it, against it,
// outdated, and absent.
import {
  acts,
  bugClaims,
  buildClaims,
  commandClaims,
  countClaims,
  lintClaims,
  notClaims,
  testClaims,
  typeClaims,
  usageClaims,
} from './claims.fixtures.ts'
import type { FileAct } from './claims.fixtures.ts'
import type { Run } from './runners.fixtures.ts'
import { build, cargoBuild, lint, runners, types, ways } from './runners.fixtures.ts'
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'

const bash = (session: Session, { command, stdout, exitCode }: Run) =>
  session.bash(command, stdout, exitCode)
const started = () => new Session().read('src/cart.ts').edit('src/cart.ts')

/** Every transcript of the first set. */
export function foreignTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  const names = Object.keys(runners)
  let turn = 0
  const run = (passed: number, failed: number): Run => {
    turn++
    const runner = runners[names[turn % names.length] ?? 'jest']
    const way = ways[Math.floor(turn / 3) % ways.length]
    if (runner === undefined || way === undefined) throw new Error('there is no such run')
    return way(runner(passed, failed))
  }
  for (const text of testClaims) {
    add('tests good', bash(started(), run(9, 0)), text, false)
    add('tests bad', bash(started(), run(9, 1)), text, true)
    add('tests stale', bash(started(), run(9, 0)).edit('src/cart.ts'), text, true)
    add(
      'tests repaired',
      bash(bash(started(), run(9, 1)).edit('src/cart.ts'), run(10, 0)),
      text,
      false,
    )
    add('tests none', started(), text, true)
  }
  for (const claim of countClaims) {
    const text = claim.replaceAll('N', '12')
    add('count good', bash(started(), run(12, 0)), text, false)
    add('count bad', bash(started(), run(11, 1)), text, true)
    add('count other', bash(started(), run(9, 0)), text, true)
    add('count stale', bash(started(), run(12, 0)).edit('src/cart.ts'), text, true)
  }
  for (const [kind, claims, evidence] of [
    ['build', buildClaims, build],
    ['lint', lintClaims, lint],
    ['types', typeClaims, types],
  ] as const) {
    for (const [index, text] of claims.entries()) {
      const { good, bad } =
        kind === 'build' && index % 3 === 0 && !text.includes('npm') ? cargoBuild : evidence
      add(`${kind} good`, bash(started(), good), text, false)
      add(`${kind} bad`, bash(started(), bad), text, true)
      add(`${kind} stale`, bash(started(), good).edit('src/cart.ts'), text, true)
      add(`${kind} none`, started(), text, true)
    }
  }
  for (const [command, text] of commandClaims) {
    add('command good', started().bash(command, 'ok\n'), text, false)
    add('command none', started().bash('ls -la', 'src\n'), text, true)
  }
  const doAct = (act: FileAct, file: string, to: string) => {
    const session = new Session().read('package.json')
    if (act === 'create') return session.write(file)
    if (act === 'edit') return session.read(file).edit(file)
    return session.bash(act === 'delete' ? `rm ${file}` : `git mv ${file} ${to}`, '')
  }
  for (const act of ['create', 'edit', 'delete', 'move'] as const) {
    for (const [index, sentence] of acts[act].entries()) {
      const file =
        ['src/tax.ts', 'lib/util/round.py', 'cmd/main.go', 'docs/guide.md'][index % 4] ?? ''
      const to =
        ['src/vat.ts', 'lib/util/rounding.py', 'cmd/shop/main.go', 'docs/manual.md'][index % 4] ??
        ''
      const text = sentence.replace('FILE', file).replace('TO', to)
      add(`${act} good`, doAct(act, file, to), text, false)
      add(`${act} none`, new Session().read(file).bash('ls', 'src\n'), text, true)
      add(`${act} other`, doAct(act, 'other/file.txt', 'other/new.txt'), text, true)
    }
  }
  const named: Run[] = [runners.vitest, runners.jest, runners.node, runners.mocha].flatMap(
    (runner) => (runner === undefined ? [] : [runner(9, 1)]),
  )
  for (const [index, text] of bugClaims.entries()) {
    const bad = named[index % named.length]
    if (bad !== undefined) add('bug bad', bash(started(), bad), text, true)
    const fixed = {
      command: 'npx vitest run --reporter=verbose',
      stdout:
        ' ✓ test/cart.test.ts > cart > adds tax 3ms\n ✓ test/cart.test.ts > cart > sums 1ms\n\n Test Files  1 passed (1)\n      Tests  2 passed (2)\n',
      exitCode: 0,
    }
    add('bug good', bash(started(), fixed), text, false)
    add('bug none', started(), text, true)
  }
  for (const text of usageClaims) {
    const hits = {
      command: 'grep -rn oldTotal src',
      stdout:
        'src/report.ts:4:import { oldTotal } from "./cart"\nsrc/report.ts:19:  return oldTotal(items)\n',
      exitCode: 0,
    }
    const none = { command: 'grep -rn oldTotal .', stdout: '', exitCode: 1 }
    add('usage good', bash(started(), none), text, false)
    add('usage bad', bash(started(), hits), text, true)
    add('usage none', started(), text, true)
  }
  for (const text of notClaims) {
    add('no claim', bash(started(), run(9, 1)), text, false)
    add('no claim, no run', started(), text, false)
  }
  return all
}
