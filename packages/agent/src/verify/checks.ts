// Compares a claim with what the session has recorded.
import type { Claim } from './claims.ts'
import {
  isManifest,
  kindOfLine,
  programWords,
  type RunKind,
  splitShell,
} from './commands/commands.ts'
import type { Finding, Verdict } from './finding.ts'
import { contradicted, noReceipt, notCheckable, ok, unknown } from './finding.ts'
import { countErrors, countWarnings } from './printed-errors.ts'
import { isBelow, isProse, isSamePath } from './paths.ts'
import type { Run } from './runs.ts'
import type { ChangeEvent, CommandEvent, Timeline } from './timeline.ts'
import { checkUses } from './usages.ts'

export function checkClaim(claim: Claim, timeline: Timeline): Finding {
  switch (claim.kind) {
    case 'passes':
      return checkPasses(claim, timeline)
    case 'ran':
      return checkRan(claim, timeline)
    case 'moved':
      return checkMoved(claim, timeline)
    case 'no_other_uses':
      return checkUses(claim, timeline)
    case 'fails':
      return checkFailures(claim, timeline)
    default:
      return checkFile(claim, timeline)
  }
}

interface RunEvent {
  command: CommandEvent
  run: Run
}

/** Kinds of runs that prove a claim. A build that compiles also checks types. */
const proofs: Readonly<Record<RunKind | 'any', readonly RunKind[]>> = {
  test: ['test'],
  lint: ['lint'],
  build: ['build', 'types'],
  types: ['types', 'build'],
  any: ['test', 'build', 'types', 'lint'],
}

type PassClaim = Extract<Claim, { kind: 'passes' }>

function checkPasses(claim: PassClaim, timeline: Timeline): Finding {
  const runs = runsOf(timeline, proofs[claim.what])
  if (claim.what === 'any') return checkEach(claim, runs, timeline)
  const decisive = decisiveRun(claim, withOwnRuns(claim.what, runs, timeline))
  if (decisive === undefined) {
    const isCompiled = claim.what === 'build' || claim.what === 'types'
    return isCompiled ? (compiledByTests(timeline) ?? noReceipt) : noReceipt
  }
  return checkRun(claim, decisive, timeline)
}

function runsOf({ commands }: Timeline, kinds: readonly RunKind[]): RunEvent[] {
  return commands.flatMap((command) =>
    command.runs.filter(({ kind }) => kinds.includes(kind)).map((run) => ({ command, run })),
  )
}

/** A run of the claimed kind decides, unless another kind that proves it ran after a change. */
function withOwnRuns(what: RunKind, runs: readonly RunEvent[], timeline: Timeline): RunEvent[] {
  const own = runs.filter(({ run }) => run.kind === what)
  const [lastOwn, last] = [own.at(-1)?.command.event, runs.at(-1)?.command.event]
  if (lastOwn === undefined || last === undefined) return [...runs]
  const isChanged = timeline.changes.some(({ event }) => event > lastOwn && event < last)
  return isChanged ? [...runs] : own
}

/** The last run; for a claim about the complete suite the last run of it, if there is one. */
function decisiveRun(claim: PassClaim, runs: readonly RunEvent[]): RunEvent | undefined {
  const last = runs.at(-1)
  if (!claim.isWhole) {
    const naming = runs.findLast(({ command }) =>
      claim.named.some((name) => mentions(`${command.command}\n${command.output}`, name)),
    )
    return naming !== undefined && last?.run.isPartial === true ? naming : last
  }
  const whole = runs.findLast(({ run }) => !run.isPartial)
  if (whole === undefined) return last
  // A part that passed does not repair a complete run that failed.
  return whole.run.status() === 'failed' || last?.run.status() !== 'failed' ? whole : last
}

function mentions(text: string, name: string): boolean {
  return text.includes(name) || text.includes(name.replace(/^.*\//, ''))
}

function checkEach(claim: PassClaim, runs: readonly RunEvent[], timeline: Timeline): Finding {
  const last = new Map<RunKind, RunEvent>()
  for (const each of runs) last.set(each.run.kind, each)
  if (last.size === 0) return noReceipt
  const findings = [...last.values()].map((each) =>
    checkRun(each.run.kind === 'test' ? claim : { ...claim, count: undefined }, each, timeline),
  )
  const byVerdict = (verdict: Verdict) => findings.find((finding) => finding.verdict === verdict)
  return byVerdict('contradicted') ?? byVerdict('stale') ?? byVerdict('ok') ?? notCheckable
}

function checkRun(
  claim: Omit<PassClaim, 'count'> & { count?: PassClaim['count'] | undefined },
  { command, run }: RunEvent,
  timeline: Timeline,
): Finding {
  const { event } = command
  const counted = run.kind === 'test' ? checkCount(claim.count, command) : undefined
  // `11 of 12 tests pass` is true of a run that failed.
  const { count } = claim
  const isPart = count?.total !== undefined && count.passed < count.total
  if (isPart || claim.isPartial) {
    return counted ?? staleOr(ok(event), event, timeline)
  }
  if (run.status() === 'failed') return contradicted(event, failureOf(command, run))
  if (counted !== undefined) return counted
  const warnings = claim.isWarningFree ? countWarnings(command.output) : 0
  if (warnings > 0) return contradicted(event, `${warnings} warning${warnings === 1 ? '' : 's'}`)
  const finding = run.status() === 'unknown' ? unknown(event) : ok(event)
  return staleOr(finding, event, timeline)
}

function failureOf({ isTimedOut, exitCode, ...command }: CommandEvent, { kind }: Run): string {
  if (isTimedOut) return 'it timed out'
  const reports = command.reports()
  const failed = reports.reduce((sum, report) => sum + report.failed, 0)
  if (kind === 'test' && failed > 0) return `${failed} failed`
  if (kind === 'test' && reports.length > 0 && reports.every(({ passed }) => passed === 0)) {
    return 'it ran no tests'
  }
  if (exitCode === 0) return kind === 'test' ? 'it ran no tests' : 'it failed'
  return exitCode === undefined ? 'it did not finish' : `exit ${exitCode}`
}

/** Undefined if the counts agree or none is printed for a claim without a count. */
function checkCount(
  count: PassClaim['count'],
  { event, reports }: CommandEvent,
): Finding | undefined {
  if (count === undefined) return undefined
  const printed = reports().filter(({ total }) => total > 0)
  if (printed.length === 0) return unknown(event)
  const passed = printed.reduce((sum, report) => sum + report.passed, 0)
  const total = printed.reduce((sum, report) => sum + report.total, 0)
  const isPassed =
    count.passed === passed || printed.some((report) => report.passed === count.passed)
  const isTotal =
    count.total === undefined ||
    count.total === total ||
    count.total === passed ||
    printed.some((report) => report.total === count.total)
  return isPassed && isTotal ? undefined : contradicted(event, `${passed} of ${total} tests passed`)
}

/** Contradicted if the number is exact and no run of the session printed it. */
function checkFailures(
  { what, count, isExact }: Extract<Claim, { kind: 'fails' }>,
  timeline: Timeline,
): Finding {
  const printed = runsOf(timeline, [what]).map(({ command }) => ({
    event: command.event,
    failed: what === 'test' ? failedTests(command) : countErrors(command.output),
  }))
  const same = printed.findLast(({ failed }) => failed === count)
  if (same !== undefined) return ok(same.event)
  const last = printed.at(-1)
  if (last === undefined) return notCheckable
  if (last.failed === undefined || !isExact) return unknown(last.event)
  return contradicted(last.event, `${last.failed} ${what === 'test' ? 'failed' : 'errors'}`)
}

function failedTests({ reports }: CommandEvent): number | undefined {
  const counted = reports().filter(({ total }) => total > 0)
  if (counted.length === 0) return undefined
  return counted.reduce((sum, { failed }) => sum + failed, 0)
}

/** `cargo test` and `go test` compile first. */
function compiledByTests(timeline: Timeline): Finding | undefined {
  const compiled = timeline.commands.findLast(
    ({ command, runs }) =>
      runs.some(({ kind, status }) => kind === 'test' && status() === 'passed') &&
      /\b(cargo|go|mvn|gradle|dotnet|swift)\b/.test(command),
  )
  return compiled === undefined ? undefined : staleOr(ok(compiled.event), compiled.event, timeline)
}

/** Stale if a file that is not prose changed after the event. */
function staleOr(finding: Finding, event: number, { changes }: Timeline): Finding {
  const later = changes.find(
    (change) =>
      change.event > event &&
      change.kind !== 'failed' &&
      !isProse(change.path) &&
      !(change.byShell && isManifest(change.path)),
  )
  if (later === undefined) return finding
  return { verdict: 'stale', event, reason: `stale: ${later.path} changed after event ${event}` }
}

function checkRan(claim: Extract<Claim, { kind: 'ran' }>, timeline: Timeline): Finding {
  const { what, command, hasSucceeded } = claim
  if (command === undefined) {
    const last = what === undefined ? undefined : runsOf(timeline, proofs[what]).at(-1)
    return last === undefined ? noReceipt : ok(last.command.event)
  }
  const found = timeline.commands.findLast(
    (each) => isSameCommand(each.command, command) || startsByScript(each, command),
  )
  if (found === undefined) return noReceipt
  if (!hasSucceeded) return ok(found.event)
  const kind = kindOfLine(command)
  const run = found.runs.find((each) => each.kind === kind)
  const status = run?.status() ?? (found.exitCode === 0 ? 'passed' : 'failed')
  if (status === 'failed') {
    return contradicted(
      found.event,
      run === undefined ? `exit ${found.exitCode ?? 'unknown'}` : failureOf(found, run),
    )
  }
  const finding = status === 'unknown' ? unknown(found.event) : ok(found.event)
  return staleOr(finding, found.event, timeline)
}

/** `npm run typecheck` prints the line of its script: `> tsc --noEmit`. */
function startsByScript({ output, runs }: CommandEvent, claimed: string): boolean {
  if (runs.length === 0) return false
  return output
    .slice(0, 4096)
    .split('\n')
    .some((line) => /^[>$] /.test(line) && isSameCommand(line.slice(2), claimed))
}

/** The claimed words occur in the recorded line in this order, at word boundaries. */
function isSameCommand(recorded: string, claimed: string): boolean {
  const squeeze = (text: string) => ` ${text.replace(/\s+/g, ' ').replace(/["']/g, '').trim()} `
  const [line, words] = [squeeze(recorded), squeeze(claimed)]
  if (line.includes(words)) return true
  const alias = (text: string) =>
    text
      .replace(/ npm (t|test|run test) /, ' npm test ')
      .replace(/ (npx|pnpm exec|yarn|bunx) /g, ' ')
      .replace(/ npm run-script /, ' npm run ')
  if (alias(line).includes(alias(words))) return true
  const wanted = programWords(words.trim().split(' '))
  if (splitShell(recorded).some((part) => isSubsequence(wanted, programWords(part.words)))) {
    return true
  }
  const trimmed = words.replace(/( \.{3}| …| <[^>]*>| \[[^\]]*\]) $/, ' ').trimEnd()
  return trimmed.length > 4 && trimmed !== words.trimEnd() && line.includes(trimmed)
}

/** `eslint --fix` is a short form of `npx eslint lib --fix`. */
function isSubsequence(wanted: readonly string[], given: readonly string[]): boolean {
  if (wanted.length === 0 || wanted[0] !== given[0]) return false
  let next = 0
  for (const word of given) if (word === wanted[next]) next++
  return next === wanted.length
}

type FileClaim = Extract<Claim, { kind: 'created' | 'edited' | 'deleted' | 'written' }>

function checkFile(claim: FileClaim, timeline: Timeline): Finding {
  const { changes } = timeline
  const same = changes.filter(
    (change) =>
      isSamePath(change.path, claim.path) ||
      (claim.path.endsWith('/') && isBelow(claim.path, change.path)),
  )
  const last = same.at(-1)
  if (last?.kind === 'undone') return contradicted(last.event, 'the change was undone')
  const done = same.filter(({ kind }) => kind !== 'failed' && kind !== 'undone')
  if (claim.kind === 'deleted') return checkDeleted(done, timeline)
  const end = done.at(-1)
  if (end === undefined) return withoutChange(same, claim.path, timeline)
  if (end.kind === 'deleted') {
    return claim.mayBeGone ? ok(end.event) : contradicted(end.event, 'it was deleted')
  }
  if (claim.kind !== 'created') return ok(end.event)
  const created = done.findLast(({ kind, byShell }) => kind === 'created' || byShell)
  return created === undefined
    ? contradicted(end.event, 'the file existed before')
    : ok(created.event)
}

function checkDeleted(done: readonly ChangeEvent[], timeline: Timeline): Finding {
  const last = done.at(-1)
  if (last?.kind === 'deleted') return ok(last.event)
  const deletion = done.findLast(({ kind }) => kind === 'deleted')
  if (deletion !== undefined && last !== undefined)
    return contradicted(last.event, 'it was written again')
  return mayBeChangedByShell(timeline) ?? noReceipt
}

function withoutChange(same: readonly ChangeEvent[], path: string, timeline: Timeline): Finding {
  const failed = same.at(-1)
  const byShell = mayBeChangedByShell(timeline, path)
  if (byShell !== undefined) return byShell
  return failed === undefined ? noReceipt : contradicted(failed.event, 'the change failed')
}

/** A program that is not known to leave files alone may have changed the file. */
function mayBeChangedByShell({ commands }: Timeline, path?: string): Finding | undefined {
  const name = path?.replace(/^.*\//, '')
  const naming = commands.findLast(
    ({ command, mayChangeFiles, exitCode }) =>
      mayChangeFiles && exitCode === 0 && name !== undefined && command.includes(name),
  )
  if (naming !== undefined) return ok(naming.event)
  const any = commands.findLast(({ mayChangeFiles, exitCode }) => mayChangeFiles && exitCode === 0)
  return any === undefined ? undefined : unknown(any.event)
}

function checkMoved({ from, to }: Extract<Claim, { kind: 'moved' }>, timeline: Timeline): Finding {
  const { changes } = timeline
  const moved = changes.findLast(
    (change) =>
      change.kind === 'deleted' &&
      isSamePath(change.path, from) &&
      (change.movedTo === undefined ||
        isSamePath(change.movedTo, to) ||
        isBelow(to, change.movedTo)),
  )
  const isThere = changes.findLast(
    (change) => isSamePath(change.path, to) || isBelow(to, change.path),
  )
  if (moved !== undefined && isThere !== undefined && isThere.kind !== 'deleted')
    return ok(moved.event)
  return mayBeChangedByShell(timeline) ?? noReceipt
}
