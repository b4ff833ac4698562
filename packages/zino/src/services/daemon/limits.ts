// The limits of a turn: the capabilities of its request and of its channel, and whether its tool calls
// wait for approval.
import type { Allow } from '../../allow/allow.ts'
import { readAllows } from '../../allow/allow.ts'
import { optionalString, requestError } from '../../fields/fields.ts'
import type { ServiceContext } from '../../service/service.ts'
import type { Message } from '../../wire/wire.ts'

export interface TurnLimits {
  allow: readonly Allow[] | undefined
  approve: 'ask' | undefined
}

export function turnLimits(context: ServiceContext, message: Message, channel: string): TurnLimits {
  const own = readAllows(message.allow, scopeOf(context))
  const { allow: fromChannel, approve } = channelLimits(context, channel)
  const allow = [...own, ...fromChannel]
  const asks = approvalField(message) === 'ask' || approve === 'ask'
  return { allow: allow.length === 0 ? undefined : allow, approve: asks ? 'ask' : undefined }
}

/** Throws when a channel of the configuration has an invalid `allow`. */
export function checkChannels(context: ServiceContext): void {
  for (const name of Object.keys(context.config.channels ?? {})) channelLimits(context, name)
}

function channelLimits(
  context: ServiceContext,
  name: string,
): { allow: Allow[]; approve?: string } {
  const channels = context.config.channels ?? {}
  const channel = Object.hasOwn(channels, name) ? channels[name] : undefined
  const { allow, approve } = channel ?? {}
  const where = `[channels.${name}] allow`
  return { allow: readAllows(allow, scopeOf(context), where), ...(approve && { approve }) }
}

function approvalField(message: Message): string | undefined {
  const approve = optionalString(message, 'approve')
  if (approve === undefined || approve === 'ask' || approve === 'allow') return approve
  throw requestError('approve must be "ask" or "allow"')
}

function scopeOf({ env }: ServiceContext): { cwd: string; home: string | undefined } {
  return { cwd: process.cwd(), home: env.HOME }
}
