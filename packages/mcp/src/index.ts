// Connections to MCP servers. Importing this module loads the MCP SDK, so programs import it only when a
// server is used; `@zee/mcp/section` does not load it.
export type { CallLimits, ClientInfo, ServerSpec } from './connection/connection.ts'
export { Connection } from './connection/connection.ts'
export { nameForModel, resultText } from './tools/tools.ts'
