// The sections of the services.
import { section, setting } from '@zee/core/config'
import * as z from 'zod/mini'
import { approveKey } from './limits.ts'
import type { ConfigDefaults } from './keys.ts'
import { key, optionalKey, socketKey, text, path, nonNegativeInteger, flag } from './keys.ts'

export const excSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'exc'),
      timeout: key(z.number().check(z.positive()), 30, 'Seconds a script may run'),
      network: key(flag, true, 'Scripts may use the network (false needs bubblewrap or unshare)'),
      write: setting(z.optional(z.array(path)), {
        description: 'Folders that scripts may write to; absent: wherever exc may',
        example: ['/tmp'],
      }),
      memory_mb: key(nonNegativeInteger, 0, 'Address space of a script in MiB; 0: no limit'),
      cpu_seconds: key(nonNegativeInteger, 0, 'Processor seconds of a script; 0: no limit'),
      open_files: key(nonNegativeInteger, 0, 'Open files of a script; 0: no limit'),
      processes: key(
        nonNegativeInteger,
        0,
        'Processes of the user, the running scripts included; 0: no limit',
      ),
      pass_env: key(
        z.array(path),
        [],
        'Environment variables to pass to scripts although they look secret',
      ),
      approve: approveKey('"ask": every tool call waits for zino approve; absent: none does'),
      approve_timeout: key(
        z.number().check(z.positive()),
        300,
        'Seconds until a call that waits for approval is denied',
      ),
    },
    { description: 'Code execution' },
  )

export const ctxSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'ctx'),
      history_limit: key(z.int(), 50, 'Number of newest channel messages in the context'),
      hard_memory_top_k: key(z.int(), 3, 'Number of hard memories in the context'),
      min_score: key(
        z.number().check(z.nonnegative()),
        0.55,
        'Score below which a memory or an earlier message is left out; scores reach from 0 to 1',
      ),
      history_top_k: key(z.int(), 3, 'Number of earlier messages that match the message'),
      cross_channel: key(flag, false, 'Search earlier messages in all channels'),
      inject_skill_examples: key(flag, true, 'Include skill examples in the context'),
      inject_hard_memories: key(flag, true, 'Include hard memories in the context'),
      inject_history: key(flag, true, "Include the channel's history in the context"),
    },
    { description: 'The context between the system prompt and the message' },
  )

export const sysSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'sys'),
      template: key(text, defaults.template, 'Template of the system prompt'),
      personality: key(text, '', 'Text for %%PERSONALITY%%'),
      soft_memory: key(
        text,
        '',
        'Initial text for %%SOFT_MEMORIES%%; empty: the text stored in mem',
      ),
    },
    { description: 'The system prompt' },
  )

export const memSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'mem'),
      data_dir: key(path, defaults.dataDir, 'Data folder of mem'),
      ranking: key(z.enum(['recall', 'tfidf']), 'recall', 'Ranking of hard memories'),
      redact: key(flag, false, 'Replace secrets in histories and memories before they are stored'),
    },
    { description: 'Memory' },
  )

export const agrSection = (defaults: ConfigDefaults) =>
  section(
    {
      socket: socketKey(defaults, 'agr'),
      max_iterations: key(nonNegativeInteger, 5, 'Maximum number of model calls per run'),
    },
    { description: 'The agent loop' },
  )

export const tmrSection = section(
  {
    socket: optionalKey('', 'Socket path of tmr; empty: tmr.sock next to the socket of daemon'),
    enabled: setting(z.optional(flag), {
      description:
        'Start tmr with the others (true) or never (false); absent: at the first timer, and while there are timers',
      example: true,
    }),
    zone: key(text, '', 'Time zone of timers that name none; empty: that of the client'),
    parallel: key(z.int().check(z.positive()), 4, 'Number of timers that run at the same time'),
  },
  { description: 'Timers' },
)

export const inboxSection = section(
  {
    notify: optionalKey(
      '',
      'Command line for sh that gets the text of each new inbox entry on stdin',
    ),
    notify_timeout: key(z.number().check(z.positive()), 30, 'Seconds that the command may run'),
  },
  { description: 'The inbox: what timers produced' },
)
