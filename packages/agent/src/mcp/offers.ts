// Prompts and resources of MCP servers: lists them, and returns one as text for a prompt.
import { cutToBytes } from '@zee/core/bounded'
import type { CallLimits, Connection } from '@zee/mcp'

export interface ServerOffer {
  server: string
  prompts: { name: string; arguments: string[]; description: string }[]
  resources: { uri: string; name: string }[]
}

/** A resource or a prompt is part of a request, so its size is limited. */
const maxTextBytes = 256 * 1024

/** Empty lists for what the server does not have. */
export async function listOffer(connection: Connection, limits: CallLimits): Promise<ServerOffer> {
  return connection.use(limits, async (client, options) => {
    const has = client.getServerCapabilities() ?? {}
    const { prompts } =
      has.prompts === undefined ? { prompts: [] } : await client.listPrompts({}, options)
    const { resources } =
      has.resources === undefined ? { resources: [] } : await client.listResources({}, options)
    return {
      server: connection.name,
      prompts: prompts.map((prompt) => ({
        name: prompt.name,
        arguments: (prompt.arguments ?? []).map(({ name }) => name),
        description: prompt.description ?? '',
      })),
      resources: resources.map(({ uri, name }) => ({ uri, name })),
    }
  })
}

/** The texts of a prompt's messages. */
export async function promptTextOf(
  connection: Connection,
  name: string,
  values: Readonly<Record<string, string>>,
  limits: CallLimits,
): Promise<string> {
  return connection.use(limits, async (client, options) => {
    const { messages } = await client.getPrompt({ name, arguments: { ...values } }, options)
    const texts = messages.map(({ content }) => contentText(content))
    return cutToBytes(texts.filter((text) => text !== '').join('\n\n'), maxTextBytes).text
  })
}

export async function resourceTextOf(
  connection: Connection,
  uri: string,
  limits: CallLimits,
): Promise<string> {
  return connection.use(limits, async (client, options) => {
    const { contents } = await client.readResource({ uri }, options)
    const texts = contents.map((content) => contentText({ type: 'resource', resource: content }))
    return cutToBytes(texts.join('\n\n'), maxTextBytes).text
  })
}

interface Content {
  type: string
  text?: unknown
  resource?: object
}

/** Content other than text is named, not sent. */
function contentText(content: Content): string {
  if (typeof content.text === 'string') return content.text
  const { resource } = content
  if (resource !== undefined && 'text' in resource && typeof resource.text === 'string') {
    return resource.text
  }
  return `[${content.type} left out]`
}
