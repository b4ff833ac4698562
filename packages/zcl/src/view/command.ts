// `zcl view`: writes a page about runs or attempts to a file, or serves it and keeps it up to date.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { PageContents } from '@zee/core/page'
import {
  checkPageOptions,
  showPage,
  type PageView,
  type PageViewOptions,
} from '@zee/core/page-view'
import { refuseLink } from '@zee/evidence/artifact'
import { recordedNow } from '../clock/clock.ts'
import { resolveTarget, type KnownTarget } from '../attempts/attempts.ts'
import { formatBytes, printJson, printLines } from '../output/output.ts'
import { redactorFor } from '../redaction/redaction.ts'
import manifest from '../../package.json' with { type: 'json' }
import { evidenceFingerprint } from './evidence-fingerprint.ts'
import { attemptPage, runPage, type PageMaker } from './run-page.ts'

export interface ViewOptions extends PageViewOptions {
  json: boolean
}

export async function runView(
  names: readonly string[],
  options: ViewOptions,
  host: Host,
): Promise<number> {
  const targets = await viewTargets(names, options, host)
  const maker = pageMaker(host)
  const view: PageView = {
    viewer: readFileSync(path.join(__dirname, 'viewer.html'), 'utf8'),
    read: () => makePage(targets, maker),
    fingerprint: () => targets.map(({ folder }) => evidenceFingerprint(folder)).join('\n'),
    defaultFile: () => defaultPageFile(targets, host),
    reportFile(file, bytes) {
      if (options.json) printJson(host, { ok: true, path: file, bytes })
      else printLines(host, [`${file} (${formatBytes(bytes)})`])
    },
    reportUrl(url) {
      if (options.json) printJson(host, { ok: true, url })
      else printLines(host, [`${url} (Ctrl+C ends it)`])
    },
  }
  await showPage(view, options, host)
  return 0
}

async function viewTargets(
  names: readonly string[],
  options: ViewOptions,
  host: Host,
): Promise<KnownTarget[]> {
  if (names.length > 2) throw usageError('zcl view takes one run or attempt, or two runs')
  checkPageOptions(options)
  const { out, serve } = options
  const wanted = names.length === 2 ? 'run' : 'either'
  const named = names.length === 0 ? [undefined] : names
  const targets = await Promise.all(named.map((each) => resolveTarget(each, host, wanted)))
  const attempt = targets.find(({ kind }) => kind === 'attempt')
  if (targets.length === 2 && attempt !== undefined) {
    throw usageError('only runs can be compared, not attempts')
  }
  if (targets.length === 2 && out === undefined && !serve) {
    throw usageError('a comparison has no default file; add --out <file> or --serve')
  }
  return targets
}

async function makePage(targets: readonly KnownTarget[], maker: PageMaker): Promise<PageContents> {
  const [first, second] = targets
  if (first?.kind === 'attempt') return attemptPage(first, maker)
  if (second === undefined) return runPage(first?.folder ?? '', maker)
  const { comparisonPage } = await import('./comparison-page.ts')
  return comparisonPage([first?.folder ?? '', second.folder], maker)
}

function pageMaker(host: Host): PageMaker {
  return {
    madeBy: `zcl ${manifest.version}`,
    now: () => rfc3339(recordedNow(host)),
    redactor: redactorFor(host),
  }
}

/** The page goes into the folder of the run or attempt, which belongs to zcl. */
function defaultPageFile([target]: readonly KnownTarget[], host: Host): string {
  const folder = target?.folder ?? host.cwd
  const name = target?.kind === 'attempt' ? 'attempt.html' : 'run.html'
  refuseLink(folder, name)
  return path.relative(host.cwd, path.join(folder, name))
}
