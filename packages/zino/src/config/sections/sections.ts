// The sections of ZINO.toml.
export type { ConfigDefaults } from './keys.ts'
export { key, path, socketKey, text } from './keys.ts'
export { channelsSection } from './limits.ts'
export { agentSection, apiSection, rtrSection } from './model.ts'
export { httpSection, loggingSection, mcpSection } from './outside.ts'
export {
  agrSection,
  ctxSection,
  excSection,
  inboxSection,
  memSection,
  sysSection,
  tmrSection,
} from './services.ts'
