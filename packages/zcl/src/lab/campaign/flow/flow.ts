// How the runner of a flow is started: its command, and its working folder.
export { withEmptyFolder } from './empty-folder.ts'
export { flowCommand, isKnownStrategy, programOf } from './strategies.ts'
