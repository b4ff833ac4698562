// The commands for timers and the inbox.
import type { OptionTable } from '@zee/core/command-line'
import { commandFor, wholeNumber } from '@zee/core/command-line'
import { globals, json } from './globals.ts'

const command = commandFor(globals)
const loadTimers = () => import('../timers/command.ts')
const loadInbox = () => import('../timers/inbox/command.ts')

const jobOptions = {
  json,
  channel: { flags: '--channel <id>', summary: 'channel in which the turn runs (also -ch <id>)' },
  zone: { flags: '--zone <name>', summary: 'time zone, such as Europe/Berlin (default: yours)' },
  tools: { flags: '--allow-tool <name>', summary: 'allow only these tools', repeatable: true },
  paths: { flags: '--allow-path <path>', summary: 'allow only these paths', repeatable: true },
  hosts: { flags: '--allow-host <name>', summary: 'allow only these hosts', repeatable: true },
  tokens: {
    flags: '--allow-tokens <n>',
    summary: 'tokens that the turns may use',
    parse: wholeNumber(1),
  },
  until: {
    flags: '--allow-until <time>',
    summary: 'allow nothing after this date or RFC 3339 time',
  },
} as const satisfies OptionTable

export const remind = command({
  name: 'remind',
  summary: 'Remind you of a text at a time',
  description:
    'The text comes to the inbox at that time. With --channel it is also a turn in that channel, ' +
    'whose answer follows the text.',
  options: jobOptions,
  arguments: [
    { name: 'when', summary: 'such as "in 10 minutes" or "tomorrow 9:00"', required: true },
    { name: 'text', summary: 'what to remind you of', required: true, variadic: true },
  ],
  examples: [
    { line: 'zino remind "tomorrow 9:00" "water the ficus"', note: 'in the zone of this machine' },
    { line: 'zino remind "mon 14:30 Europe/Berlin" "call Ada"', note: 'in another zone' },
    { line: 'zino remind "every last day of month 18:00" "send the invoice"', note: 'repeated' },
  ],
  run: async ({ options, args: [when = '', ...words], globals: { config }, host }) =>
    (await loadTimers()).addTimer(
      { config, kind: 'remind', when, text: words.join(' '), ...options },
      host,
    ),
})

export const every = command({
  name: 'every',
  summary: 'Send a message to zino at repeated times',
  description: 'Each run is an ordinary turn in its channel. The answer comes to the inbox.',
  options: jobOptions,
  arguments: [
    { name: 'rule', summary: 'such as "mon..fri 08:30" or "15 minutes"', required: true },
    { name: 'prompt', summary: 'the message', required: true, variadic: true },
  ],
  examples: [
    { line: 'zino every "mon..fri 08:30" --channel ops "summarise the night"', note: 'weekdays' },
    { line: 'zino every "1st of month 9:00" "what did I plan?"', note: 'in the channel timers' },
  ],
  run: async ({ options, args: [when = '', ...words], globals: { config }, host }) =>
    (await loadTimers()).addTimer(
      { config, kind: 'every', when, text: words.join(' '), ...options },
      host,
    ),
})

const timerIds = [
  { name: 'id', summary: 'id of the timer, or its beginning', required: true, variadic: true },
] as const

function changeCommand(name: 'pause' | 'resume' | 'remove' | 'run', summary: string) {
  return command({
    name,
    summary,
    options: { json },
    arguments: timerIds,
    run: async ({ options, args, globals: { config }, host }) =>
      (await loadTimers()).changeTimers({ config, change: name, ids: args, ...options }, host),
  })
}

export const timers = command({
  name: 'timers',
  summary: 'List and change timers',
  options: { json },
  commands: [
    command({
      name: 'list',
      summary: 'List all timers, the next one first',
      options: { json },
      run: async ({ options, globals: { config }, host }) =>
        (await loadTimers()).listTimers({ config, ...options }, host),
    }),
    changeCommand('pause', 'Keep a timer from running until it is resumed'),
    changeCommand('resume', 'Let a paused timer run again'),
    changeCommand('remove', 'Remove a timer'),
    changeCommand('run', 'Run a timer now; its times stay as they are'),
  ],
  examples: [{ line: 'zino timers', note: 'list them' }],
  run: async ({ options, globals: { config }, host }) =>
    (await loadTimers()).listTimers({ config, ...options }, host),
})

export const inbox = command({
  name: 'inbox',
  summary: 'Show what timers have produced',
  options: { json },
  commands: [
    command({
      name: 'list',
      summary: 'Show all entries, the newest last',
      options: { json },
      run: async ({ options, globals: { config }, host }) =>
        (await loadInbox()).listInbox({ config, ...options }, host),
    }),
    command({
      name: 'remove',
      summary: 'Remove entries',
      options: { json },
      arguments: [{ name: 'id', summary: 'number of the entry', required: true, variadic: true }],
      run: async ({ options, args, globals: { config }, host }) =>
        (await loadInbox()).removeEntries({ config, ids: args, ...options }, host),
    }),
    command({
      name: 'clear',
      summary: 'Remove all entries',
      options: { json, yes: { flags: '--yes', summary: 'do not ask' } },
      run: async ({ options, globals: { config }, host }) =>
        (await loadInbox()).clearInbox({ config, ...options }, host),
    }),
  ],
  examples: [{ line: 'zino inbox && zino inbox clear --yes', note: 'read and empty it' }],
  run: async ({ options, globals: { config }, host }) =>
    (await loadInbox()).listInbox({ config, ...options }, host),
})
