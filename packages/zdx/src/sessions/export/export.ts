// Exports a complete session to stdout or a file.
import { readSession } from '@zee/agent'
import { ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import path from 'node:path'
import { withErrorContext } from '../../errors/errors.ts'
import type { Write } from '@zee/core/lossless'
import { terminalSafeWriter } from '@zee/core/lossless'
import { baseFolder, sessionsFolder } from '../../settings/settings.ts'
import { writeToFile } from './output-file.ts'
import { markdownSection } from './markdown.ts'

/** Formats: `md` (nothing truncated), `json` (one numbered event per line), `html` (a page). */
export async function exportSession(
  host: Host,
  id: string,
  options: { format: string; out: string | undefined },
): Promise<void> {
  const writeAs = await loadWriter(options.format)
  const out = options.out === undefined ? undefined : path.resolve(host.cwd, options.out)
  const written =
    out === undefined
      ? await writeAs(host, id, terminalSafeWriter(host.stdout))
      : await withErrorContext(`write ${out}`, () =>
          writeToFile(out, (write) => writeAs(host, id, write)),
        )
  if (written === 0) throw new ZeeError('no_session', `Session '${id}' is empty or not found.`)
}

/** Loads the page of a session, which needs the redactor and the Markdown reader. */
export const loadHtml = () => import('./html/html.ts')

/** Loads the HTML writer only on request. */
async function loadWriter(format: string): Promise<typeof writeJson> {
  if (format === 'html') return (await loadHtml()).writeHtml
  return format === 'json' ? writeJson : writeMarkdown
}

/** Returns the number of sections; `resultCharacters` truncates tool results. */
export async function writeMarkdown(
  host: Host,
  id: string,
  write: Write,
  resultCharacters?: number,
): Promise<number> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const redact = await recordRedactor(host)
  let sections = 0
  await withErrorContext(`load session '${id}'`, async () => {
    for await (const { record } of readSession(folder, id)) {
      const section = markdownSection(redact(record), resultCharacters)
      if (section === undefined) continue
      await write(sections === 0 ? section : `\n${section}`)
      sections += 1
    }
  })
  return sections
}

export async function writeJson(host: Host, id: string, write: Write): Promise<number> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  const redact = await recordRedactor(host)
  let lines = 0
  await withErrorContext(`load session '${id}'`, async () => {
    const { readSessionLines } = await import('@zee/agent/sessions')
    for await (const { event, line } of readSessionLines(folder, id)) {
      await write(`${JSON.stringify({ event, ...redact(line) })}\n`)
      lines += 1
    }
  })
  return lines
}

/** Sessions of earlier versions, and those with `secrets = "keep"`, contain values. */
async function recordRedactor(host: Host): Promise<<T extends object>(record: T) => T> {
  const { createRedactor } = await import('@zee/core/redact')
  const redactor = createRedactor({ environment: host.env })
  return <T extends object>(record: T) => redactor.value(record).value as T
}
