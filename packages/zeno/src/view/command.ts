// `zeno view`: writes the trajectory page of a trace, or serves it and keeps it up to date.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import type { Host } from '@zee/core/exit'
import { pageJson } from '@zee/core/page'
import { showPage, type PageView, type PageViewOptions } from '@zee/core/page-view'
import type { TrajectoryPage } from '@zee/web/data'
import manifest from '../../package.json' with { type: 'json' }
import { buildTrajectory } from './trajectory.ts'

export interface ViewOptions extends PageViewOptions {
  log: string
  root: string | undefined
  evidence: string | undefined
  claims: string | undefined
}

export async function runView(options: ViewOptions, host: Host): Promise<number> {
  const files = [options.log, options.evidence, options.claims]
    .filter((file) => file !== undefined)
    .map((file) => path.resolve(host.cwd, file))
  const print = (line: string) => void host.stdout.write(`${line}\n`)
  const view: PageView = {
    viewer: readFileSync(path.join(__dirname, 'viewer.html'), 'utf8'),
    async read() {
      const page = await makePage(options, host)
      return { title: page.title, json: pageJson(page) }
    },
    fingerprint: () => files.map(fileFingerprint).join('\n'),
    defaultFile: () => defaultOutput(options.log),
    reportFile: print,
    reportUrl: (url) => print(`${url} (Ctrl+C ends it)`),
  }
  await showPage(view, options, host)
  return 0
}

async function makePage(options: ViewOptions, host: Host): Promise<TrajectoryPage> {
  const resolve = (file: string | undefined) =>
    file === undefined ? undefined : path.resolve(host.cwd, file)
  const content = await buildTrajectory({
    log: path.resolve(host.cwd, options.log),
    root: resolve(options.root),
    evidence: resolve(options.evidence),
    claims: resolve(options.claims),
    clock: host.clock,
  })
  return {
    schemaVersion: 1,
    kind: 'trajectory',
    title: `${path.basename(options.log)} · trajectory`,
    generatedAt: rfc3339(host.clock.now()),
    madeBy: `zeno ${manifest.version}`,
    log: options.log,
    root: options.root,
    ...content,
  }
}

/** `trace.jsonl` becomes `trace.html`. */
function defaultOutput(log: string): string {
  const { dir, name } = path.parse(log)
  return path.join(dir, `${name}.html`)
}

function fileFingerprint(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
