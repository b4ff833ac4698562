// The fourth set: sentences of claims.fixtures.ts with evidence for, against, outdated and absent, and the
// stories of stories.fixtures.ts. Measured before any rule was changed for it.
import type { Run } from '../foreign/runners.fixtures.ts'
import * as claims from './claims.fixtures.ts'
import type { Outcome } from './evidence.fixtures.ts'
import { builds, lints, testRun, typings } from './evidence.fixtures.ts'
import { stories } from './stories.fixtures.ts'
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'

const bash = (session: Session, { command, stdout, exitCode }: Run) =>
  session.bash(command, stdout, exitCode)
const work = () => new Session().read('src/retry.ts').edit('src/retry.ts')

/** Every transcript of the fourth set. */
export function fourthTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  for (const [index, text] of claims.passes.entries()) {
    add('pass', bash(work(), testRun(index, 7, 0)), text, false)
    add('fail', bash(work(), testRun(index, 6, 1)), text, true)
    if (index % 2 === 0) {
      add('stale', bash(work(), testRun(index, 7, 0)).edit('src/queue.ts'), text, true)
      add('none', work().bash('ls src', 'retry.ts\n'), text, true)
    } else {
      const repaired = bash(work(), testRun(index, 6, 1)).edit('src/retry.ts')
      add('repaired', bash(repaired, testRun(index, 7, 0)), text, false)
    }
  }
  for (const [index, pattern] of claims.numbers.entries()) {
    const text = pattern.replaceAll('N', '24')
    add('count', bash(work(), testRun(index, 24, 0)), text, false)
    add('other count', bash(work(), testRun(index, 23, 0)), text, true)
    add('failed count', bash(work(), testRun(index, 22, 2)), text, true)
  }
  for (const [kind, texts, outcomes] of [
    ['build', claims.builtClaims, builds],
    ['lint', claims.lintClaims, lints],
    ['types', claims.typeClaims, typings],
  ] as const)
    addOutcomes(kind, texts, outcomes)
  addFiles()
  for (const [command, text] of claims.commandClaims) {
    add('command', work().bash(command, 'ok\n'), text, false)
    add('no command', work().bash('ls', 'src\n'), text, true)
  }
  for (const [index, text] of claims.bugClaims.entries()) {
    const good = ' ✓ src/retry.test.ts > retry > backs off twice 3ms\n\n      Tests  4 passed (4)\n'
    const bad =
      ' × src/retry.test.ts > retry > backs off twice 3ms\n\n      Tests  1 failed | 3 passed (4)\n'
    add('bug', work().bash('npx vitest run --reporter=verbose', good), text, false)
    add('bug left', work().bash('npx vitest run --reporter=verbose', bad, 1), text, true)
    if (index % 2 === 0) add('bug unknown', work(), text, true)
  }
  for (const text of claims.usageClaims) {
    add('usage', work().bash('grep -rn sleepFor src test', '', 1), text, false)
    add(
      'usages',
      work().bash('rg -n sleepFor', 'src/a.ts:3:sleepFor(1)\nsrc/b.ts:7:sleepFor(2)\n'),
      text,
      true,
    )
  }
  for (const [index, text] of claims.notClaims.entries()) {
    add('no claim', bash(work(), testRun(index, 6, 1)), text, false)
  }
  for (const [session, text, isWrong] of stories) add('story', session, text, isWrong)
  return all

  function addOutcomes(kind: string, texts: readonly string[], outcomes: readonly Outcome[]): void {
    for (const [index, text] of texts.entries()) {
      const outcome = outcomes[index % outcomes.length]
      if (outcome === undefined) throw new Error('there is no outcome')
      add(kind, bash(work(), outcome.good), text, false)
      add(`no ${kind}`, bash(work(), outcome.bad), text, true)
      if (index % 2 === 0)
        add(`stale ${kind}`, bash(work(), outcome.good).edit('src/a.ts'), text, true)
    }
  }

  function addFiles(): void {
    const did = {
      create: (file: string) => new Session().write(file),
      edit: (file: string) => new Session().read(file).edit(file),
      delete: (file: string) => new Session().bash(`rm -f ${file}`, ''),
      move: (file: string, to: string) => new Session().bash(`mv ${file} ${to}`, ''),
    }
    for (const act of ['create', 'edit', 'delete', 'move'] as const) {
      for (const [index, pattern] of claims.fileClaims[act].entries()) {
        const file =
          ['src/backoff.ts', 'app/models/job.py', 'internal/queue/queue.go'][index % 3] ?? ''
        const to = file.replace(/(\w+)\.(\w+)$/, '$1_v2.$2')
        const text = pattern.replaceAll('FILE', file).replaceAll('TO', to)
        add(act, did[act](file, to), text, false)
        add(`no ${act}`, new Session().read(file).bash('git status', 'clean\n'), text, true)
      }
    }
  }
}
