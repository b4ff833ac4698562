// `:handoff`: shows the draft and asks whether to start a new session with it. Enter starts, `e` edits the
// draft first, and any other line is the next line of this chat.
import { terminalSafeWriter } from '@zee/core/lossless'
import { handoffText } from '../handoff/handoff.ts'
import { sessionsFolder } from '../settings/settings.ts'
import type { Chat } from './commands.ts'
import { editText } from './edit-in-program.ts'

const question = 'Enter starts a new session with this draft; e edits it in $EDITOR first.\n'

/** The draft to start with; undefined if the user goes on with this session. */
export async function draftHandoff(chat: Chat, goal: string): Promise<string | undefined> {
  if (goal === '') throw new Error('add a goal, for example :handoff finish the tests')
  const { host, conversation } = chat
  const { session, settings, info } = conversation
  if (session === undefined) throw new Error('nothing to hand off: --no-save stores no session')
  const folder = sessionsFolder(settings.base)
  const write = terminalSafeWriter(host.stderr)
  let draft = await handoffText({ folder, id: session.id, goal, root: info.root, env: host.env })
  for (;;) {
    await write(`${draft}\n${question}`)
    const line = await chat.lines.next()
    if (line?.trim() === '') return draft
    if (line?.trim() !== 'e') {
      chat.unread = line
      return undefined
    }
    const edit = () => editText(chat, draft)
    draft = await (chat.lines.lend === undefined ? edit() : chat.lines.lend(edit))
  }
}
