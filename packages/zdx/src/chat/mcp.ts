// `:mcp`: lists the prompts and resources of the conversation's MCP servers, sends a prompt of a server, or
// attaches a resource to the next prompt.
import type { ServerOffer, ServerTools } from '@zee/agent/mcp'
import { oneLine } from '@zee/core/errors'
import { terminalSafeWriter } from '@zee/core/lossless'
import { fenced } from '../text/text.ts'
import type { Chat } from './commands.ts'

const timeoutMs = 60_000

/** The prompt to send, if the command names one. */
export async function runMcp(chat: Chat, words: string): Promise<string | undefined> {
  const { servers } = chat.conversation
  if (servers === undefined) {
    throw new Error('no MCP server is offered: add mcp:<server> to tools in the configuration')
  }
  const limits = { signal: chat.interrupts.signal, timeoutMs }
  const write = terminalSafeWriter(chat.host.stderr)
  const [server, name, ...values] = words.split(/\s+/).filter((word) => word !== '')
  if (server === undefined || name === undefined) {
    await write(await offerLines(servers, server, limits))
    return undefined
  }
  const text = await servers.textOf(server, name, parseValues(values), limits)
  if (!name.includes('://')) return text
  chat.shellOutput.push(`${oneLine(name)}:\n${fenced(text, '')}`)
  await write(`${oneLine(name)} goes to the model with the next prompt\n`)
  return undefined
}

function parseValues(words: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    words.map((word) => {
      const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
      if (name === undefined) throw new Error(`'${oneLine(word)}' is not name=value`)
      return [name, value ?? '']
    }),
  )
}

async function offerLines(
  servers: ServerTools,
  only: string | undefined,
  limits: Parameters<ServerTools['offers']>[0],
): Promise<string> {
  const offers = await servers.offers(limits)
  const lines = offers.flatMap((offer) => {
    if ('failure' in offer) return [offer.failure]
    return only === undefined || only === offer.server ? linesOf(offer) : []
  })
  return `${lines.join('\n') || 'The MCP servers have no prompts and no resources.'}\n`
}

function linesOf({ server, prompts, resources }: ServerOffer): string[] {
  return [
    ...prompts.map(({ name, arguments: names, description }) => {
      const usage = [`:mcp ${server} ${name}`, ...names.map((each) => `${each}=...`)].join(' ')
      return oneLine(description === '' ? usage : `${usage}  ${description}`)
    }),
    ...resources.map(({ uri, name }) => oneLine(`:mcp ${server} ${uri}  ${name}`)),
  ]
}
