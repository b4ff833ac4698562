// The door to tools that MCP servers offer. Whoever opens it loads the SDK, so it is opened only for a
// conversation that is allowed a server.

export type { ServerAddress, ServerSpec } from './connection.ts'
export type { AllowedServer, ServerTools } from './server-tools.ts'
export { openServerTools } from './server-tools.ts'
