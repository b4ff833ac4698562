// `zino inbox`: shows and removes what timers have produced.
import { terminalSafeText } from '@zee/core/colour'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import { confirm } from '../../confirm.ts'
import type { Message } from '../../wire/wire.ts'
import { isMessage } from '../../wire/wire.ts'
import type { TimerCall } from '../ask-timers.ts'
import { askTimers, warnOfDamage } from '../ask-timers.ts'

export async function listInbox(call: TimerCall, host: Host): Promise<number> {
  const { type: _, ...answer } = await askTimers(call, host, { type: 'inbox' })
  warnOfDamage('inbox.jsonl', answer.damaged, host)
  const entries = Array.isArray(answer.entries) ? answer.entries.filter(isMessage) : []
  const text = entries.map(entryText).join('\n')
  return print(call, host, answer, droppedText(answer.dropped) + (text || 'the inbox is empty\n'))
}

export async function removeEntries(
  call: TimerCall & { ids: readonly string[] },
  host: Host,
): Promise<number> {
  const ids = call.ids.map((id) => {
    if (!/^\d{1,15}$/.test(id)) throw usageError(`'${id}' is not the number of an entry`)
    return Number(id)
  })
  const { type: _, ...answer } = await askTimers(call, host, { type: 'remove_inbox', ids })
  return print(call, host, answer, `removed ${String(answer.removed)}\n`)
}

export async function clearInbox(call: TimerCall & { yes: boolean }, host: Host): Promise<number> {
  if (!(await confirm('Remove all entries of the inbox?', call.yes, host))) return 1
  const { type: _, ...answer } = await askTimers(call, host, { type: 'remove_inbox', all: true })
  return print(call, host, answer, `removed ${String(answer.removed)}\n`)
}

const kinds: ReadonlyMap<unknown, string> = new Map([
  ['remind', 'reminder'],
  ['background', 'background'],
])

/** A head line, then the prompt and the text, indented. */
function entryText(entry: Message): string {
  const { id, due, kind, when, channel, prompt, text } = entry
  const what = kinds.get(kind) ?? `every ${String(when)}`
  const place = typeof channel === 'string' ? `, channel ${channel}` : ''
  const late = entry.late === true ? `, late (ran ${String(entry.ts)})` : ''
  const head = `${String(id)}  ${String(due)}  ${what}${place}${late}\n`
  const asked = typeof prompt === 'string' ? indent(prompt, '  > ') : ''
  const cut = entry.truncated === true ? '  [cut; the whole answer is in the channel]\n' : ''
  return head + asked + indent(String(text), '  ') + cut
}

function indent(text: string, by: string): string {
  const lines = text.trimEnd().split('\n')
  return lines.map((line) => `${by}${line}`.trimEnd() + '\n').join('')
}

function droppedText(dropped: unknown): string {
  return typeof dropped === 'number' && dropped > 0 ? `${dropped} older entries were dropped\n` : ''
}

function print(call: TimerCall, host: Host, answer: object, text: string): number {
  const output = call.json
    ? `${JSON.stringify(answer, null, 2)}\n`
    : fitLines(text.split('\n'), host.stdout).join('\n')
  host.stdout.write(terminalSafeText(host.stdout)(output))
  return 0
}
