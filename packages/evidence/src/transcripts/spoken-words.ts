// What the agents of a private HOME said: texts and thinking from all their logs, in the order of time.
import { readJournalSync } from '@zee/core/journal'
import type { AgentMessage } from '../messages/messages.ts'
import { logPlaces } from '../runners/runners.ts'
import type { TranscriptBuilder } from './builder.ts'
import { filesBelow, maxLogBytes } from './log-files.ts'
import { readLogs, transcriptPrograms } from './read-logs.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** More logs of a program are not read. */
const maxLogs = 20

/** Empty if there is no log. A log that cannot be read is left out. */
export function spokenWords(env: Environment): AgentMessage[] {
  const messages: AgentMessage[] = wordsOfZdx(env)
  for (const program of transcriptPrograms) {
    try {
      let logs = 0
      for (const { builder } of readLogs({ program, named: undefined, env }, newListener)) {
        if (builder !== undefined) messages.push(...builder.messages)
        if (++logs >= maxLogs) break
      }
    } catch {
      // The program has no logs here.
    }
  }
  return messages.sort((a, b) => (a.ts < b.ts ? -1 : a.ts > b.ts ? 1 : 0))
}

interface Listener extends TranscriptBuilder {
  messages: AgentMessage[]
}

function newListener(): Listener {
  const messages: AgentMessage[] = []
  const say = (role: AgentMessage['role'], kind: AgentMessage['kind'], text: string, ts: string) =>
    void messages.push({ ts, role, kind, text, afterCalls: undefined })
  return {
    messages,
    user: (text, ts) => say('user', 'text', text, ts),
    text: (_key, text, ts) => say('assistant', 'text', text, ts),
    thinking: (_key, text, ts) => say('assistant', 'thinking', text, ts),
    call: () => {},
    result: () => {},
    interrupted: () => {},
    receipt: () => {},
    unmapped: () => {},
  }
}

/** zdx imports no logs of its own, so that no reader of transcripts knows its sessions. */
function wordsOfZdx(env: Environment): AgentMessage[] {
  const { roots, isLog } = logPlaces('zdx')
  const { messages, user, text: say, thinking } = newListener()
  const files = roots(env).flatMap((root) => filesBelow(root, isLog))
  for (const { file, bytes } of files.slice(0, maxLogs)) {
    if (bytes > maxLogBytes) continue
    readJournalSync(file, ({ record: { type, role, text, ts } }) => {
      if (typeof text !== 'string' || typeof ts !== 'string') return
      if (type === 'thinking') thinking('', text, ts)
      else if (type === 'message' && role === 'user') user(text, ts)
      else if (type === 'message') say('', text, ts)
    })
  }
  return messages
}
