// Faults in the answers of MCP servers, and their form in messages that are lines.
export { AnswerFaults, ProxyFaults } from './answer-faults.ts'
export { withFaults } from './lines.ts'
