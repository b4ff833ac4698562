// The sixth set: answers of several sentences in the manner of closing summaries, with evidence for, against,
// outdated and absent. Written after the mends for the fifth and measured before any other change.
import type { Run } from '../foreign/runners.fixtures.ts'
import { testRun } from '../fourth/evidence.fixtures.ts'
import { Session } from '../session.fixtures.ts'
import type { Transcript } from '../session.fixtures.ts'
import { sixthCounts, sixthFiles, sixthSilent, sixthTests, sixthTools } from './answers.fixtures.ts'

const bash = (session: Session, { command, stdout, exitCode }: Run) =>
  session.bash(command, stdout, exitCode)
/** Edits the file that most answers name. */
const work = () => new Session().read('src/cache.ts').edit('src/cache.ts').write('src/ttl.ts')

/** Every transcript of the sixth set. */
export function sixthTranscripts(): Transcript[] {
  const all: Transcript[] = []
  const add = (kind: string, session: Session, text: string, isWrong: boolean) =>
    all.push({ name: `${kind}: ${text}`, events: session.answer(text), isWrong })
  for (const [index, text] of sixthTests.entries()) {
    add('pass', bash(work(), testRun(index + 3, 16, 0)), text, false)
    add('fail', bash(work(), testRun(index + 3, 14, 2)), text, true)
    if (index % 3 === 0)
      add('stale', bash(work(), testRun(index, 16, 0)).edit('src/cache.ts'), text, true)
    if (index % 3 === 1)
      add('none', work().bash('git diff --stat', ' 2 files changed\n'), text, true)
    if (index % 3 === 2) {
      const repaired = bash(work(), testRun(index, 14, 2)).edit('src/cache.ts')
      add('repaired', bash(repaired, testRun(index + 1, 16, 0)), text, false)
    }
  }
  for (const [index, text] of sixthCounts.entries()) {
    add('count', bash(work(), testRun(index + 5, 16, 0)), text, false)
    add('other', bash(work(), testRun(index + 5, 15, index % 2)), text, true)
  }
  for (const [text, good, bad] of sixthTools) {
    add('good', bash(work(), good), text, false)
    add('bad', bash(work(), bad), text, true)
  }
  for (const [text, isTrue, isFalse] of sixthFiles) {
    add('true', isTrue(new Session()), text, false)
    add('false', isFalse(new Session()), text, true)
  }
  for (const [index, text] of sixthSilent.entries()) {
    add('silent', bash(work(), testRun(index, 14, 2)), text, false)
  }
  return all
}
