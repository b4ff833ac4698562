// `zeno view`: writes the trajectory page of a trace, or serves it and keeps it up to date.
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { rfc3339 } from '@zee/core/clock'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { terminalSafeWriter, streamWriter } from '@zee/core/lossless'
import { fillPage, pageJson } from '@zee/core/page'
import type { TrajectoryPage } from '@zee/web/data'
import manifest from '../../package.json' with { type: 'json' }
import { buildTrajectory } from './trajectory.ts'

export interface ViewOptions {
  log: string
  root: string | undefined
  evidence: string | undefined
  claims: string | undefined
  out: string | undefined
  serve: boolean
}

export async function runView(options: ViewOptions, host: Host): Promise<number> {
  const { out, serve } = options
  if (serve && out !== undefined) throw usageError('--serve and --out exclude each other')
  const viewer = readFileSync(path.join(__dirname, 'viewer.html'), 'utf8')
  if (serve) return serveView(options, viewer, host)
  const page = await makePage(options, host)
  const html = fillPage(viewer, { title: page.title, json: pageJson(page) })
  if (out === '-') {
    await terminalSafeWriter(host.stdout)(html)
    return 0
  }
  const file = out ?? defaultOutput(options.log)
  await writeFileAtomic(path.resolve(host.cwd, file), html)
  await streamWriter(host.stdout)(`${file}\n`)
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

async function serveView(options: ViewOptions, viewer: string, host: Host): Promise<number> {
  const { servePageUntilSignal } = await import('@zee/core/page-server')
  const files = [options.log, options.evidence, options.claims]
    .filter((file) => file !== undefined)
    .map((file) => path.resolve(host.cwd, file))
  const source = {
    viewer,
    async read() {
      const page = await makePage(options, host)
      return { title: page.title, json: pageJson(page) }
    },
    fingerprint: () => files.map(fileFingerprint).join('\n'),
  }
  // Reports an unreadable trace before the server starts.
  await makePage(options, host)
  await servePageUntilSignal(source, (url) => void host.stdout.write(`${url} (Ctrl+C ends it)\n`))
  return 0
}

function fileFingerprint(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
