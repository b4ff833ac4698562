// Stores what the agent said during an attempt, from the logs that known agents keep in their HOME.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { rfc3339 } from '@zee/core/clock'
import { attemptFromEnvironment } from '@zee/evidence/attempt'
import { artifactName } from '@zee/evidence/layout'
import { writeMessages } from '@zee/evidence/messages'
import type { PreparedTry } from './surroundings.ts'

/** Folders of a HOME in which known agents keep their logs. */
const logFolders = [
  ...['.config/zdx', '.codex', '.claude', '.gemini', '.pi', '.local/share/opencode'],
]

/** Nothing depends on these words: logs that cannot be read are left out. */
export async function storeWords({ lab, started, scratch }: PreparedTry): Promise<void> {
  const { folder } = started
  const { HOME = '', CODEX_HOME, CLAUDE_CONFIG_DIR, ZDX_HOME } = scratch.env
  // Variables that name a folder outside the HOME of the attempt would show the logs of others.
  const own = [CODEX_HOME, CLAUDE_CONFIG_DIR, ZDX_HOME].filter((each) => each !== undefined)
  if (own.some((each) => !path.resolve(each).startsWith(HOME + path.sep))) return
  if (!logFolders.some((each) => existsSync(path.join(HOME, each)))) return
  if (existsSync(path.join(folder, artifactName.messages))) return
  const { spokenWords } = await import('@zee/evidence/transcripts')
  const words = spokenWords(scratch.env)
  const { identity } = attemptFromEnvironment(scratch.env, lab.cwd)
  const fallbackTs = rfc3339(lab.now())
  await writeMessages(folder, identity, words, { redactor: lab.redactor, fallbackTs })
}
