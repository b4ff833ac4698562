// Answers from a recorded trace for MCP clients, for stand-ins of servers on the network.
export { LiveHttp } from './live-http.ts'
export { parsed, Responder } from './responder.ts'
