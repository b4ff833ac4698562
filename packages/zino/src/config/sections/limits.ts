// What a turn may do: capabilities and approval, and the channels that carry them.
import { setting } from '@zee/core/config'
import * as z from 'zod/mini'
import { path, nonNegativeInteger } from './keys.ts'

const names = z.array(path)

const allowSection = z.strictObject({
  tools: setting(z.optional(names), {
    description: 'Executors, functions, skills and MCP tools that may be called; "*" ends a prefix',
    example: ['bash'],
  }),
  paths: setting(z.optional(names), {
    description: 'Files and folders that scripts may read and write, besides the system folders',
    example: ['/home/me/reports'],
  }),
  hosts: setting(z.optional(names), {
    description: 'Hosts that scripts may reach: name, name:port, *.name or *',
    example: [],
  }),
  tokens: setting(z.optional(nonNegativeInteger), {
    description: 'Tokens of all model calls of one turn',
    example: 50_000,
  }),
  until: setting(z.optional(path), {
    description: 'Date or RFC 3339 time from which nothing is allowed',
    example: '2027-01-01',
  }),
})

export const approveKey = (description: string) =>
  setting(z.optional(z.enum(['allow', 'ask'])), { description, example: 'ask' })

export const channelsSection = setting(
  z.optional(
    z.record(
      z.string(),
      z.object({
        allow: setting(z.optional(allowSection), {
          description: 'What turns of this channel may use; absent: no limit',
        }),
        approve: approveKey('"ask": every tool call of this channel waits for zino approve'),
      }),
    ),
  ),
  {
    description: 'Limits of single channels, by name',
    example: { ops: { allow: { tools: ['bash'], hosts: [] }, approve: 'ask' } },
  },
)
