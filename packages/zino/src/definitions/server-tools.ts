// Tools of MCP servers, as the model names them: `<server>__<tool>`.

/** A tool that exc offers. */
export interface ServerTool {
  name: string
  /** One line. */
  description: string
  /** The arguments in short form: `{"path": string, "head"?: number}`. */
  arguments: string
}

/** Whether the name is that of a tool of one of the configured servers. */
export function isServerTool(servers: readonly string[], name: string): boolean {
  return servers.some((server) => name.startsWith(`${server}__`) && name.length > server.length + 2)
}
