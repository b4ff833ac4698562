// `zdx view`: writes the page of a session to a file, opens it, or serves it and keeps it up to date.
import { mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Call } from '@zee/core/command-line'
import { ZeeError } from '@zee/core/errors'
import { showPage, type PageView, type PageViewOptions } from '@zee/core/page-view'
import type { Globals } from '../../cli/cli.ts'
import { requireSession } from '../../project/project.ts'
import { pageFile } from '../../settings/settings.ts'
import { loadHtml } from '../export/export.ts'

type ViewCall = Pick<Call, 'host' | 'args'> & { globals: Globals; options: PageViewOptions }

export async function runView({ host, globals, args, options }: ViewCall): Promise<number> {
  const { id, base, folder } = requireSession(host, globals, args[0])
  const { readViewer, sessionPage } = await loadHtml()
  const print = (line: string) => void host.stdout.write(`${line}\n`)
  const view: PageView = {
    viewer: readViewer(),
    async read() {
      const { contents, records } = await sessionPage(host, id)
      if (records > 0) return contents
      throw new ZeeError('no_session', `Session '${id}' is empty or not found.`)
    },
    fingerprint: () => fileFingerprint(path.join(folder, `${id}.jsonl`)),
    defaultFile: () => defaultPageFile(base, id),
    reportFile: print,
    reportUrl: (url) => print(`${url} (Ctrl+C ends it)`),
  }
  await showPage(view, options, host)
  return 0
}

/** Pages are derived data, so they stay out of the folder of the sessions. */
function defaultPageFile(base: string, id: string): string {
  const file = pageFile(base, id)
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  return file
}

function fileFingerprint(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true })
  return stats === undefined ? '' : `${stats.ino}:${stats.size}:${stats.mtimeNs}`
}
