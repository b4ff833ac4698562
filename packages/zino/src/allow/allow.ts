// Capabilities: what the scripts and model calls of one turn may use. A turn can carry several (of its
// job, its channel, a skill); each of them must permit what is done.
export type { Allow } from './read-allow.ts'
export { readAllows } from './read-allow.ts'
export {
  deadlineOf,
  hostsOf,
  isHostAllowed,
  pathsOf,
  refusalOf,
  refusedTime,
  refusedTokens,
  refusedTool,
  ruleTag,
  tokensOf,
} from './rules.ts'
